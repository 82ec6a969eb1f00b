/**
 * Completion scripts for the shells, generated from the commands and their flags.
 *
 * @module
 */

export { completionScript, type KnownCommand, SHELLS } from "./scripts.ts";

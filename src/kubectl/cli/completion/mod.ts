/**
 * Completion scripts for the shells, generated from the commands and their flags.
 *
 * @module
 */

export { completionScript, type KnownCommand, type Shell, SHELLS } from "./scripts.ts";

/**
 * The types of the built-in kinds: one module for each API group and version, such as `apps/v1.ts`, which is an entry
 * point of its own, `./types/apps/v1`. `deno task schemas` writes these modules from the Go types.
 *
 * This file has what is written by hand, the types of single values, and is no entry point. All of it leaves the room
 * through `meta/v1.ts`.
 *
 * @module
 */

export type { Base64, IntOrString, MicroTime, OpenEnum, Quantity, Time } from "./scalars.ts";

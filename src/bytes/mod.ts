/**
 * JSON as bytes, decoded only where it is asked for: what the compact cache is made of.
 *
 * @module
 */

export * from "./object_scanner.ts";
export * from "./slab_store.ts";
export { parseRange } from "./_text.ts";
export * from "./value_at.ts";

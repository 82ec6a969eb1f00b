// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `storagemigration`. */
export const STORAGEMIGRATION: StructTable = {};

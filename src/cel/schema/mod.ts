/**
 * Types and values of CEL for a structural schema.
 *
 * A schema and JSON enter; a type with its size limits, and lazily converted values leave.
 *
 * @module
 */

export { type DeclType, declTypeOf, MAX_REQUEST_SIZE } from "./decl_type.ts";
export { toValue } from "./object_value.ts";

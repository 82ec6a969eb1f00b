/**
 * The patch types: JSON patch, merge patch and strategic merge patch.
 *
 * Imports `schema` and `values`.
 *
 * @module
 */

export { patchObject, type PatchType, requireJson } from "./patch.ts";
export {
  jsonPatch,
  JsonPatchError,
  type JsonPatchOperation,
  JsonPatchTestError,
} from "./json_patch.ts";

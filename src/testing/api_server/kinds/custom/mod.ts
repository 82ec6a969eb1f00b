/**
 * Custom resources: validation by their schema, and the columns of a Table that their definition names.
 *
 * @module
 */

export { customColumns, customRow } from "./custom_row.ts";
export {
  validateCustom,
  validateCustomStatus,
  validateRules,
  validateTypeMeta,
} from "./custom_validation.ts";

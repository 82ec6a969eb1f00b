/**
 * Functions that expressions may call, with their overloads.
 *
 * Imports `types` and `values`.
 *
 * @module
 */

export {
  type AccessCheck,
  type AccessQuestion,
  authorizerValue,
  resourceAuthorizerValue,
} from "./authorizer.ts";
export { clauseAt, formatMistake } from "./format_text.ts";
export type { FormatValue } from "./formats.ts";
export { accepts, noOverload, type Overload } from "./overload.ts";
export { itemAt, wrongIndex } from "./standard.ts";
export { FUNCTIONS } from "./table.ts";
export { parseDuration, parseTimestamp } from "./time.ts";

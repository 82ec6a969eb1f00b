/**
 * Values of CEL: their equality, order and texts.
 *
 * Imports `types`.
 *
 * @module
 */

export { addLists, celCompare, celEqual, isComparable, ValueSet } from "./compare.ts";
export { jsonValue, valueToJson } from "./json_value.ts";
export { insertEntry, keyText, LiteralMap } from "./literal_map.ts";
export { MessageValue } from "./message_value.ts";
export { showDouble, showDuration, showTimestamp, showValue } from "./show.ts";
export {
  CelError,
  CelList,
  type CelMap,
  Duration,
  isCelMap,
  isOpaque,
  type Opaque,
  Optional,
  Preserved,
  sizeOf,
  textBytes,
  Timestamp,
  typeName,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

/**
 * JSON values as Go has them: their text, names, quantities, addresses and times, and the errors of fields. Also the type
 * that describes the fields of a kind.
 *
 * What a Kubernetes API server validates with, without the server. Imports `base`.
 *
 * @module
 */

export { encodeJson } from "./encode.ts";
export {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidHidden,
  invalidValue,
  item,
  notFoundField,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field_error.ts";
export { durationError, durationMs } from "./go_duration.ts";
export { parseMicroTime, parseTime, timeMs } from "./go_time.ts";
export {
  ipv4Parts,
  isIpAddress,
  isLegacyIpAddress,
  NO_IP_ADDRESS,
  withoutLeadingZeros,
} from "./ip_address.ts";
export {
  cloneJson,
  escapeMarkup,
  getArray,
  getInteger,
  getObject,
  getOwn,
  getPath,
  getString,
  givenOf,
  isInteger,
  isNumber,
  isObject,
  type Json,
  jsonEqual,
  jsonKey,
  type JsonObject,
  jsonTypeName,
  keepEmpty,
  noteEmpty,
  quote,
  setOwn,
  sortKeys,
  withPath,
} from "./json.ts";
export {
  byteLength,
  cIdentifier,
  configMapKey,
  dns1035Label,
  dnsLabel,
  dnsSearchDomain,
  dnsSubdomain,
  envVarName,
  labelValue,
  maskTrailingDash,
  pathSegmentName,
  portName,
  portNumber,
  qualifiedName,
} from "./names.ts";
export {
  compareQuantities,
  QUANTITY_ERROR,
  quantityError,
  roundUpToMilli,
  roundUpToWhole,
  wholeAmount,
} from "./quantity.ts";
export {
  ANY,
  type AnyType,
  type Field,
  type ListKey,
  type ListType,
  type Presence,
  type ScalarType,
  type StructType,
  type Type,
} from "./type.ts";

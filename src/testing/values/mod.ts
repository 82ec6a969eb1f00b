/**
 * JSON values as Go reads and writes them: parsing, encoding, names, quantities and times. Also the type that describes
 * the fields of a kind, and the error responses of the server.
 *
 * Imports no other folder of the API server.
 *
 * @module
 */

export {
  alreadyExists,
  ApiError,
  applyConflict,
  badRequest,
  conflict,
  expired,
  failure,
  forbidden,
  generatedNameTaken,
  internalError,
  internalFailure,
  invalid,
  methodNotAllowed,
  modified,
  noSuchResource,
  notFound,
  notImplemented,
  resourceVersionRequired,
  tooManyRequests,
  unprocessable,
  verbNotSupported,
} from "./api_error.ts";
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
export { goFloat, goFormatString, goPrint } from "./go_print.ts";
export { parseMicroTime, parseTime, timeMs } from "./go_time.ts";
export { humanAge, humanDuration } from "./human_duration.ts";
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
export { goInteger, readJson } from "./json_text.ts";
export { isTooDeep, MAX_JSON_DEPTH } from "./json_depth.ts";
export { CONVERTED, isJson, type JsonNotes, MAX_PATH, NO_NOTES, parseJson } from "./json_parser.ts";
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
export {
  canonicalIp,
  firstAddress,
  ipNumber,
  ipText,
  isInside,
  NO_CIDR,
  parseCidr,
  parseLegacyCidr,
} from "./cidr.ts";
export type { StructChanges, StructTable } from "./struct_table.ts";
export { matchesWildcard } from "./wildcard.ts";

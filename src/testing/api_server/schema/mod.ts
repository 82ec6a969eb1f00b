/**
 * Schemas of kinds: the fields of built-in kinds, structural schemas of custom resources, decoding and protobuf.
 *
 * Imports `values`.
 *
 * @module
 */

export { SCHEMAS, type Schemas, schemasOf } from "./builtin.ts";
export { compileCrdVersion, type CustomVersion, type PrinterColumn } from "./custom_version.ts";
export {
  type Decoded,
  DecodeError,
  decodeObject,
  decodeValue,
  type FieldValidation,
  headProblem,
  readObject,
  repeatedKeys,
  SCHEME,
  strictError,
  TYPE_META,
  unrecognized,
} from "./decode.ts";
export { apiVersionOf, type KindInfo } from "./kind.ts";
export { answerSchema } from "./answer_schema.ts";
export {
  decodeProtobuf,
  encodeList,
  encodeMessage,
  encodeProtobuf,
  envelope,
  ProtobufError,
  watchFrame,
} from "./protobuf/mod.ts";
export { GATED_FIELDS, RULES } from "./generated/mod.ts";
export { prune } from "./prune.ts";
export { reaching } from "./reaching.ts";
export { readFrames, readProtobuf } from "./read_protobuf.ts";
export { ADMISSION_REVIEW, connectionSchema, CONVERSION_REVIEW } from "./reviews.ts";
export {
  applyStructuralDefaults,
  blocksRules,
  compileStructural,
  hasFormat,
  hasRules,
  isKnownFormat,
  PatternError,
  patternOf,
  propertyOf,
  type Structural,
  TooLargeError,
  validateStructural,
} from "@kubeloop/controller/internal/structural";
export {
  canonical,
  type DecodeFindings,
  decodeTyped,
  fromProtobuf,
  MAX_FINDINGS,
  type Mismatch,
  showFinding,
  withFieldDefaults,
} from "./typed.ts";

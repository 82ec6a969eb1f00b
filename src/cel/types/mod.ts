/**
 * Types of CEL and which of them are assignable to each other.
 *
 * Imports nothing.
 *
 * @module
 */

export { allAssignable, isAssignable, type Mapping, mostGeneral, substitute } from "./assign.ts";
export {
  AUTHORIZER,
  BOOL,
  BYTES,
  type CelType,
  CIDR,
  DECISION,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  FORMAT,
  GROUP_CHECK,
  INT,
  IP,
  isOptionalType,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parseType,
  patchType,
  PATH_CHECK,
  QUANTITY,
  RESOURCE_CHECK,
  sameType,
  SEMVER,
  showType,
  splitTypes,
  STRING,
  structOf,
  TIMESTAMP,
  TYPE,
  type TypeKind,
  typeOf,
  typeParam,
  UINT,
  unwrapOptional,
  URL_TYPE,
} from "./type.ts";

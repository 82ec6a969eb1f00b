import {
  CelError,
  CelList,
  type CelMap,
  Duration,
  insertEntry,
  isCelMap,
  Optional,
  Uint,
  type Value,
} from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

/** Reports whether a value is that of a field that is not set. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelList) return value.size === 0;
  if (value instanceof Optional) return value.value === undefined;
  return typeof value === "object" && isCelMap(value) && value.size === 0;
}

/**
 * Returns the value of an optional one.
 *
 * @throws {CelError} If it is absent.
 */
function valueOf({ value }: Optional): Value {
  if (value === undefined) throw new CelError("optional.none() dereference");
  return value;
}

function insertAll(map: CelMap, other: CelMap): CelMap {
  return other.keys().reduce<CelMap>(
    (sum, key) => insertEntry(sum, key, other.get(key)!),
    map,
  );
}

/** A placeholder: the evaluator implements these functions, because they depend on more than the values. */
const special = (): Value => {
  throw new CelError("no such overload");
};

const end = (index: number) => (list: CelList) => {
  const item = list.items.at(index);
  return item === undefined ? new Optional() : new Optional(item);
};

/** The functions of optional values, and the insertion into maps that macros need. */
export const OPTIONALS: readonly Overload[] = [
  define("optional.of", "optional_of", "V -> optional(V)", (value: Value) => new Optional(value)),
  define(
    "optional.ofNonZeroValue",
    "optional_ofNonZeroValue",
    "V -> optional(V)",
    (value: Value) => isZero(value) ? new Optional() : new Optional(value),
  ),
  define("optional.none", "optional_none", " -> optional(V)", () => new Optional()),
  define("value", "optional_value", "optional(V). -> V", valueOf),
  define(
    "hasValue",
    "optional_hasValue",
    "optional(V). -> bool",
    ({ value }: Optional) => value !== undefined,
  ),
  define("or", "optional_or_optional", "optional(V).optional(V) -> optional(V)", special),
  define("orValue", "optional_orValue_value", "optional(V).V -> V", special),
  define("_?._", "select_optional_field", "dyn, string -> optional(V)", special),
  define("_[?_]", "list_optindex_optional_int", "list(V), int -> optional(V)", special),
  define(
    "_[?_]",
    "optional_list_optindex_optional_int",
    "optional(list(V)), int -> optional(V)",
    special,
  ),
  define("_[?_]", "map_optindex_optional_value", "map(K, V), K -> optional(V)", special),
  define(
    "_[?_]",
    "optional_map_optindex_optional_value",
    "optional(map(K, V)), K -> optional(V)",
    special,
  ),
  define("_[_]", "index_list", "list(A), int -> A", special),
  define("_[_]", "index_map", "map(A, B), A -> B", special),
  define("_[_]", "optional_list_index_int", "optional(list(V)), int -> optional(V)", special),
  define("_[_]", "optional_map_index_value", "optional(map(K, V)), K -> optional(V)", special),
  define("_==_", "equals", "A, A -> bool", special),
  define("_!=_", "not_equals", "A, A -> bool", special),
  define("_?_:_", "conditional", "bool, A, A -> A", special),
  define("_&&_", "logical_and", "bool, bool -> bool", special),
  define("_||_", "logical_or", "bool, bool -> bool", special),
  define("@not_strictly_false", "not_strictly_false", "bool -> bool", special),
  define("first", "list_first", "list(V). -> optional(V)", end(0)),
  define("last", "list_last", "list(V). -> optional(V)", end(-1)),
  define("cel.@mapInsert", "@mapInsert_map_key_value", "map(K, V), K, V -> map(K, V)", insertEntry),
  define("cel.@mapInsert", "@mapInsert_map_map", "map(K, V), map(K, V) -> map(K, V)", insertAll),
];

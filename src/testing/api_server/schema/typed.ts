import { storedQuantity } from "@kubeloop/controller/internal/base";
import {
  type Field,
  goInteger,
  isNumber,
  isObject,
  type Json,
  type JsonNotes,
  type JsonObject,
  jsonTypeName,
  keepEmpty,
  MAX_PATH,
  NO_NOTES,
  noteEmpty,
  parseMicroTime,
  parseTime,
  quantityError,
  quote,
  type ScalarType,
  setOwn,
  sortKeys,
  type StructType,
  type Type,
} from "../../values/mod.ts";
import { canonicalBase64 } from "./base64.ts";

/** The errors that {@linkcode decodeTyped} found. */
export interface DecodeFindings {
  /** The server's messages about unknown and duplicate fields. */
  readonly strict: string[];
  /** The message about the first value that cannot be decoded as its field's type; undefined if there is none. */
  error: string | undefined;
  /** The value that this message is about, if it has the wrong type. */
  mismatch?: Mismatch;
}

/** A value that is not of the type of its field. */
export interface Mismatch {
  /** The value. */
  readonly value: Json;
  /** The type of the field. */
  readonly type: Type;
  /** The name of that type in Go. */
  readonly goType: string;
}

/** The maximum number of unknown and duplicate fields that are reported, as in the API server. */
export const MAX_FINDINGS: number = 100;

/** The maximum length of a path in a message. */
const MAX_SHOWN_PATH = 10_000;

/** Returns the message about an unknown or duplicate field. */
export function showFinding(what: "duplicate" | "unknown", path: string): string {
  return `${what} field ${quote(path.slice(0, MAX_SHOWN_PATH))}`;
}

const ZERO_TIME = "0001-01-01T00:00:00Z";

/**
 * Decodes `value` into its type and encodes it again, as Go does with a struct.
 *
 * Fields are in the order of the schema. Unknown fields are dropped. Empty fields are dropped or filled in, depending
 * on their {@linkcode Field.presence}. Times are in UTC, quantities in their canonical form.
 *
 * @param findings Receives the errors.
 * @param notes The notes of the parser of the request body.
 */
export function decodeTyped(
  value: Json,
  type: StructType,
  findings: DecodeFindings,
  notes: JsonNotes = NO_NOTES,
): JsonObject {
  const decoder = new Decoder(findings, notes);
  return decoder.struct(isObject(value) ? value : {}, type, "", "");
}

/** Returns a well-formed object with its fields in order: {@linkcode decodeTyped} without findings. */
export function canonical<T>(object: T, type: StructType): T {
  return decodeTyped(object as Json, type, { strict: [], error: undefined }) as T;
}

/** Returns a well-formed object with its fields in order, and with the defaults that the fields themselves have. */
export function withFieldDefaults(object: JsonObject, type: StructType): JsonObject {
  const options = { fieldDefaults: true };
  return new Decoder({ strict: [], error: undefined }, NO_NOTES, options).struct(
    object,
    type,
    "",
    "",
  );
}

/**
 * Returns a well-formed object as it comes back from the storage. Protobuf has no empty lists and maps. A field that is
 * always encoded is null where its list or map was empty.
 */
export function fromProtobuf(object: JsonObject, type: StructType): JsonObject {
  return new Decoder({ strict: [], error: undefined }, NO_NOTES, { dropEmpty: true }).struct(
    object,
    type,
    "",
    "",
  );
}

/** The place of a value, for messages about its type. */
interface Place {
  /** The path of the field, without list indices and with the names of embedded structs. */
  readonly path: string;
  /** The name of the struct that has the field. */
  readonly struct: string;
  /** The name of the type of the value, if it has one of its own. */
  readonly goType: string | undefined;
}

/** Options of a {@linkcode Decoder}. */
interface DecoderOptions {
  /** Whether an empty list or map counts as none. */
  readonly dropEmpty?: boolean;
  /** Whether missing fields get their defaults. */
  readonly fieldDefaults?: boolean;
}

/** The decoded value of a field, and the place of the field in its struct. */
interface Decoded {
  readonly place: number;
  readonly name: string;
  readonly value: Json;
}

/** Precomputed facts about the fields of a struct, because most objects have few of its fields. */
interface Layout {
  /** The places of the fields in the encoded object. */
  readonly places: ReadonlyMap<string, number>;
  /** The fields that may get a value if they are unset. */
  readonly filled: readonly Field[];
}

const layouts = new WeakMap<StructType, Layout>();

function layoutOf(type: StructType): Layout {
  const known = layouts.get(type);
  if (known !== undefined) return known;
  const fields = [...type.fields.values()];
  const layout: Layout = {
    places: new Map(fields.map(({ name }, place) => [name, place])),
    filled: fields.filter((field) =>
      field.default !== undefined || field.presence === "always" || field.presence === "nullable"
    ),
  };
  layouts.set(type, layout);
  return layout;
}

class Decoder {
  readonly #findings: DecodeFindings;
  readonly #notes: JsonNotes;
  readonly #options: DecoderOptions;
  #isQuiet = false;

  constructor(
    findings: DecodeFindings,
    notes: JsonNotes,
    options: DecoderOptions = {},
  ) {
    this.#findings = findings;
    this.#notes = notes;
    this.#options = options;
  }

  /**
   * Decodes a struct.
   *
   * Messages about unknown fields contain `path`, which has list indices. Messages about types contain `goPath`, which
   * has none.
   */
  struct(value: JsonObject, type: StructType, path: string, goPath: string): JsonObject {
    const { places, filled } = layoutOf(type);
    const decoded: Decoded[] = [];
    const dropped: string[] = [];
    let isInOrder = true;
    for (const key of Object.keys(value)) {
      const inner = path === "" ? key : `${path}.${key}`;
      const field = type.fields.get(key);
      if (this.#isDuplicate(inner)) {
        this.#find("duplicate", inner);
      }
      if (field === undefined) {
        this.#find("unknown", inner);
        continue;
      }
      const own = field.embedded === undefined ? key : `${field.embedded}.${key}`;
      const where = goPath === "" ? own : `${goPath}.${own}`;
      const one = this.#field(value[key] ?? null, field, inner, where, type.name);
      if (one === undefined) {
        if (typeof value[key] === "object" && value[key] !== null) dropped.push(key);
        continue;
      }
      const place = places.get(key)!;
      if (place < (decoded.at(-1)?.place ?? 0)) isInOrder = false;
      decoded.push({ place, name: key, value: one });
    }
    for (const field of filled) {
      if (decoded.some(({ name }) => name === field.name)) continue;
      const own = this.#fillingOf(field);
      if (own === undefined) continue;
      decoded.push({ place: places.get(field.name)!, name: field.name, value: own });
      isInOrder = false;
    }
    if (!isInOrder) decoded.sort((a, b) => a.place - b.place);
    const result: JsonObject = {};
    for (const { name, value } of decoded) setOwn(result, name, value);
    // Empty values are shown only in errors.
    keepEmpty(result, value);
    for (const key of dropped) noteEmpty(result, key, Array.isArray(value[key]) ? [] : {});
    return result;
  }

  /** Returns the value of a field that is unset; undefined if it stays so. */
  #fillingOf(field: Field): Json | undefined {
    const own = this.#defaultOf(field);
    if (own !== undefined) return own;
    if (field.presence === "always") return zero(field.type);
    return field.presence === "nullable" ? null : undefined;
  }

  #defaultOf(field: Field): Json | undefined {
    const standard = this.#options.fieldDefaults === true ? field.default : undefined;
    return standard !== undefined && (field.presence !== "set" || !isEmpty(standard))
      ? standard
      : undefined;
  }

  /** Decodes what Go decodes by a method of the type, which does not look for unknown and duplicate fields. */
  #quietly<T>(decode: () => T): T {
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = true;
    try {
      return decode();
    } finally {
      this.#isQuiet = wasQuiet;
    }
  }

  /** Records an unknown or duplicate field. As in the API server, only the first hundred are recorded. */
  #find(what: "duplicate" | "unknown", path: string): void {
    const { strict } = this.#findings;
    if (this.#isQuiet) return;
    if (strict.length < MAX_FINDINGS) strict.push(showFinding(what, path));
  }

  /** Reports whether a key occurs more than once. Long paths are not looked up: each would have to be put together. */
  #isDuplicate(path: string): boolean {
    const { duplicates } = this.#notes;
    return duplicates.size > 0 && path.length <= MAX_PATH && duplicates.has(path);
  }

  /** Decodes the value of a field; returns undefined if the field is then unset. */
  #field(
    value: Json,
    field: Field,
    path: string,
    goPath: string,
    struct: string,
  ): Json | undefined {
    if (value === null) return undefined;
    const { type } = field;
    // Most values are strings where strings are expected: they need nothing for messages.
    const decoded = typeof value === "string" && type.kind === "scalar" && type.name === "string"
      ? value
      : this.#value(value, type, path, { path: goPath, struct, goType: field.goType });
    // Go never omits a field that takes any JSON, because that is a struct.
    if (decoded === undefined || type.kind === "any" || !isEmpty(decoded)) return decoded;
    const isCollection = type.kind === "list" || type.kind === "map";
    const isDropped = field.presence === "set" || (this.#options.dropEmpty && isCollection);
    return isDropped ? undefined : decoded;
  }

  #value(value: Json, type: Type, path: string, place: Place): Json | undefined {
    switch (type.kind) {
      case "any":
        return value;
      case "scalar":
        return this.#scalar(value, type, path, place);
      case "struct":
        if (type.orBool === true && typeof value === "boolean") return value;
        if (type.orList === true && Array.isArray(value)) return value;
        if (!isObject(value)) return this.#wrong(value, type, place);
        if (type.orBool === true || type.orList === true) {
          return this.#quietly(() => this.struct(value, type, path, place.path));
        }
        return this.struct(value, type, path, place.path);
      case "map": {
        if (!isObject(value)) return this.#wrong(value, type, place);
        const result: JsonObject = {};
        for (const key of Object.keys(value)) {
          const inner = `${path}.${key}`;
          if (this.#isDuplicate(inner)) {
            this.#find("duplicate", inner);
          }
          setOwn(result, key, this.#element(value[key] ?? null, type.value, inner, place));
        }
        return sortKeys(result);
      }
      case "list":
        if (!Array.isArray(value)) return this.#wrong(value, type, place);
        return value.map((item, index) =>
          this.#element(item, type.item, `${path}[${index}]`, place)
        );
    }
  }

  /** Decodes an item of a list or a map; null and undecodable values become the zero value. */
  #element(value: Json, type: Type, path: string, place: Place): Json {
    // Bytes that are null become empty ones.
    if (value === null) return type.kind === "scalar" && type.name === "bytes" ? "" : zero(type);
    if (place.goType === undefined) return this.#value(value, type, path, place) ?? zero(type);
    // The name of a list or a map contains that of its items, unless it is a name of its own.
    const outer = /^(?:\[\]|map\[[^\]]*\])/.exec(place.goType)?.[0];
    const item = outer && place.goType.slice(outer.length);
    return this.#value(value, type, path, { ...place, goType: item }) ?? zero(type);
  }

  #scalar(
    value: Json,
    type: ScalarType,
    path: string,
    place: Place,
  ): Json | undefined {
    switch (type.name) {
      case "bool":
        return typeof value === "boolean" ? value : this.#wrong(value, type, place);
      case "float":
        return isNumber(value) ? Number(value) : this.#wrong(value, type, place);
      case "int32":
      case "int64":
        return this.#integer(value, type, path, place);
      case "intOrString":
        if (typeof value === "string") return value;
        return this.#integer(value, type, path, place);
      case "quantity": {
        const text = isNumber(value) ? this.#literal(value, path) : value;
        const stored = typeof text === "string" ? storedQuantity(text.trim()) : undefined;
        return stored ?? this.#fail(quantityError(text));
      }
    }
    if (type.name === "bytes" && Array.isArray(value) && this.#notes.isConverted !== true) {
      return this.#byteList(value, place);
    }
    if (typeof value !== "string") return this.#wrong(value, type, place);
    switch (type.name) {
      case "string":
        return value;
      case "bytes": {
        const read = canonicalBase64(value);
        return typeof read === "string"
          ? read
          : this.#fail(`illegal base64 data at input byte ${read}`);
      }
      case "time":
      case "microTime": {
        const parsed = type.name === "time" ? parseTime(value) : parseMicroTime(value);
        if ("error" in parsed) return this.#fail(parsed.error);
        return parsed.text === ZERO_TIME ? undefined : parsed.text;
      }
    }
  }

  /** Decodes bytes that are written as a list of numbers. */
  #byteList(list: readonly Json[], { path, struct }: Place): string | undefined {
    let bytes = "";
    for (const one of list) {
      if (typeof one === "number" && Number.isInteger(one) && one >= 0 && one <= 255) {
        bytes += String.fromCharCode(one);
        continue;
      }
      const what = isNumber(one) ? `number ${one}` : jsonTypeName(one);
      return this.#fail(
        `json: cannot unmarshal ${what} into Go struct field ${struct}.${path} of type uint8`,
      );
    }
    return btoa(bytes);
  }

  #integer(
    value: Json,
    type: ScalarType,
    path: string,
    place: Place,
  ): Json | undefined {
    if (!isNumber(value)) return this.#wrong(value, type, place);
    const bits = type.name === "int64" ? 64 : 32;
    if (typeof value === "bigint") {
      if (bits === 64) return value;
    } else if (this.#notes.literals.size === 0 && Number.isSafeInteger(value)) {
      if (bits === 64 || (value | 0) === value) return value;
    }
    if (
      this.#notes.isConverted === true && (typeof value === "bigint" || Number.isInteger(value))
    ) {
      return converted(value, bits);
    }
    const literal = this.#literal(value, path);
    if (/^-?[0-9]+$/.test(literal) && BigInt.asIntN(bits, BigInt(literal)) === BigInt(literal)) {
      return value;
    }
    return this.#fail(
      `json: cannot unmarshal number ${literal} into Go struct field ${place.struct}.${place.path} of type ${
        nameOf(type)
      }`,
      { value, type, goType: nameOf(type) },
    );
  }

  /** Returns the text of a number in the request body. */
  #literal(value: number | bigint, path: string): string {
    const { literals } = this.#notes;
    return (literals.size > 0 ? literals.get(path) : undefined) ?? String(value);
  }

  #wrong(value: Json, type: Type, { path, struct, goType = nameOf(type) }: Place): undefined {
    return this.#fail(
      `json: cannot unmarshal ${
        jsonTypeName(value)
      } into Go struct field ${struct}.${path} of type ${goType}`,
      { value, type, goType },
    );
  }

  #fail(error: string, mismatch?: Mismatch): undefined {
    if (this.#findings.error !== undefined) return undefined;
    this.#findings.error = error;
    if (mismatch !== undefined) this.#findings.mismatch = mismatch;
    return undefined;
  }
}

/** Converts a whole number to an integer as Go does: a float that is too large becomes the least 64-bit integer. */
function converted(value: number | bigint, bits: number): number | bigint {
  const isLarge = typeof value === "number" && Math.abs(value) >= 2 ** 63;
  const integer = isLarge ? -(2n ** 63n) : BigInt(value);
  return goInteger(BigInt.asIntN(bits, integer));
}

/** Returns the name of a type in Go. */
function nameOf(type: Type): string {
  switch (type.kind) {
    case "any":
      return "interface {}";
    case "struct":
      return `${/\/(v\w+)\./.exec(type.id ?? "")?.[1] ?? "v1"}.${type.name}`;
    case "map":
      return `map[string]${nameOf(type.value)}`;
    case "list":
      return `[]${nameOf(type.item)}`;
  }
  switch (type.name) {
    case "float":
      return "float64";
    case "time":
    case "microTime":
      return "string";
    case "bytes":
      return "[]uint8";
    case "intOrString":
      return "int32";
    default:
      return type.name;
  }
}

/** Returns what Go encodes for the zero value of a type. */
export function zero(type: Type): Json {
  switch (type.kind) {
    case "any":
    case "map":
    case "list":
      return null;
    case "struct": {
      const result: JsonObject = {};
      for (const field of type.fields.values()) {
        if (field.presence === "always") setOwn(result, field.name, zero(field.type));
        else if (field.presence === "nullable") setOwn(result, field.name, null);
      }
      return result;
    }
  }
  switch (type.name) {
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float":
    case "intOrString":
      return 0;
    case "quantity":
      return "0";
    case "time":
    case "microTime":
    case "bytes":
      return null;
    default:
      return "";
  }
}

/** Reports whether Go's `omitempty` omits the value. */
function isEmpty(value: Json): boolean {
  if (value === null || value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

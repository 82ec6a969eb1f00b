import { type Random, randomInt } from "@kubeloop/controller/internal/base";
import type { Structural } from "@kubeloop/controller/internal/structural";
import {
  child,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  isObject,
  item,
  type Json,
  jsonEqual,
  jsonKey,
  type JsonObject,
  setOwn,
} from "../values/mod.ts";
import { type Hints, hintsOf, hintsOfRules, joined, NO_HINTS } from "./hints.ts";
import { textsOfPattern } from "./pattern_text.ts";
import { sampleOf } from "./sample_of.ts";
import { isValidFor, SchemaChecks } from "./schema_checks.ts";
import { valuesOf } from "./values_of.ts";

/** The most values of one field to choose from. */
const MAX_POOL = 60;
/** The number of texts that are made of a pattern. */
const TEXTS_OF_PATTERN = 12;
/** The longest text, list or map that is made because a schema limits its size. */
const MAX_LENGTH = 1100;
const MAX_ITEMS = 40;
/** The size of an object, in values, from which on only required fields are added. */
const MAX_VALUES = 60;
/** The number of values beyond that from which on an object is given up: its schema requires too many. */
const MAX_REQUIRED = 5000;
/** The most options of an enumeration to choose from. */
const MAX_OPTIONS = 1000;
/** The number of optional fields that an object has on average, if it has many. */
const FIELDS = 4;
/** How often a part that a schema refuses is made anew, and how often the whole object. */
const MAX_REPAIRS = 12;
const MAX_ATTEMPTS = 40;

/** Texts that schemas often forget. */
const TEXTS: readonly string[] = ["", "a", "B", "a-b", "a.b", "ä", "a b", "1", "true", "null", "-"];
const NUMBERS: readonly number[] = [0, 1, -1, 2, 0.5, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 40];
/** Values of fields without a type. */
const ANYTHING: readonly Json[] = ["a", 1, true, {}, { a: "b" }, { a: 1 }, ["a"]];
const KEYS: readonly string[] = ["a", "b", "key-2", "example.com/name", "C", "1"];
const RESOURCE: Json = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

/** A part of a schema, prepared to make its values. */
interface Part {
  readonly schema: Structural;
  /** The values to choose from; undefined for objects and lists with a schema of their parts. */
  readonly pool: readonly Json[] | undefined;
  /** The number of items or of keys to choose from. */
  readonly sizes: readonly number[];
  readonly fields: ReadonlyMap<string, Part>;
  readonly required: ReadonlySet<string>;
  readonly items: Part | undefined;
  readonly values: Part | undefined;
  /** The keys of a map, and the names of fields that the schema does not specify. */
  readonly keys: readonly string[];
  /** Whether the other schema differs here or below. */
  readonly isWanted: boolean;
}

/** Options of {@linkcode ObjectGenerator}. */
export interface GeneratorOptions {
  /** The kind and the apiVersion of the objects. */
  readonly type: { readonly apiVersion: string; readonly kind: string };
  /** Whether the objects are in the namespace `default`. */
  readonly namespaced: boolean;
  readonly random: Random;
  /** A schema with which the objects are tried afterwards. Where it differs, they are more often at its limits. */
  readonly other?: JsonObject | undefined;
}

/** Makes objects that a schema and its rules allow, each time others. */
export class ObjectGenerator {
  readonly checks: SchemaChecks;
  readonly #root: Part;
  readonly #options: GeneratorOptions;
  readonly #random: Random;
  #count = 0;
  #left = 0;
  /** The share of the optional fields of the object that is being made. */
  #share = 0;

  /** @param raw The `openAPIV3Schema` of the version. */
  constructor(raw: JsonObject, options: GeneratorOptions) {
    this.#options = options;
    this.#random = options.random;
    this.checks = new SchemaChecks(raw);
    this.#root = new Preparation(options.random).part(this.checks.schema, options.other, NO_HINTS);
  }

  /** Returns the next object, without defaults; undefined if no valid one was found. */
  next(): JsonObject | undefined {
    this.#count++;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      let object = this.#object();
      for (let repair = 0; object !== undefined && repair < MAX_REPAIRS; repair++) {
        const errors = this.checks.errorsOf(object);
        if (errors.length === 0) return object;
        object = this.#withRepairs(object, errors);
      }
    }
    return undefined;
  }

  #object(): JsonObject | undefined {
    this.#left = MAX_VALUES;
    this.#share = [0.1, 0.4, 0.6, 0.9][randomInt(this.#random, 4)]!;
    const { namespaced, type } = this.#options;
    const made = this.#fields(this.#root, ["apiVersion", "kind", "metadata"]);
    if (made === undefined) return undefined;
    const names = this.#root.fields.get("metadata")?.fields.get("name")?.pool ?? [];
    const name = names.length > 0 ? this.#pick(names) : `object-${this.#count}`;
    const metadata: JsonObject = { name, ...(namespaced ? { namespace: "default" } : {}) };
    if (this.#chance(0.2)) metadata["labels"] = { app: "a" };
    if (this.#chance(0.2)) metadata["annotations"] = { "example.com/note": "a" };
    return { ...type, metadata, ...made };
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<T>(values: readonly T[]): T {
    return values[randomInt(this.#random, values.length)]!;
  }

  /** Returns a value of a part; undefined if there is none. */
  #value(part: Part): Json | undefined {
    if (--this.#left < -MAX_REQUIRED) return undefined;
    const { pool, schema } = part;
    if (schema.nullable && this.#chance(0.1)) return null;
    if (pool !== undefined) return pool.length === 0 ? undefined : this.#pick(pool);
    if (schema.type === "array") return this.#list(part);
    return this.#fields(part, []);
  }

  #list({ items, schema, sizes }: Part): Json[] | undefined {
    const size = this.#left > 0 ? this.#pick(sizes) : Math.min(...sizes);
    const list: Json[] = [];
    const known = new Set<string>();
    for (let tries = 0; list.length < size && tries < 3 * size + 5; tries++) {
      const value = items === undefined ? this.#pick(ANYTHING) : this.#value(items);
      if (value === undefined) return list;
      if (schema.listType !== "atomic") {
        const identity = schema.listType === "set" ? jsonKey(value) : jsonKey(
          schema.mapKeys.map((key) => isObject(value) ? getOwn(value, key) ?? null : null),
        );
        if (known.has(identity)) continue;
        known.add(identity);
      }
      list.push(value);
    }
    return list;
  }

  /** Returns an object with the fields of a part; undefined if it cannot have a required one. */
  #fields(part: Part, except: readonly string[]): JsonObject | undefined {
    const { fields, keys, required, schema, sizes, values } = part;
    const object: JsonObject = {};
    const share = Math.min(
      this.#share,
      Math.max(FIELDS / fields.size, this.#share === 0.9 ? 0.3 : 0),
    );
    for (const [name, field] of fields) {
      if (except.includes(name)) continue;
      if (!required.has(name)) {
        if (this.#left <= 0 || !this.#chance(field.isWanted ? Math.max(share, 0.7) : share)) {
          continue;
        }
      }
      const value = this.#value(field);
      if (value !== undefined) setOwn(object, name, value);
      else if (required.has(name) && field.schema.default === undefined) return undefined;
    }
    const isMap = schema.additional !== undefined;
    const isOpen = isMap || (schema.preserveUnknown && except.length === 0 && this.#chance(0.3));
    const count = !isOpen ? 0 : isMap ? this.#pick(sizes) : 1;
    for (let i = 0; i < count && this.#left > 0; i++) {
      const key = i < keys.length ? this.#pick(keys) : `key-${i}`;
      const value = values === undefined ? this.#pick(ANYTHING) : this.#value(values);
      if (!fields.has(key) && value !== undefined) setOwn(object, key, value);
    }
    return object;
  }

  /** Returns a copy in which the values with errors are made anew; undefined if the whole object must be. */
  #withRepairs(object: JsonObject, errors: readonly FieldError[]): JsonObject | undefined {
    const fields = [...new Set(errors.map(({ field }) => field))].slice(0, MAX_REPAIRS);
    if (fields.some((field) => field === "" || field === "<nil>")) return undefined;
    this.#left = Math.max(this.#left, MAX_VALUES / 4);
    let repaired: Json | undefined = object;
    // The last ones first, because an item that is left out changes the places of those after it.
    for (const field of fields.reverse()) {
      if (!isObject(repaired)) return undefined;
      repaired = this.#repaired(repaired, this.#root, "", field);
    }
    return isObject(repaired) ? repaired : undefined;
  }

  /** Returns a copy in which the value at a path is made anew. */
  #repaired(value: Json, part: Part, path: string, target: string): Json | undefined {
    if (Array.isArray(value) && part.items !== undefined) {
      const { items } = part;
      for (const [index, one] of value.entries()) {
        if (!isOnPath(item(path, index), target)) continue;
        const made = this.#repaired(one, items, item(path, index), target);
        return made === undefined ? value.filter((_, at) => at !== index) : value.with(index, made);
      }
    } else if (isObject(value)) {
      for (const [name, one] of Object.entries(value)) {
        const field = part.fields.get(name) ?? part.values;
        const place = [child(path, name), item(path, name)].find((it) => isOnPath(it, target));
        if (field === undefined || place === undefined || one === undefined) continue;
        if (path === "" && ["apiVersion", "kind", "metadata"].includes(name)) continue;
        const made = this.#repaired(one, field, place, target);
        const { ...copy } = value;
        if (made === undefined) delete copy[name];
        else setOwn(copy, name, made);
        return copy;
      }
    }
    if (path === "") return this.#object();
    // An optional part may also be left out.
    return this.#chance(0.2) ? undefined : this.#value(part);
  }
}

/** Reports whether a place is a target, or around it. */
function isOnPath(place: string, target: string): boolean {
  if (!target.startsWith(place)) return false;
  return target.length === place.length || ".[".includes(target[place.length]!);
}

/** Prepares the parts of a schema. */
class Preparation {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param around The hints of the rules of the schemas around. */
  part(schema: Structural, other: JsonObject | undefined, around: Hints): Part {
    const { raw } = schema;
    const rules = joined(hintsOfRules(raw), hintsOfRules(other), around);
    const hints = joined(hintsOf(raw), hintsOf(other), rules);
    const fields = new Map<string, Part>();
    const otherFields = getObject(other, "properties");
    for (const [name, field] of schema.properties) {
      fields.set(name, this.part(field, objectOr(getOwn(otherFields, name)), rules));
    }
    const inner = (part: Structural | true | undefined, keyword: string) =>
      typeof part === "object"
        ? this.part(part, objectOr(other && getOwn(other, keyword)), rules)
        : undefined;
    const items = inner(schema.items, "items");
    const values = inner(schema.additional, "additionalProperties");
    const below = [...fields.values(), items, values];
    return {
      schema,
      fields,
      items,
      values,
      required: new Set(getArray(raw, "required").map(String)),
      keys: [...KEYS, ...rules.texts, ...Object.keys(otherFields)],
      sizes: sizesOf(schema, hints),
      pool: this.#pool(schema, hints),
      isWanted: other !== undefined &&
        (below.some((part) => part?.isWanted) || differs(raw, other)),
    };
  }

  #pool(schema: Structural, hints: Hints): readonly Json[] | undefined {
    const { raw, type } = schema;
    const options = getArray(raw, "enum").slice(0, MAX_OPTIONS);
    if (options.length > 0) return options.filter((value) => isValidFor(value, schema));
    const isOpen = type === "" && !schema.intOrString;
    if (!isOpen && (type === "array" || type === "object")) {
      const isWhole = schema.embedded && schema.properties.size === 0;
      return isWhole ? [RESOURCE] : undefined;
    }
    const samples = [0, 1, 2, 3].map((n) => sampleOf(raw, { n }));
    const given = isOpen ? ANYTHING : this.#scalars(schema, hints);
    const pool = new Map<string, Json>();
    for (const value of [...samples, ...valuesOf(raw, undefined), ...given] as Json[]) {
      if (pool.size >= MAX_POOL) break;
      if (value === undefined || pool.has(jsonKey(value))) continue;
      if (isValidFor(value, schema)) pool.set(jsonKey(value), value);
    }
    return [...pool.values()];
  }

  #scalars({ intOrString, raw, type }: Structural, hints: Hints): readonly Json[] {
    if (type === "boolean") return [true, false];
    const isText = intOrString || type === "string";
    const texts = isText ? this.#texts(hints) : [];
    if (type === "string") return texts;
    const around = hints.numbers.flatMap((number) => [number, number - 1, number + 1]);
    const step = Number(getOwn(raw, "multipleOf") ?? 1);
    const some = Array.from({ length: 8 }, () => randomInt(this.#random, 1000) * step);
    return [...around, ...NUMBERS, ...some, ...texts];
  }

  #texts({ numbers, patterns, texts }: Hints): readonly string[] {
    const made = patterns.flatMap((pattern) => {
      const write = textsOfPattern(pattern);
      const count = write === undefined ? 0 : TEXTS_OF_PATTERN;
      return Array.from({ length: count }, () => write!(this.#random) ?? "");
    });
    const lengths = numbers.flatMap((length) => [length, length + 1, length - 1])
      .filter((length) => Number.isInteger(length) && length > 0 && length <= MAX_LENGTH);
    return [
      ...texts,
      ...made,
      ...lengths.map((length) => "a".repeat(length)),
      ...TEXTS,
      ...texts.map((text) => `${text}a`),
    ];
  }
}

function objectOr(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The keywords of the parts of a schema. */
const PARTS: ReadonlySet<string> = new Set(["properties", "items", "additionalProperties"]);

/** Reports whether two schemas differ, apart from their fields and items. */
function differs(raw: JsonObject, other: JsonObject): boolean {
  const own = (schema: JsonObject) =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => !PARTS.has(keyword)));
  return !jsonEqual(own(raw), own(other));
}

/** Returns numbers of items or keys that a schema allows, near the limits of both schemas. */
function sizesOf({ raw, type }: Structural, hints: Hints): readonly number[] {
  const [min, max] = type === "array"
    ? ["minItems", "maxItems"]
    : ["minProperties", "maxProperties"];
  const least = Number(getOwn(raw, min!) ?? 0);
  const most = Math.min(Number(getOwn(raw, max!) ?? Infinity), Math.max(MAX_ITEMS, least));
  const near = hints.numbers.flatMap((size) => [size, size - 1, size + 1]);
  const sizes = [least, least + 1, least + 1, least + 2, ...near]
    .filter((size) => Number.isInteger(size) && size >= least && size <= most);
  return sizes.length > 0 ? sizes : [least];
}

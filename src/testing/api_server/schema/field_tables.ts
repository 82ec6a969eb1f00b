import {
  ANY,
  type Field,
  type ListKey,
  type Presence,
  type StructType,
  type Type,
} from "../values/mod.ts";

/**
 * The definitions of structs by name. A definition lists fields, separated by semicolons.
 *
 * A field consists of its name, its type and options, separated by spaces. `@atomic` in place of a field makes the
 * struct atomic.
 *
 * A type is a scalar, the name of a struct, `struct|bool`, `any`, `[]T` (a list) or `{}T` (a map). A suffix says when
 * the field is encoded:
 *
 * - No suffix: if the field is not empty.
 * - `?`: if the field was given.
 * - `!`: always, with the zero value if the field was not given.
 * - `!?`: always, with null if the field was not given.
 *
 * The options are:
 *
 * - `map=a,b`: server-side apply merges the list by the keys `a` and `b`. `b:TCP` sets the default of the key `b`.
 * - `set`: the list has no duplicates.
 * - `merge=a`: a strategic merge patch merges the list by the key `a`.
 * - `merge`: a strategic merge patch merges the list of scalars.
 * - `key=a`: short for `map=a merge=a`.
 * - `atomic`: a field manager owns the object as a whole.
 * - `retainKeys`: the field has the patch strategy `retainKeys`.
 */
export type StructTable = Readonly<Record<string, string>>;

/**
 * A struct under construction.
 *
 * It is registered before its fields are complete, because a struct may contain itself.
 */
type OpenStruct = { -readonly [K in keyof StructType]: StructType[K] };

const SCALARS: ReadonlySet<string> = new Set([
  "string",
  "bool",
  "int32",
  "int64",
  "float",
  "quantity",
  "intOrString",
  "time",
  "microTime",
  "bytes",
]);

/** A registry of structs, which resolves each struct of its tables on first use. */
export class Schemas {
  readonly #tables: StructTable;
  readonly #structs = new Map<string, StructType>();

  /**
   * Creates a registry of the structs of `tables`.
   *
   * @throws {RangeError} If two tables define the same name.
   */
  constructor(...tables: StructTable[]) {
    const all: Record<string, string> = {};
    for (const table of tables) {
      for (const name of Object.keys(table)) {
        if (Object.hasOwn(all, name)) throw new RangeError(`Struct "${name}" is defined twice`);
        all[name] = table[name]!;
      }
    }
    this.#tables = all;
  }

  /** The names of all structs. */
  get names(): string[] {
    return Object.keys(this.#tables);
  }

  /**
   * Returns the struct called `name`.
   *
   * @throws {RangeError} If no table defines it.
   */
  struct(name: string): StructType {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.#tables, name)) throw new RangeError(`There is no struct "${name}"`);
    const fields = new Map<string, Field>();
    const struct: OpenStruct = {
      kind: "struct",
      name: name.slice(name.lastIndexOf(".") + 1),
      fields,
      atomic: false,
    };
    this.#structs.set(name, struct);
    for (const text of this.#tables[name]!.split(";")) {
      const words = text.trim().split(/\s+/);
      if (words[0] === "@atomic") struct.atomic = true;
      else if (words[0] !== "") fields.set(words[0]!, this.#field(words));
    }
    return struct;
  }

  #field([name, expression = "", ...options]: string[]): Field {
    const { type, presence } = splitPresence(expression);
    let merge = false;
    let mergeKey: string | undefined;
    let keys: readonly ListKey[] | undefined;
    for (const option of options) {
      const [word, argument = ""] = option.split("=");
      if (word === "merge" || word === "key") {
        merge = true;
        if (argument !== "") mergeKey = argument;
      }
      if (word === "map" || word === "key") keys = argument.split(",").map(listKey);
    }
    return {
      name: name!,
      type: this.#type(type, keys, options.includes("set"), options.includes("atomic")),
      presence,
      merge,
      retainKeys: options.includes("retainKeys"),
      ...(mergeKey === undefined ? {} : { mergeKey }),
    };
  }

  #type(
    text: string,
    keys: readonly ListKey[] | undefined,
    set: boolean,
    atomic: boolean,
  ): Type {
    if (text.startsWith("[]")) {
      const item = this.#type(text.slice(2), undefined, false, false);
      const listType = keys !== undefined ? "map" : set ? "set" : "atomic";
      return { kind: "list", item, listType, keys: (keys ?? []).map((key) => withZero(key, item)) };
    }
    if (text.startsWith("{}")) {
      return { kind: "map", value: this.#type(text.slice(2), undefined, false, false), atomic };
    }
    if (text === "any") return ANY;
    if (SCALARS.has(text)) return { kind: "scalar", name: text } as Type;
    if (text.endsWith("|bool")) return { ...this.struct(text.slice(0, -5)), orBool: true };
    const struct = this.struct(text);
    return atomic ? { ...struct, atomic } : struct;
  }
}

function splitPresence(expression: string): { type: string; presence: Presence } {
  if (expression.endsWith("!?")) return { type: expression.slice(0, -2), presence: "nullable" };
  if (expression.endsWith("!")) return { type: expression.slice(0, -1), presence: "always" };
  if (expression.endsWith("?")) return { type: expression.slice(0, -1), presence: "given" };
  return { type: expression, presence: "set" };
}

/** Adds the default to a string key that is always encoded: an item that does not set the key has an empty string. */
function withZero(key: ListKey, item: Type): ListKey {
  if (key.default !== undefined || item.kind !== "struct") return key;
  const field = item.fields.get(key.name);
  const text = field?.presence === "always" && field.type.kind === "scalar" &&
    field.type.name === "string";
  return text ? { name: key.name, default: "" } : key;
}

function listKey(text: string): ListKey {
  const [name, standIn] = text.split(":");
  return standIn === undefined ? { name: name! } : { name: name!, default: standIn };
}

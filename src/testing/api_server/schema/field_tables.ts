import {
  ANY,
  type Field,
  type ListKey,
  type Presence,
  type StructType,
  type Type,
} from "../values/mod.ts";

/**
 * Structs by name. Each is one line of fields, separated by semicolons: the name, the type, then options.
 *
 * Types: a scalar, the name of a struct, `struct|bool`, `any`, `[]T` a list, `{}T` a map. A type may end in `?` (written when it was
 * given), `!` (always written, as its zero value where it was not given) or `!?` (always written, as null).
 * Options: `map=a,b` a list merged by these keys (`b:TCP` names b's default), `set` a list without duplicates,
 * `merge=a` a list that a strategic merge patch merges by this key, `merge` one of plain values, `key=a` short for
 * `map=a merge=a`, `atomic` owned as a whole, `retainKeys`. `@atomic` in place of a field makes the struct atomic.
 */
export type StructTable = Readonly<Record<string, string>>;

/** A struct that is still being filled: a struct may contain itself. */
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

/** Resolves the structs of some tables, each when it is first asked for. */
export class Schemas {
  readonly #tables: StructTable;
  readonly #structs = new Map<string, StructType>();

  /** The structs of `tables`; no two may define the same name. */
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

  /** The struct called `name`. */
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

/** A key that is always written is empty where an item does not say it. */
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

import type {
  AnyType,
  Field,
  Json,
  ListKey,
  Presence,
  StructChanges,
  StructTable,
  StructType,
  Type,
} from "../../values/mod.ts";

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

/** `kind` and `apiVersion` of an object. */
const TYPE_META: readonly Field[] = ["kind", "apiVersion"].map((name) => ({
  name,
  type: { kind: "scalar", name: "string" },
  presence: "set",
  required: false,
  merge: false,
  retainKeys: false,
}));

/** The type of a raw value, which has no fields for the server. */
const WHOLE: AnyType = { kind: "any", atomic: true };

/** A registry of structs, which resolves each struct of its tables on first use. */
export class StructRegistry {
  readonly #tables: ReadonlyMap<string, string>;
  readonly #structs = new Map<string, StructType>();

  /** Creates a registry of the structs of `tables`, with `changes`. */
  constructor(tables: readonly StructTable[], changes: StructChanges = {}) {
    const all = new Map(tables.flatMap((table) => Object.entries(table)));
    for (const [name, definition] of Object.entries(changes)) {
      if (definition === null) all.delete(name);
      else all.set(name, definition);
    }
    this.#tables = all;
  }

  /** The names of all structs. */
  get names(): string[] {
    return [...this.#tables.keys()].filter((name) => !isEnum(this.#tables.get(name)!));
  }

  /** Reports whether there is a struct called `name`. */
  has(name: string): boolean {
    return this.#tables.has(name);
  }

  /**
   * Returns the struct called `name`.
   *
   * @throws {RangeError} If no table defines it.
   */
  struct(name: string): StructType {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    const fields = new Map<string, Field>();
    const struct: OpenStruct = {
      kind: "struct",
      name: name.slice(name.lastIndexOf(".") + 1),
      id: name,
      fields,
      atomic: false,
    };
    this.#structs.set(name, struct);
    let numbers: readonly number[] = [0];
    for (const text of this.#definition(name).split(";")) {
      const words = text.trim().split(" ");
      if (words[0] === "@atomic") struct.atomic = true;
      else if (words[0] === "@object") {
        for (const field of TYPE_META) fields.set(field.name, field);
      } else if (words[0] !== "") {
        const number = words.find((word) => word.startsWith("#"));
        numbers = number === undefined
          ? following(numbers)
          : number.slice(1).split(".").map(Number);
        const field = this.#field(words);
        fields.set(field.name, { ...field, numbers });
      }
    }
    return struct;
  }

  #definition(name: string): string {
    const definition = this.#tables.get(name);
    if (definition === undefined) throw new RangeError(`There is no struct "${name}"`);
    return definition.trim().replace(/\s+/g, " ");
  }

  #field([name, expression = "", ...options]: string[]): Field {
    const required = expression.endsWith("*");
    const { type, presence } = splitPresence(required ? expression.slice(0, -1) : expression);
    let merge = false;
    let mergeKey: string | undefined;
    let keys: readonly string[] | undefined;
    let byDefault: Json | undefined;
    let goType: string | undefined;
    let embedded: string | undefined;
    for (const option of options) {
      const [word, argument = ""] = option.split("=");
      if (word === "merge" || word === "key") {
        merge = true;
        if (argument !== "") mergeKey = argument;
      }
      if (word === "map" || word === "key") keys = argument.split(",");
      if (word === "go") goType = argument;
      if (word === "in") embedded = argument;
      if (word === "default") byDefault = JSON.parse(argument);
    }
    return {
      name: name!,
      type: granular(this.#type(type, keys, options), options),
      ...mapTypeOf(type, options),
      presence,
      required,
      merge,
      retainKeys: options.includes("retainKeys"),
      ...(options.includes("replace") ? { replace: true } : {}),
      ...(mergeKey === undefined ? {} : { mergeKey }),
      ...(goType === undefined ? {} : { goType }),
      ...(embedded === undefined ? {} : { embedded }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
    };
  }

  #type(
    text: string,
    keys: readonly string[] | undefined,
    options: readonly string[],
  ): Type {
    const [set, atomic] = [options.includes("set"), options.includes("atomic")];
    if (text.startsWith("[]")) {
      const item = this.#type(text.slice(2), undefined, []);
      const listType = keys !== undefined ? "map" : set ? "set" : "atomic";
      return {
        kind: "list",
        item,
        listType,
        declared: atomic || listType !== "atomic",
        keys: (keys ?? []).map((key) => listKey(key, item)),
      };
    }
    if (text.startsWith("{}")) {
      return { kind: "map", value: this.#type(text.slice(2), undefined, []), atomic };
    }
    if (text === "any") return WHOLE;
    if (SCALARS.has(text)) return { kind: "scalar", name: text } as Type;
    if (text.endsWith("|bool")) return { ...this.struct(text.slice(0, -5)), orBool: true };
    if (text.endsWith("|list")) return { ...this.struct(text.slice(0, -5)), orList: true };
    const definition = this.#definition(text);
    if (isEnum(definition)) {
      const values = definition.slice("enum".length).split("|").map((value) => value.trim());
      return {
        kind: "scalar",
        name: "string",
        enum: values.map((value) => value === '""' ? "" : value),
      };
    }
    const struct = this.struct(text);
    return atomic ? { ...struct, atomic } : struct;
  }
}

function mapTypeOf(type: string, options: readonly string[]): Pick<Field, "mapType"> {
  if (type.startsWith("[]")) return {};
  if (options.includes("granular")) return { mapType: "granular" };
  return options.includes("atomic") ? { mapType: "atomic" } : {};
}

function granular(type: Type, options: readonly string[]): Type {
  return type.kind === "struct" && options.includes("granular") ? { ...type, atomic: false } : type;
}

function isEnum(definition: string): boolean {
  return definition.trimStart().startsWith("enum ");
}

/** Returns the number of the next field: 3 after 2, and 1.3 after 1.2. */
function following(numbers: readonly number[]): number[] {
  return numbers.with(-1, numbers.at(-1)! + 1);
}

function splitPresence(expression: string): { type: string; presence: Presence } {
  if (expression.endsWith("!?")) return { type: expression.slice(0, -2), presence: "nullable" };
  if (expression.endsWith("!")) return { type: expression.slice(0, -1), presence: "always" };
  if (expression.endsWith("?")) return { type: expression.slice(0, -1), presence: "given" };
  return { type: expression, presence: "set" };
}

/**
 * Returns a key of a list, with the value that the key has if an item does not set it: its default, or the empty string
 * for a string that is always encoded.
 */
function listKey(name: string, item: Type): ListKey {
  const field = item.kind === "struct" ? item.fields.get(name) : undefined;
  if (field?.default !== undefined) return { name, default: field.default as string };
  const text = field?.presence === "always" && field.type.kind === "scalar" &&
    field.type.name === "string";
  return text ? { name, default: "" } : { name };
}

/**
 * The tables of messages: which field of JSON the number of a protobuf field means, and how its value is encoded.
 *
 * A table is a text with a line for each message: its name, `+` before it if it is a kind, and its fields, as in
 *
 *     +Event metadata:meta.ObjectMeta!,involvedObject:ObjectReference!,reason:s,7lastTimestamp:t!
 *
 * A number before a field is its number, if that is not the one after the previous field. The type of a field is a
 * letter ({@linkcode LETTERS}) or the name of a message, of another table if it has a dot. Before it, `[` is a list, `{`
 * a map, and `|`, `&` and `^` are a message or a boolean, a list of messages, or a list of strings. A list that is the
 * value of a map is a message of its own. After it, `!` means that JSON always has the field, `?` that it has the field
 * if it is given, `~` that the field is null if it is not given; without a sign, JSON has the field if it is not empty.
 * Fields in parentheses are in a message that is inlined in JSON.
 *
 * @module
 */

/** The encodings of values. */
export const OP = {
  TEXT: 0,
  BOOL: 1,
  INT32: 2,
  INT64: 3,
  DOUBLE: 4,
  BYTES: 5,
  QUANTITY: 6,
  INT_OR_STRING: 7,
  TIME: 8,
  MICRO_TIME: 9,
  RAW: 10,
  MESSAGE: 11,
  /** A message with the fields of several alternatives: `list`, `schema` and `allows`. */
  UNION: 12,
  UNION_OR_BOOL: 13,
  /** A message whose fields are inlined. */
  INLINE: 14,
} as const;

/** Added to the encoding of the values of a list or map. */
export const LIST = 16;
export const MAP = 32;

const LETTERS: Readonly<Record<string, number>> = {
  s: OP.TEXT,
  b: OP.BOOL,
  i: OP.INT32,
  l: OP.INT64,
  f: OP.DOUBLE,
  y: OP.BYTES,
  q: OP.QUANTITY,
  o: OP.INT_OR_STRING,
  t: OP.TIME,
  u: OP.MICRO_TIME,
  r: OP.RAW,
};

/** Finds a message by its name, in which the table stands before the last dot unless it is the table of the message. */
export type FindMessage = (name: string) => Message;

/** A field of a message. */
export interface Field {
  readonly number: number;
  /** The name in JSON. */
  readonly name: string;
  /** The encoding; with {@linkcode LIST} or {@linkcode MAP}, that of the values. */
  readonly code: number;
  /** Reports whether JSON omits the field if it is empty. */
  readonly omitsEmpty: boolean;
  /** The message of the value, of the values, or of the inlined fields. */
  readonly message: Message | undefined;
  /** The only keys of a map whose values are decoded. Default: all. */
  readonly keys?: ReadonlySet<string> | undefined;
}

/** The type of an object. */
export interface ObjectType {
  /** The kind. */
  kind: string;
  /** The API version. */
  apiVersion: string;
}

/**
 * The types that a server gives the objects in a field, as apps/v1 in kube-apiserver does
 * (`Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec`). No other field of a kind has whole objects.
 */
const TYPED_FIELDS: Readonly<Record<string, ObjectType>> = {
  volumeClaimTemplates: { kind: "PersistentVolumeClaim", apiVersion: "v1" },
};

/** Creates objects whose prototype is that of all objects. */
type Create = new () => Record<string, unknown>;

/** A message of a table. Its fields are read from the text at the first use. */
export class Message {
  /** The fields by their numbers; undefined until the first use. */
  fields: readonly (Field | undefined)[] | undefined;
  /** The names of the fields that are null in JSON if they are absent. */
  nulls: readonly string[] = [];
  /**
   * Creates an object for the message. A constructor of its own gives the objects of each message the room that their
   * fields need, and the engine fewer shapes to choose from.
   */
  readonly Create: Create;
  readonly #text: string;
  readonly #find: FindMessage;
  readonly #type: ObjectType | undefined;

  /** @param type The type that the server gives the objects in JSON. Protobuf does not have it. */
  constructor(text: string, find: FindMessage, type?: ObjectType) {
    this.#text = text;
    this.#find = find;
    this.#type = type;
    const create = type === undefined ? function () {} : function (this: ObjectType) {
      this.kind = type.kind;
      this.apiVersion = type.apiVersion;
    };
    create.prototype = Object.prototype;
    this.Create = create as unknown as Create;
  }

  /** Reads the fields. */
  resolve(): readonly (Field | undefined)[] {
    const fields: (Field | undefined)[] = [];
    const nulls: string[] = [];
    let number = 0;
    for (const text of splitFields(this.#text)) {
      const digits = /^\d*/.exec(text)?.[0] ?? "";
      number = digits === "" ? number + 1 : Number(digits);
      const field = this.#field(number, text.slice(digits.length));
      fields[number] = field;
      if (isNullIfAbsent(field, text)) nulls.push(field.name);
    }
    // Without holes, which engines read more slowly.
    this.fields = Array.from(fields);
    this.nulls = nulls;
    return this.fields;
  }

  /**
   * Returns a message that has only the fields on one of the paths in JSON. The index of a list counts as a name, and all
   * items of the list are kept.
   */
  only(paths: readonly (readonly string[])[]): Message {
    if (paths.some((path) => path.length === 0)) return this;
    const fields = this.fields ?? this.resolve();
    const message = new Message("", this.#find, this.#type);
    message.fields = fields.map((field) => {
      if (field === undefined) return undefined;
      if (field.code === OP.INLINE) return withMessage(field, paths);
      const below = paths.filter(([name]) => name === field.name).map(([, ...names]) => names);
      return below.length === 0 ? undefined : onlyOf(field, below);
    });
    message.nulls = this.nulls.filter((one) => paths.some(([name]) => name === one));
    return message;
  }

  #field(number: number, text: string): Field {
    if (text.startsWith("(")) {
      const message = new Message(text.slice(1, -1), this.#find);
      return { number, name: "", code: OP.INLINE, omitsEmpty: false, message };
    }
    const colon = text.indexOf(":");
    const name = text.slice(0, colon);
    const type = text.slice(colon + 1).replace(/[!?~]$/, "");
    const omitsEmpty = colon + 1 + type.length === text.length;
    const container = type.startsWith("[") ? LIST : type.startsWith("{") ? MAP : 0;
    const { op, message: plain } = this.#typeOf(container === 0 ? type : type.slice(1));
    const typed = TYPED_FIELDS[name];
    const message = typed === undefined || plain === undefined ? plain : plain.#typed(typed);
    return { number, name, code: container + op, omitsEmpty, message };
  }

  #typed(type: ObjectType): Message {
    return new Message(this.#text, this.#find, type);
  }

  #typeOf(type: string): { op: number; message: Message | undefined } {
    const op = LETTERS[type];
    if (op !== undefined) return { op, message: undefined };
    const union = (fields: string) => new Message(fields, this.#find);
    switch (type[0]) {
      case "[":
        return { op: OP.UNION, message: union(`list:${type}`) };
      case "|":
        return { op: OP.UNION_OR_BOOL, message: union(`allows:b,schema:${type.slice(1)}?`) };
      case "&":
        return { op: OP.UNION, message: union(`schema:${type.slice(1)}?,list:[${type.slice(1)}`) };
      case "^":
        return { op: OP.UNION, message: union(`schema:${type.slice(1)}?,list:[s`) };
      default:
        return { op: OP.MESSAGE, message: this.#find(type) };
    }
  }
}

/** Returns a field with only what is on one of the paths in its value. */
function onlyOf(field: Field, paths: readonly (readonly string[])[]): Field {
  const { code } = field;
  if (paths.some((path) => path.length === 0)) return field;
  if (code >= MAP) {
    return { ...field, keys: new Set(paths.map(([key = ""]) => key)) };
  }
  if (code === OP.MESSAGE) return withMessage(field, paths);
  if (code === LIST + OP.MESSAGE) {
    return withMessage(field, paths.map(([, ...names]) => names));
  }
  return field;
}

function withMessage(field: Field, paths: readonly (readonly string[])[]): Field {
  return { ...field, message: field.message?.only(paths) };
}

/** Divides the fields at their commas. Fields in parentheses stay together. */
function splitFields(text: string): string[] {
  return text === "" ? [] : text.match(/\d*\((?:[^()]|\([^()]*\))*\)|[^,()]+/g) ?? [];
}

/** Reports whether JSON has null for a field that is absent: a pointer, or a list, map or raw value that it always has. */
function isNullIfAbsent({ code }: Field, text: string): boolean {
  if (text.endsWith("~")) return true;
  return text.endsWith("!") && (code >= LIST || code === OP.BYTES || code === OP.RAW);
}

/** Returns the messages of a table. */
export function messagesOf(text: string, find: FindMessage): {
  /** All messages, by name. */
  readonly messages: ReadonlyMap<string, Message>;
  /** The names of the messages that are kinds. */
  readonly kinds: ReadonlySet<string>;
} {
  const messages = new Map<string, Message>();
  const kinds = new Set<string>();
  for (const line of text.trim().split("\n")) {
    const space = line.indexOf(" ");
    const name = line.slice(line.startsWith("+") ? 1 : 0, space);
    if (line.startsWith("+")) kinds.add(name);
    messages.set(name, new Message(line.slice(space + 1), find));
  }
  return { messages, kinds };
}

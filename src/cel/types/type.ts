/** The kind of a type. */
export type TypeKind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "param"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "uint";

/** A type of expressions. */
export interface CelType {
  readonly kind: TypeKind;
  /** The name, as `type()` returns it. */
  readonly name: string;
  /** The types of the items, or of keys and values. */
  readonly params: readonly CelType[];
  /** The fields of an object; undefined for other types. */
  readonly fields?: Pick<ReadonlyMap<string, CelType>, "get">;
}

const simple = (kind: TypeKind, name: string = kind): CelType => ({ kind, name, params: [] });

export const BOOL: CelType = simple("bool");
export const BYTES: CelType = simple("bytes");
export const DOUBLE: CelType = simple("double");
export const DURATION: CelType = simple("duration", "google.protobuf.Duration");
export const DYN: CelType = simple("dyn");
export const ERROR: CelType = simple("error", "*error*");
export const INT: CelType = simple("int");
export const NULL: CelType = simple("null", "null_type");
export const STRING: CelType = simple("string");
export const TIMESTAMP: CelType = simple("timestamp", "google.protobuf.Timestamp");
export const TYPE: CelType = simple("type");
export const UINT: CelType = simple("uint");

/** Types of Kubernetes' libraries. */
export const URL_TYPE: CelType = simple("struct", "kubernetes.URL");
export const QUANTITY: CelType = simple("struct", "kubernetes.Quantity");
export const SEMVER: CelType = simple("struct", "kubernetes.Semver");
export const FORMAT: CelType = simple("struct", "kubernetes.NamedFormat");
export const IP: CelType = simple("opaque", "net.IP");
export const CIDR: CelType = simple("opaque", "net.CIDR");
export const AUTHORIZER: CelType = simple("struct", "kubernetes.authorization.Authorizer");
export const PATH_CHECK: CelType = simple("struct", "kubernetes.authorization.PathCheck");
export const GROUP_CHECK: CelType = simple("struct", "kubernetes.authorization.GroupCheck");
export const RESOURCE_CHECK: CelType = simple("struct", "kubernetes.authorization.ResourceCheck");
export const DECISION: CelType = simple("struct", "kubernetes.authorization.Decision");

/** The type of the fields that a JSON patch does not have: no value has it. */
const NO_TYPE = simple("opaque", "");

const PATCH_FIELDS = new Map([["op", STRING], ["path", STRING], ["from", STRING], ["value", DYN]]);

/** The operation of a JSON patch. */
const JSON_PATCH: CelType = {
  ...simple("struct", "JSONPatch"),
  fields: { get: (name) => PATCH_FIELDS.get(name) ?? NO_TYPE },
};

/** The names of the types of a patched object and of its parts: `Object.spec` is the type of the field `spec`. */
const OBJECT_NAME = /^Object(\.|$)/;

/** Returns the type of messages that an expression may create to make a patch; undefined if there is none of that name. */
export function patchType(name: string): CelType | undefined {
  if (name === JSON_PATCH.name) return JSON_PATCH;
  // Such an object has all fields. Their names are compared with the type when the patch is made.
  return OBJECT_NAME.test(name)
    ? { ...simple("struct", name), fields: { get: () => DYN } }
    : undefined;
}

/** Returns the type of a list. */
export function listOf(item: CelType): CelType {
  return { kind: "list", name: "list", params: [item] };
}

/** Returns the type of a map. */
export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", name: "map", params: [key, value] };
}

/** Returns the type of an optional value. */
export function optionalOf(value: CelType): CelType {
  return { kind: "opaque", name: "optional_type", params: [value] };
}

/** Returns the type of a type. */
export function typeOf(param: CelType): CelType {
  return { kind: "type", name: "type", params: [param] };
}

/** Returns a type parameter, which has the same type everywhere in a signature. */
export function typeParam(name: string): CelType {
  return simple("param", name);
}

/** Returns the type of objects with fields. */
export function structOf(name: string, fields: ReadonlyMap<string, CelType>): CelType {
  return { kind: "struct", name, params: [], fields };
}

/** Reports whether a type is that of optional values. */
export function isOptionalType({ kind, name }: CelType): boolean {
  return kind === "opaque" && name === "optional_type";
}

/** Returns the type of what an optional value holds, and whether the type is one. */
export function unwrapOptional(type: CelType): readonly [CelType, boolean] {
  return isOptionalType(type) ? [type.params[0]!, true] : [type, false];
}

const SHOWN: Readonly<Partial<Record<TypeKind, string>>> = {
  duration: "duration",
  error: "!error!",
  null: "null",
  timestamp: "timestamp",
};

/** Formats a type as error messages do. */
export function showType(type: CelType): string {
  const shown = SHOWN[type.kind];
  if (shown !== undefined) return shown;
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(showType).join(", ")})`;
}

/** Reports whether two types are the same. */
export function sameType(a: CelType, b: CelType): boolean {
  return a === b || (a.kind === b.kind && a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, index) => sameType(param, b.params[index]!)));
}

const NAMES: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  null: NULL,
  string: STRING,
  timestamp: TIMESTAMP,
  uint: UINT,
  URL: URL_TYPE,
  Quantity: QUANTITY,
  Semver: SEMVER,
  Format: FORMAT,
  IP,
  CIDR,
  Authorizer: AUTHORIZER,
  PathCheck: PATH_CHECK,
  GroupCheck: GROUP_CHECK,
  ResourceCheck: RESOURCE_CHECK,
  Decision: DECISION,
};

/** Parses the short form in which this room declares its functions, such as `map(K, list(string))`. */
export function parseType(text: string): CelType {
  const open = text.indexOf("(");
  if (open < 0) return NAMES[text] ?? patchType(text) ?? typeParam(text);
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  const [first, second] = params as [CelType, CelType];
  switch (text.slice(0, open)) {
    case "list":
      return listOf(first);
    case "map":
      return mapOf(first, second);
    case "optional":
      return optionalOf(first);
    default:
      return typeOf(first);
  }
}

/** Splits a list of types at the commas that are in no parentheses. */
export function splitTypes(text: string): string[] {
  const result: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const char = text[index];
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === undefined || (char === "," && depth === 0)) {
      const part = text.slice(start, index).trim();
      if (part !== "") result.push(part);
      start = index + 1;
    }
  }
  return result;
}

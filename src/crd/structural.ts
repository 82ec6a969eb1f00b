import { showJson } from "../base/mod.ts";
import { cannotExpress } from "./cannot_express.ts";
import { checkExtension } from "./extensions.ts";
import { isObject, type Json, type JsonObject, typeOf } from "./json.ts";
import { CODE_CHECK, UNSUPPORTED } from "./markers.ts";
import { mergeNodes } from "./merge.ts";
import { patternTrouble } from "./patterns.ts";
import { CLOSED, splitNode, type UnionKind, unionOf, withoutSafeBounds } from "./union.ts";

/** Maximum depth of a schema after its references are resolved. */
const MAX_DEPTH = 100;

/** Maximum number of subschemas after the references are resolved. Each use of a definition is a copy. */
const MAX_NODES = 20_000;

/** Keywords that do not restrict values and do not exist in a CustomResourceDefinition. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$anchor",
  "$comment",
  "$defs",
  "$id",
  "$schema",
  "contentEncoding",
  "contentMediaType",
  "definitions",
  "deprecated",
  "id",
  "readOnly",
  "writeOnly",
]);

/** Copied keywords, with a check of the value. */
const COPIED: Readonly<Record<string, (value: Json) => boolean>> = {
  default: () => true,
  description: (value) => typeof value === "string",
  example: () => true,
  externalDocs: isObject,
  maximum: isNumber,
  maxItems: isCount,
  maxLength: isCount,
  maxProperties: isCount,
  minimum: isNumber,
  minItems: isCount,
  minLength: isCount,
  minProperties: isCount,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  nullable: (value) => typeof value === "boolean",
  title: (value) => typeof value === "string",
};

function isNumber(value: Json): boolean {
  return typeof value === "number";
}

function isCount(value: Json): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Converts a JSON Schema into the keywords of a structural schema, without the checks of {@linkcode finishSchema}: the type
 * of a subschema may still be missing, because another part of an `allOf` or `anyOf` has it.
 *
 * @param root The JSON Schema.
 * @param path The path of the schema, for errors.
 */
export function toStructural(root: JsonObject, path: string): JsonObject {
  return new Conversion(root).convert(root, path);
}

class Conversion {
  readonly #root: JsonObject;
  /** The targets of the references that are being resolved. A repeated target is a recursion. */
  readonly #open = new Set<Json>();
  #depth = 0;
  #nodes = 0;

  constructor(root: JsonObject) {
    this.#root = root;
    this.#open.add(root);
  }

  convert(raw: Json | undefined, path: string): JsonObject {
    if (raw === true) return {};
    if (raw === false) throw cannotExpress(path, "a schema that allows nothing", "leave it out");
    if (!isObject(raw)) {
      throw new TypeError(`${path}: a schema is an object, but this is ${showJson(raw)}`);
    }
    if (++this.#nodes > MAX_NODES || this.#depth > MAX_DEPTH) {
      const limit = this.#depth > MAX_DEPTH
        ? `nested deeper than ${MAX_DEPTH} levels`
        : `larger than ${MAX_NODES} parts when its $refs are resolved`;
      throw new TypeError(`${path}: cannot convert the schema: it is ${limit}`);
    }
    this.#depth++;
    const node = this.#combine(raw, path);
    this.#depth--;
    return node;
  }

  /** Converts the keywords of one schema, and merges its references and alternatives into it. */
  #combine(raw: JsonObject, path: string): JsonObject {
    refuseMarked(raw, path);
    let node = this.#keywords(raw, path);
    if (raw["$ref"] !== undefined) node = mergeNodes(node, this.#resolve(raw["$ref"], path), path);
    for (const [index, part] of members(raw, "allOf", path).entries()) {
      node = mergeNodes(node, this.convert(part, `${path}.allOf[${index}]`), path);
    }
    for (const kind of ["anyOf", "oneOf"] satisfies UnionKind[]) {
      const given = members(raw, kind, path);
      if (given.length === 0) continue;
      const parts = given.map((part, index) => this.convert(part, `${path}.${kind}[${index}]`));
      node = unionOf(node, kind, parts, path);
    }
    if (raw["not"] !== undefined) node = mergeNodes(node, this.#not(raw["not"], node, path), path);
    return node;
  }

  #resolve(ref: Json, path: string): JsonObject {
    const target = typeof ref === "string" ? this.#find(ref) : undefined;
    if (target === undefined) {
      throw cannotExpress(path, `the $ref ${showJson(ref)}`, "it refers to nothing in here");
    }
    if (this.#open.has(target)) {
      throw cannotExpress(
        path,
        "a recursive schema",
        `the $ref ${showJson(ref)} leads back to itself: use x-kubernetes-preserve-unknown-fields`,
      );
    }
    this.#open.add(target);
    const node = this.convert(target, path);
    this.#open.delete(target);
    return node;
  }

  /** Returns the target of a reference within the schema; undefined if it does not exist. */
  #find(ref: string): Json | undefined {
    if (ref !== "#" && !ref.startsWith("#/")) return undefined;
    let here: Json | undefined = this.#root;
    for (const part of ref.split("/").slice(1)) {
      const name = unescape(part);
      if (isObject(here)) here = Object.hasOwn(here, name) ? here[name] : undefined;
      else if (Array.isArray(here)) here = here[Number(name)];
      else return undefined;
    }
    return here;
  }

  #not(raw: Json, node: JsonObject, path: string): JsonObject {
    const [structure, validation] = splitNode(this.convert(raw, `${path}.not`));
    const typed = isObject(raw) && raw["type"] !== undefined;
    if (Object.keys(validation).length === 0 || (typed && structure["type"] !== node["type"])) {
      throw cannotExpress(path, '"not"', "it allows no types within: write a CEL rule");
    }
    return { not: validation };
  }

  #keywords(raw: JsonObject, path: string): JsonObject {
    const node: JsonObject = {};
    for (const [keyword, value] of Object.entries(raw)) this.#keyword(node, keyword, value, path);
    setType(node, raw, path);
    setBounds(node, raw, path);
    return withoutSafeBounds(node);
  }

  #keyword(node: JsonObject, keyword: string, value: Json, path: string): void {
    if (ANNOTATIONS.has(keyword) || COMBINED.has(keyword)) return;
    const copied = Object.hasOwn(COPIED, keyword) ? COPIED[keyword] : undefined;
    if (copied !== undefined) {
      if (!copied(value)) throw wrongValue(path, keyword, value);
      if (keyword !== "nullable" || value === true) node[keyword] = value;
    } else if (keyword.startsWith("x-kubernetes-")) {
      checkExtension(keyword, value, path);
      // The server drops an empty list.
      if (!Array.isArray(value) || value.length > 0) node[keyword] = value;
    } else if (Object.hasOwn(this.#special, keyword)) {
      this.#special[keyword]!(node, value, path);
    } else {
      throw cannotExpress(
        path,
        `the keyword "${keyword}"`,
        "a CustomResourceDefinition has no word for it",
      );
    }
  }

  readonly #special: Readonly<
    Record<string, (node: JsonObject, value: Json, path: string) => void>
  > = {
    additionalProperties: (node, value, path) => this.#additional(node, value, path),
    enum: (node, value, path) => {
      if (!Array.isArray(value) || value.length === 0) throw wrongValue(path, "enum", value);
      setEnum(node, value);
    },
    const: (node, value) => setEnum(node, [value]),
    examples: (node, value) => {
      if (Array.isArray(value) && value[0] !== undefined) node["example"] = value[0];
    },
    format: (node, value, path) => {
      if (typeof value !== "string") throw wrongValue(path, "format", value);
      node["format"] = value;
    },
    items: (node, value, path) => {
      if (Array.isArray(value)) throw TUPLE(path);
      node["items"] = this.convert(value, `${path}[*]`);
    },
    pattern: (node, value, path) => {
      if (typeof value !== "string") throw wrongValue(path, "pattern", value);
      const trouble = patternTrouble(value);
      if (trouble !== undefined) {
        const remedy = "the server matches with RE2: write another pattern, or a CEL rule";
        throw cannotExpress(
          path,
          `the pattern ${showJson(value)}, which ${trouble},`,
          remedy,
        );
      }
      node["pattern"] = value;
    },
    patternProperties: (node, value, path) => {
      const patterns = isObject(value) ? Object.keys(value) : [];
      const [pattern = ""] = patterns;
      if (!isObject(value) || patterns.length !== 1 || !ANY_NAME.has(pattern)) {
        const remedy = "the names of fields cannot be restricted by patterns: write a CEL rule";
        throw cannotExpress(path, '"patternProperties"', remedy);
      }
      this.#additional(node, value[pattern]!, path);
    },
    prefixItems: (_node, _value, path) => {
      throw TUPLE(path);
    },
    properties: (node, value, path) => {
      if (!isObject(value)) throw wrongValue(path, "properties", value);
      node["properties"] = Object.fromEntries(
        Object.keys(value).sort().map((
          name,
        ) => [name, this.convert(value[name], `${path}.${name}`)]),
      );
    },
    propertyNames: (_node, value, path) => {
      if (isObject(value) && Object.keys(value).every((key) => key === "type")) return;
      const remedy =
        "the names of fields cannot be restricted: list them as fields, or write a CEL rule";
      throw cannotExpress(path, '"propertyNames"', remedy);
    },
    required: (node, value, path) => {
      if (!Array.isArray(value) || !value.every((name) => typeof name === "string")) {
        throw wrongValue(path, "required", value);
      }
      if (value.length > 0) node["required"] = [...new Set(value)].sort();
    },
    unevaluatedProperties: (_node, value, path) => {
      if (value !== false) {
        throw cannotExpress(path, '"unevaluatedProperties"', "use additionalProperties");
      }
    },
    uniqueItems: (node, value, path) => {
      if (typeof value !== "boolean") throw wrongValue(path, "uniqueItems", value);
      if (value) node["x-kubernetes-list-type"] = "set";
    },
  };

  #additional(node: JsonObject, value: Json, path: string): void {
    if (value === false) {
      node[CLOSED] = true;
      return;
    }
    const fields = this.convert(value, `${path}[*]`);
    if (Object.keys(fields).length === 0) node["x-kubernetes-preserve-unknown-fields"] = true;
    else node["additionalProperties"] = fields;
  }
}

/** The patterns of TypeBox for a field with any name. */
const ANY_NAME: ReadonlySet<string> = new Set(["^(.*)$", "^.*$", ".*", ""]);

/** Keywords that other methods convert. */
const COMBINED: ReadonlySet<string> = new Set([
  "$ref",
  "allOf",
  "anyOf",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "not",
  "oneOf",
  "type",
  CODE_CHECK,
]);

const TUPLE = (path: string) =>
  cannotExpress(path, "a tuple", "all items of an array have one schema: use an object");

function refuseMarked(raw: JsonObject, path: string): void {
  const unsupported = raw[UNSUPPORTED] ??
    (isObject(raw["default"]) ? raw["default"][UNSUPPORTED] : undefined);
  if (unsupported !== undefined) {
    const [what = "", remedy = "API servers store and check only JSON"] = String(unsupported)
      .split("; ");
    throw cannotExpress(path, what, remedy);
  }
  const rules = raw["x-kubernetes-validations"];
  if (raw[CODE_CHECK] !== undefined && !(Array.isArray(rules) && rules.length > 0)) {
    throw cannotExpress(
      path,
      String(raw[CODE_CHECK]),
      'the server cannot run code: say the same in a CEL rule, in the metadata "x-kubernetes-validations" beside it',
    );
  }
}

function members(raw: JsonObject, keyword: string, path: string): Json[] {
  const value = raw[keyword];
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) throw wrongValue(path, keyword, value);
  return value;
}

function wrongValue(path: string, keyword: string, value: Json): TypeError {
  return new TypeError(`${path}: "${keyword}" has an invalid value: ${showJson(value)}`);
}

function unescape(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // The name is not percent-encoded.
  }
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

function setEnum(node: JsonObject, values: Json[]): void {
  if (values.includes(null)) node["nullable"] = true;
  const others = values.filter((value) => value !== null);
  if (others.length > 0) node["enum"] = others;
  else node["type"] = "null";
}

function setType(node: JsonObject, raw: JsonObject, path: string): void {
  const { type } = raw;
  if (type === undefined) {
    const types = new Set((node["enum"] as Json[] | undefined ?? []).map(typeOf));
    if (types.size === 2 && types.has("integer") && types.has("number")) types.delete("integer");
    const [only] = types;
    if (types.size === 1 && only !== undefined) node["type"] = only;
    else if (types.size > 1) {
      throw cannotExpress(path, "an enum of several types", "give all values one type");
    }
  } else if (typeof type === "string") node["type"] = type;
  else if (Array.isArray(type)) setTypes(node, type, path);
  else throw wrongValue(path, "type", type);
  const values = node["enum"];
  if (node["type"] === "number" && Array.isArray(values) && values.every(Number.isInteger)) {
    node["type"] = "integer";
  }
}

function setTypes(node: JsonObject, given: Json[], path: string): void {
  if (given.includes("null") && given.length > 1) node["nullable"] = true;
  const types = new Set(given.length > 1 ? given.filter((one) => one !== "null") : given);
  if (types.has("number")) types.delete("integer");
  const [only] = types;
  if (types.size === 1 && typeof only === "string") node["type"] = only;
  else if (types.size === 2 && types.has("integer") && types.has("string")) {
    node["x-kubernetes-int-or-string"] = true;
  } else {
    throw cannotExpress(
      path,
      `the types ${[...types].join(" and ")} together`,
      "a field has one type; only an integer or a string can be together",
    );
  }
}

/** Writes a numeric exclusive bound as a bound and a flag, as in OpenAPI 3.0. */
function setBounds(node: JsonObject, raw: JsonObject, path: string): void {
  for (
    const [bound, exclusive, tighter] of [
      ["minimum", "exclusiveMinimum", (a: number, b: number) => a > b],
      ["maximum", "exclusiveMaximum", (a: number, b: number) => a < b],
    ] as const
  ) {
    const value = raw[exclusive];
    if (value === undefined || value === false) continue;
    const limit = node[bound];
    if (typeof value === "number") {
      if (typeof limit === "number" && tighter(limit, value)) continue;
      node[bound] = value;
    } else if (value !== true || limit === undefined) throw wrongValue(path, exclusive, value);
    node[exclusive] = true;
  }
}

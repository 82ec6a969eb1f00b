import {
  goFloat,
  goInteger,
  type Json,
  type JsonObject,
  MAX_JSON_DEPTH,
  quote,
  setOwn,
} from "../../values/mod.ts";
import type { MappingNode, YamlNode } from "./node.ts";
import { parseDocument } from "./parser.ts";
import { resolveScalar, type Scalar } from "./resolve.ts";
import { YamlError, yamlProblem } from "./yaml_error.ts";

/** The result of {@linkcode yamlToJson}. */
export interface YamlValue {
  /** The first document. Objects have sorted keys. */
  readonly value: Json;
  /** What strict decoding finds in it, such as `line 2: key "a" already set in map`. */
  readonly strict: readonly string[];
}

/** The maximum length of all texts of a document, in which aliases can repeat a text. */
const MAX_CHARACTERS = 3 * 1024 * 1024;

/**
 * Returns the first document of a YAML text as JSON, as the API server reads it: YAML 1.1 with merge keys, in which `no`
 * is false and `0o17` is 15. Other documents are not read.
 *
 * @throws {YamlError} If it is not YAML, or has no JSON form, or if its aliases stand for too much.
 */
export function yamlToJson(text: string): YamlValue {
  const root = parseDocument(text);
  if (root === undefined) return { value: null, strict: [] };
  const decoder = new Decoder();
  return { value: toJson(decoder.decode(root)), strict: decoder.strict };
}

/** A decoded value: objects still have keys of any type. */
type Decoded = Scalar | Decoded[] | DecodedMap;

/** The members of an object, by the type and the Go syntax of the key. */
type DecodedMap = Map<string, { readonly key: Scalar; readonly value: Decoded }>;

/** Decodes nodes. Every alias becomes a copy of what it stands for. */
class Decoder {
  readonly strict: string[] = [];
  readonly #open = new Set<YamlNode>();
  /** The nodes that were decoded, and how many of them come from aliases. */
  #count = 0;
  #aliased = 0;
  #aliasDepth = 0;
  #depth = 0;
  #characters = 0;

  decode(node: YamlNode): Decoded {
    this.#charge(node);
    if (this.#depth > MAX_JSON_DEPTH) throw yamlProblem("exceeded max depth of 10000");
    this.#depth++;
    const decoded = this.#decodeKind(node);
    this.#depth--;
    return decoded;
  }

  #decodeKind(node: YamlNode): Decoded {
    switch (node.kind) {
      case "scalar":
        return resolveScalar(node);
      case "sequence":
        return node.items.map((item) => this.decode(item));
      case "mapping": {
        const map: DecodedMap = new Map();
        this.#fill(map, node);
        return map;
      }
      case "alias":
        return this.#alias(node, () => this.decode(node.target));
    }
  }

  #alias<T>(node: YamlNode & { kind: "alias" }, decode: () => T): T {
    if (this.#open.has(node)) throw yamlProblem(`anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    this.#aliasDepth++;
    const decoded = decode();
    this.#aliasDepth--;
    this.#open.delete(node);
    return decoded;
  }

  #fill(map: DecodedMap, node: MappingNode): void {
    for (const [keyNode, valueNode] of node.entries) {
      if (isMerge(keyNode)) {
        this.#merge(map, valueNode);
        continue;
      }
      const key = this.decode(keyNode);
      if (Array.isArray(key) || key instanceof Map) {
        throw yamlProblem(`invalid map key: ${goSyntax(key)}`);
      }
      const value = this.decode(valueNode);
      const id = `${typeof key} ${goSyntax(key)}`;
      if (map.has(id)) {
        const shown = key === null ? "<nil>" : goSyntax(key);
        this.strict.push(`line ${valueNode.line}: key ${shown} already set in map`);
      }
      map.set(id, { key, value });
    }
  }

  /** Adds the members of a merge key (`<<`). Of a list, the earlier objects win. */
  #merge(map: DecodedMap, node: YamlNode): void {
    if (node.kind === "sequence") {
      for (const item of node.items.toReversed()) this.#mergeOne(map, item);
    } else this.#mergeOne(map, node);
  }

  #mergeOne(map: DecodedMap, node: YamlNode): void {
    const target = node.kind === "alias" ? node.target : node;
    if (target.kind !== "mapping") {
      throw yamlProblem("map merge requires map or sequence of maps as the value");
    }
    this.#charge(node);
    if (node.kind === "alias") this.#alias(node, () => this.#fill(map, target));
    else this.#fill(map, target);
  }

  /** Counts one node with its text. Go's parser has the same rule for the share of aliases. */
  #charge(node: YamlNode): void {
    this.#count++;
    if (this.#aliasDepth > 0) this.#aliased++;
    if (node.kind === "scalar") this.#characters += node.value.length;
    const excessive = this.#aliased > 100 && this.#count > 1000 &&
      this.#aliased / this.#count > allowedShare(this.#count);
    if (excessive || (this.#aliased > 0 && this.#characters > MAX_CHARACTERS)) {
      throw yamlProblem("document contains excessive aliasing");
    }
  }
}

/** Returns the share of a document of `count` values that may come from aliases: 99 % of a small one, 10 % of a large one. */
function allowedShare(count: number): number {
  const [small, large] = [400_000, 4_000_000];
  const scaled = 0.99 - 0.89 * (count - small) / (large - small);
  return Math.min(0.99, Math.max(0.1, scaled));
}

function isMerge(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value === "<<" &&
    (node.implicit || node.tag === "tag:yaml.org,2002:merge");
}

function toJson(decoded: Decoded): Json {
  if (Array.isArray(decoded)) return decoded.map(toJson);
  if (decoded instanceof Map) return objectOf(decoded);
  if (typeof decoded === "bigint") return goInteger(decoded);
  if (typeof decoded !== "number") return decoded;
  if (!Number.isFinite(decoded)) {
    throw new YamlError(`json: unsupported value: ${goFloat(decoded)}`);
  }
  // The server writes it as JSON without a fraction, and reads that.
  const isWhole = Number.isInteger(decoded) && Math.abs(decoded) < 1e21;
  return isWhole ? goInteger(BigInt(String(decoded))) : decoded;
}

function objectOf(map: DecodedMap): JsonObject {
  const members = [...map.values()].map(({ key, value }) => [keyText(key, value), value] as const);
  const object: JsonObject = {};
  for (const [key, value] of members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    setOwn(object, key, toJson(value));
  }
  return object;
}

/** Returns the text of a key, as the API server writes it in JSON. */
function keyText(key: Scalar, value: Decoded): string {
  if (typeof key === "string") return key;
  if (typeof key === "boolean") return String(key);
  if (typeof key === "number") {
    if (!Number.isFinite(key)) return Number.isNaN(key) ? ".nan" : key > 0 ? ".inf" : "-.inf";
    return goFloat(shortFloat(key));
  }
  if (key !== null && key < 1n << 63n) return String(key);
  const type = key === null ? "%!s(<nil>)" : "uint64";
  const shown = key === null ? "<nil>" : `0x${key.toString(16)}`;
  throw new YamlError(
    `unsupported map key of type: ${type}, key: ${shown}, value: ${
      value === null ? "<nil>" : goSyntax(value)
    }`,
  );
}

/** Returns the number with the fewest digits that is the same in 32 bits. */
function shortFloat(value: number): number {
  const wanted = Math.fround(value);
  for (let digits = 1; digits < 10; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === wanted) return short;
  }
  return value;
}

/** Formats a value as Go's `%#v` does. */
function goSyntax(value: Decoded): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return goFloat(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "bigint") {
    return value < 1n << 63n ? String(value) : `0x${value.toString(16)}`;
  }
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  const members = [...value.values()].map((member) =>
    `${goSyntax(member.key)}:${goSyntax(member.value)}`
  );
  return `map[interface {}]interface {}{${members.join(", ")}}`;
}

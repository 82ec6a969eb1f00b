import { setOwn } from "../base/mod.ts";
import { MAX_DEPTH } from "./max_depth.ts";
import type { MappingNode, ScalarNode, YamlNode } from "./node.ts";
import { CORE_TAGS, floatKey, resolveScalar, type Scalar } from "./resolve_scalar.ts";
import type { Problem } from "./yaml_problem.ts";

/** Returns the value of a node. Each alias becomes a copy of its value. */
export function decodeNode(node: YamlNode, problem: Problem): unknown {
  return new Decoder(problem).decodeDocument(node);
}

/** A mapping that is being filled. */
type Members = Record<string, unknown>;

/** Decodes the nodes of one document. */
class Decoder {
  readonly #problem: Problem;
  /** The aliases that are being decoded. */
  readonly #open = new Set<YamlNode>();
  /** The first number that JSON cannot hold. */
  #notFinite: YamlNode | undefined;
  /** The number of decoded nodes, and of nodes that come from aliases. Go counts the document as well. */
  #count = 1;
  #aliased = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  decodeDocument(node: YamlNode): unknown {
    const value = this.#decode(node, 0);
    // Another value of the same key may have replaced it.
    if (this.#notFinite !== undefined && !hasFiniteNumbers(value)) {
      throw this.#problem(
        this.#notFinite.position,
        "expected a number that JSON can hold, or quotes",
      );
    }
    return value;
  }

  #decode(node: YamlNode, depth: number): unknown {
    this.#charge(node, depth);
    switch (node.kind) {
      case "scalar":
        return this.#value(node);
      case "sequence":
        return node.items.map((item) => this.#decode(item, depth + 1));
      case "mapping": {
        const members: Members = {};
        this.#fill(members, node, depth);
        return members;
      }
      case "alias":
        return this.#follow(node, () => this.#decode(node.target, depth + 1));
    }
  }

  #value(node: YamlNode & ScalarNode): Scalar["value"] {
    const { value } = this.#resolve(node);
    if (!hasFiniteNumbers(value)) this.#notFinite ??= node;
    return value;
  }

  #resolve({ text, tag, isPlain, position }: YamlNode & ScalarNode): Scalar {
    const scalar = resolveScalar(text, tag, isPlain);
    if (scalar !== undefined) return scalar;
    throw this.#problem(position, "the tag does not fit this value");
  }

  #fill(members: Members, { items }: MappingNode, depth: number): void {
    for (let i = 0; i < items.length; i += 2) {
      const [key, value] = [items[i]!, items[i + 1]!];
      if (isMerge(key)) this.#merge(members, value, depth);
      else setOwn(members, this.#key(key, depth + 1), this.#decode(value, depth + 1));
    }
  }

  /** Adds the members of the value of a merge key (`<<`). Of a list, the first mapping wins. */
  #merge(members: Members, node: YamlNode, depth: number): void {
    const sources = node.kind === "sequence" ? node.items.toReversed() : [node];
    for (const source of sources) {
      const mapping = source.kind === "alias" ? source.target : source;
      if (mapping.kind !== "mapping") {
        throw this.#problem(source.position, "expected a mapping, or a list of mappings, after <<");
      }
      const fill = () => {
        this.#charge(mapping, depth);
        this.#fill(members, mapping, depth);
      };
      if (source.kind !== "alias") fill();
      else {
        this.#charge(source, depth);
        this.#follow(source, fill);
      }
    }
  }

  /** Returns the text of a key, as sigs.k8s.io/yaml makes it. */
  #key(node: YamlNode, depth: number): string {
    this.#charge(node, depth);
    if (node.kind === "alias") return this.#follow(node, () => this.#key(node.target, depth + 1));
    if (node.kind !== "scalar") {
      throw this.#problem(node.position, "expected a text as the key, found a list or a mapping");
    }
    const { type, value } = this.#resolve(node);
    if (type === "float") return floatKey(value);
    if (type === "null" || (typeof value === "bigint" && value >= 2n ** 63n)) {
      throw this.#problem(node.position, "expected a text as the key: use quotes");
    }
    return String(value);
  }

  #follow<T>(alias: YamlNode, decode: () => T): T {
    if (this.#open.has(alias)) {
      throw this.#problem(alias.position, "this alias (*) stands for a value that contains itself");
    }
    this.#open.add(alias);
    const decoded = decode();
    this.#open.delete(alias);
    return decoded;
  }

  /** Counts a node, and throws if aliases expand to too much. Go's parser has the same limits, except for the depth. */
  #charge(node: YamlNode, depth: number): void {
    this.#count++;
    if (this.#open.size > 0) this.#aliased++;
    const isExcessive = this.#aliased > 100 && this.#count > 1000 &&
      this.#aliased / this.#count > allowedShare(this.#count);
    if (isExcessive) {
      throw this.#problem(node.position, "its aliases (*) stand for too much", RangeError);
    }
    if (depth > MAX_DEPTH) throw this.#problem(node.position, "it is nested too deeply");
  }
}

/**
 * Returns the share of a document of `count` nodes that may come from aliases: 99 % of a small one, 10 % of a large
 * one.
 */
function allowedShare(count: number): number {
  const [small, large] = [400_000, 4_000_000];
  return Math.min(0.99, Math.max(0.1, 0.99 - 0.89 * (count - small) / (large - small)));
}

function isMerge(node: YamlNode): boolean {
  return node.kind === "scalar" && node.text === "<<" &&
    ((node.isPlain && node.tag === undefined) || node.tag === CORE_TAGS.merge);
}

/** Reports whether a value has no number such as `1e999` of JSON or `.inf` of YAML, which JSON cannot hold. */
export function hasFiniteNumbers(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === "number" && !Number.isFinite(one)) return false;
    if (typeof one === "object" && one !== null) {
      for (const member of Object.values(one)) rest.push(member);
    }
  }
  return true;
}

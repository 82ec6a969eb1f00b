import { MAX_JSON_DEPTH } from "../../values/mod.ts";
import type { MappingNode, SequenceNode, YamlNode } from "./node.ts";
import { Scanner } from "./scanner.ts";
import type { Mark } from "./text_reader.ts";
import type { Token } from "./token.ts";
import { yamlProblem } from "./yaml_error.ts";

/** The prefixes of the tags that need no directive. */
const DEFAULT_PREFIXES: readonly (readonly [string, string])[] = [
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
];

/**
 * Parses the first document of a text; undefined if there is none. What follows it is not read.
 *
 * @throws {YamlError} If the document is not YAML.
 */
export function parseDocument(text: string): YamlNode | undefined {
  return new Parser(text).document();
}

/** What stands before a node. */
interface Properties {
  readonly anchor: string;
  readonly tag: string;
  readonly start: Mark;
}

/** Where a node stands, which decides about what it can be. */
type Place = "block" | "block-value" | "flow";

class Parser {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #prefixes = new Map<string, string>();
  #depth = 0;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  document(): YamlNode | undefined {
    const first = this.#peek();
    if (first.type === "stream-end") return undefined;
    const explicit = first.type.endsWith("-directive") || first.type === "document-start";
    this.#directives();
    if (explicit) {
      if (this.#peek().type !== "document-start") {
        throw this.#problem("did not find expected <document start>");
      }
      this.#scanner.take();
    }
    const next = this.#peek();
    const empty = explicit && (/^document-|-directive$|^stream-end$/.test(next.type));
    const root = empty ? emptyNode(next.start) : this.#node("block");
    // What ends the document must be a token, too.
    this.#peek();
    return root;
  }

  #peek(): Token {
    return this.#scanner.peek();
  }

  #problem(problem: string): Error {
    return yamlProblem(problem, this.#peek().start.line);
  }

  #directives(): void {
    let version = false;
    for (let token = this.#peek();; token = this.#peek()) {
      if (token.type === "version-directive") {
        if (version) throw this.#problem("found duplicate %YAML directive");
        if (token.version !== "1.1") throw this.#problem("found incompatible YAML document");
        version = true;
      } else if (token.type === "tag-directive") {
        if (this.#prefixes.has(token.handle)) {
          throw this.#problem("found duplicate %TAG directive");
        }
        this.#prefixes.set(token.handle, token.prefix);
      } else break;
      this.#scanner.take();
    }
    for (const [handle, prefix] of DEFAULT_PREFIXES) {
      if (!this.#prefixes.has(handle)) this.#prefixes.set(handle, prefix);
    }
  }

  /** Returns the error that the real scanner has for deeper nesting. */
  #tooDeep(): Error {
    const { line } = this.#peek().start;
    return yamlProblem("exceeded max depth of 10000", line > 0 ? line + 1 : 0);
  }

  #node(place: Place): YamlNode {
    if (this.#depth > MAX_JSON_DEPTH) throw this.#tooDeep();
    this.#depth++;
    const node = this.#content(place);
    this.#depth--;
    return node;
  }

  #content(place: Place): YamlNode {
    const first = this.#peek();
    if (first.type === "alias") return this.#alias(first.name, first.start);
    const properties = this.#properties();
    const token = this.#peek();
    switch (token.type) {
      case "block-entry":
        if (place === "block-value") return this.#sequence(properties, "indentless");
        break;
      case "scalar":
        return this.#scalar(properties);
      case "flow-sequence-start":
        return this.#sequence(properties, "flow");
      case "flow-mapping-start":
        return this.#mapping(properties, "flow");
      case "block-sequence-start":
        if (place !== "flow") return this.#sequence(properties, "block");
        break;
      case "block-mapping-start":
        if (place !== "flow") return this.#mapping(properties, "block");
        break;
    }
    const { anchor, tag, start } = properties;
    if (anchor === "" && tag === "") throw this.#problem("did not find expected node content");
    return this.#anchored(anchor, { ...emptyNode(start), tag, implicit: tag === "" });
  }

  #alias(name: string, { line }: Mark): YamlNode {
    const target = this.#anchors.get(name);
    if (target === undefined) throw yamlProblem(`unknown anchor '${name}' referenced`);
    this.#scanner.take();
    return { kind: "alias", name, target, line: line + 1 };
  }

  #properties(): Properties {
    const { start } = this.#peek();
    let anchor = "";
    let tag = "";
    for (let token = this.#peek();; token = this.#peek()) {
      if (token.type === "anchor" && anchor === "") anchor = token.name;
      else if (token.type === "tag" && tag === "") {
        tag = this.#fullTag(token.handle, token.suffix);
      } else return { anchor, tag, start };
      this.#scanner.take();
    }
  }

  #fullTag(handle: string, suffix: string): string {
    if (handle === "") return suffix;
    const prefix = this.#prefixes.get(handle);
    if (prefix === undefined) throw this.#problem("found undefined tag handle");
    return prefix + suffix;
  }

  #anchored<T extends YamlNode>(anchor: string, node: T): T {
    if (anchor !== "") this.#anchors.set(anchor, node);
    return node;
  }

  #scalar({ anchor, tag, start }: Properties): YamlNode {
    const token = this.#scanner.take() as Token & { type: "scalar" };
    return this.#anchored(anchor, {
      kind: "scalar",
      value: token.value,
      tag,
      implicit: tag === "" ? token.plain : tag === "!",
      line: start.line + 1,
    });
  }

  #sequence({ anchor, start }: Properties, form: "block" | "indentless" | "flow"): YamlNode {
    const items: YamlNode[] = [];
    const node: SequenceNode = { kind: "sequence", items, line: start.line + 1 };
    this.#anchored(anchor, node);
    if (form !== "indentless") this.#scanner.take();
    if (form === "flow") this.#flowItems(items);
    else this.#blockItems(items, form === "block");
    return node;
  }

  #blockItems(items: YamlNode[], indented: boolean): void {
    for (let entry = this.#peek(); entry.type === "block-entry"; entry = this.#peek()) {
      this.#scanner.take();
      const { type } = this.#peek();
      const empty = type === "block-entry" || type === "block-end" ||
        (!indented && (type === "key" || type === "value"));
      items.push(empty ? emptyNode(entry.start) : this.#node("block"));
    }
    if (!indented) return;
    if (this.#peek().type !== "block-end") {
      throw this.#problem("did not find expected '-' indicator");
    }
    this.#scanner.take();
  }

  #flowItems(items: YamlNode[]): void {
    this.#flowParts("flow-sequence-end", "did not find expected ',' or ']'", () => {
      const token = this.#peek();
      if (token.type !== "key") {
        items.push(this.#node("flow"));
        return;
      }
      // A pair in a list is an object of one member.
      this.#scanner.take();
      const key = this.#flowPart(["value", "flow-entry", "flow-sequence-end"]);
      const entries: [YamlNode, YamlNode][] = [[key, this.#flowValue("flow-sequence-end")]];
      items.push({ kind: "mapping", entries, line: token.start.line + 1 });
    });
  }

  #mapping({ anchor, start }: Properties, form: "block" | "flow"): YamlNode {
    const entries: [YamlNode, YamlNode][] = [];
    const node: MappingNode = { kind: "mapping", entries, line: start.line + 1 };
    this.#anchored(anchor, node);
    this.#scanner.take();
    if (form === "flow") this.#flowEntries(entries);
    else this.#blockEntries(entries);
    return node;
  }

  #blockEntries(entries: [YamlNode, YamlNode][]): void {
    while (this.#peek().type === "key") {
      const key = this.#blockPart();
      const value = this.#peek();
      entries.push([key, value.type === "value" ? this.#blockPart() : emptyNode(value.start)]);
    }
    if (this.#peek().type !== "block-end") throw this.#problem("did not find expected key");
    this.#scanner.take();
  }

  /** Reads the node after a `?` or a `:`, which may be missing. */
  #blockPart(): YamlNode {
    const { start } = this.#scanner.take();
    const { type } = this.#peek();
    const empty = type === "key" || type === "value" || type === "block-end";
    return empty ? emptyNode(start) : this.#node("block-value");
  }

  #flowEntries(entries: [YamlNode, YamlNode][]): void {
    this.#flowParts("flow-mapping-end", "did not find expected ',' or '}'", () => {
      const token = this.#peek();
      if (token.type !== "key") {
        entries.push([this.#node("flow"), emptyNode(this.#peek().start)]);
        return;
      }
      this.#scanner.take();
      const key = this.#flowPart(["value", "flow-entry", "flow-mapping-end"]);
      entries.push([key, this.#flowValue("flow-mapping-end")]);
    });
  }

  /** Reads parts between commas, up to the end of the flow collection. */
  #flowParts(end: Token["type"], problem: string, readPart: () => void): void {
    for (let first = true; this.#peek().type !== end; first = false) {
      if (!first) {
        if (this.#peek().type !== "flow-entry") throw this.#problem(problem);
        this.#scanner.take();
        if (this.#peek().type === end) break;
      }
      readPart();
    }
    this.#scanner.take();
  }

  #flowValue(end: Token["type"]): YamlNode {
    const token = this.#peek();
    if (token.type !== "value") return emptyNode(token.start);
    this.#scanner.take();
    return this.#flowPart(["flow-entry", end]);
  }

  /** Reads a node, which is missing if one of the tokens `without` comes instead. */
  #flowPart(without: readonly Token["type"][]): YamlNode {
    const { type, start } = this.#peek();
    return without.includes(type) ? emptyNode(start) : this.#node("flow");
  }
}

function emptyNode({ line }: Mark): YamlNode & { kind: "scalar" } {
  return { kind: "scalar", value: "", tag: "", implicit: true, line: line + 1 };
}

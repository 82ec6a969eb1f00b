import {
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import {
  cloneJson,
  goFloat,
  goInteger,
  isObject,
  isTooDeep,
  type Json,
  type JsonObject,
  MAX_JSON_DEPTH,
  setOwn,
} from "../../values/mod.ts";
import { resolveScalar, type Scalar } from "./resolve_scalar.ts";
import { parserProblem, YamlError, yamlProblem } from "./yaml_error.ts";

/** The result of {@linkcode yamlToJson}. */
export interface YamlValue {
  /** The first document. Objects have sorted keys. */
  readonly value: Json;
  /** The findings of strict decoding, such as `line 2: key "a" already set in map`. */
  readonly strict: readonly string[];
}

/** The maximum length of all texts of a document, in which aliases can repeat a text. */
const MAX_CHARACTERS = 3 * 1024 * 1024;

/** The maximum number of characters that are parsed again after a repair. */
const MAX_PARSED_AGAIN = 8 * 1024 * 1024;

// deno-lint-ignore no-control-regex
const NOT_ALLOWED = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * Returns the first document of a YAML text as JSON, as the API server reads it: YAML 1.1 with merge keys, in which `no`
 * is false and `0o17` is 15. Other documents are not read.
 *
 * @throws {YamlError} If the text is not YAML, has no JSON form, or becomes too large by its aliases.
 */
export function yamlToJson(text: string): YamlValue {
  if (NOT_ALLOWED.test(text)) throw yamlProblem("control characters are not allowed");
  const { repaired, events } = parse(text.replace(/^\ufeff/, "").replaceAll(/\r\n|\x85/g, "\n"));
  const reader = new DocumentReader(repaired);
  const end = events.findIndex(({ type }, at) => at > 0 && type === EVENT_ID.DOCUMENT);
  for (const event of end < 0 ? events : events.slice(0, end)) reader.add(event);
  return reader;
}

/**
 * Parses a document into events. The parser is for YAML 1.2, which wants lines between brackets or quotes indented, even
 * one with only the closing bracket. YAML 1.1 does not, so such a line is indented for it.
 */
function parse(text: string): { readonly repaired: string; readonly events: readonly Event[] } {
  let repaired = text;
  for (let left = MAX_PARSED_AGAIN;; left -= repaired.length) {
    try {
      return { repaired, events: parseEvents(repaired, { maxDepth: MAX_JSON_DEPTH }) };
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const { position = 0, line = 0 } = error.mark ?? {};
      const start = repaired.lastIndexOf("\n", position - 1) + 1;
      const isFirst = repaired.slice(start, position).trim() === "";
      if (error.reason !== "deficient indentation" || !isFirst || left < 0) {
        throw parserProblem(error.reason, repaired, position, line);
      }
      repaired = repaired.slice(0, start) + deepestIndent(text) + repaired.slice(start);
    }
  }
}

/** Returns more spaces than are before any key or item. */
function deepestIndent(text: string): string {
  let deepest = 0;
  for (const [prefix] of text.matchAll(/^[ ?:-]*/gm)) deepest = Math.max(deepest, prefix.length);
  return " ".repeat(deepest + 1);
}

/** The number of nodes and characters of a value. */
interface Size {
  readonly count: number;
  readonly characters: number;
}

/** A value that an anchor names. */
interface Anchored extends Size {
  readonly value: Json;
}

/** A list or mapping that is being read. */
interface Open {
  readonly items: Json[] | undefined;
  readonly members: Map<string, Json>;
  /** The key whose value comes next; undefined if the next node is a key. */
  key: { readonly text: string; readonly isMerge: boolean } | undefined;
  readonly anchor: string;
  /** The size of the document before it. */
  readonly before: Size;
}

/** Makes JSON of the events of a document. An alias becomes a copy of the value that it refers to. */
class DocumentReader implements YamlValue {
  readonly strict: string[] = [];
  value: Json = null;
  readonly #text: string;
  readonly #open: Open[] = [];
  /** The values by anchor; undefined for a value that is still being read. */
  readonly #anchors = new Map<string, Anchored | undefined>();
  #count = 0;
  #aliased = 0;
  #characters = 0;
  /** The place of the last node that has one, and the number of the line at `#counted`. */
  #position = 0;
  #counted = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  add(event: Event): void {
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const anchor = this.#anchorOf(event);
        if (anchor !== "") this.#anchors.set(anchor, undefined);
        this.#position = Math.max(this.#position, event.start);
        const before = { count: this.#count, characters: this.#characters };
        this.#charge({ count: 1, characters: 0 });
        const items = event.type === EVENT_ID.SEQUENCE ? [] : undefined;
        this.#open.push({ items, members: new Map(), key: undefined, anchor, before });
        break;
      }
      case EVENT_ID.SCALAR: {
        const text = this.#textOf(event);
        const size = { count: 1, characters: text.length };
        this.#charge(size);
        const tag = this.#tagOf(event);
        const isPlain = event.style === SCALAR_STYLE.PLAIN;
        const scalar = resolveScalar(text, tag, isPlain);
        this.#place(scalar, this.#anchorOf(event), size, text === "<<" && isPlain);
        break;
      }
      case EVENT_ID.ALIAS: {
        const name = this.#text.slice(event.anchorStart, event.anchorEnd);
        const target = this.#anchors.get(name);
        if (target === undefined) {
          throw yamlProblem(
            this.#anchors.has(name)
              ? `anchor '${name}' value contains itself`
              : `unknown anchor '${name}' referenced`,
          );
        }
        this.#aliased += target.count;
        this.#charge(target);
        if (isTooDeep(target.value)) throw yamlProblem("exceeded max depth of 10000");
        this.#place(cloneJson(target.value), "", target);
        break;
      }
      case EVENT_ID.POP:
        this.#close();
    }
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const { items, members, anchor, before } = closed;
    const object: JsonObject = {};
    const byKey = ([a]: [string, Json], [b]: [string, Json]) => a < b ? -1 : a > b ? 1 : 0;
    for (const [key, value] of [...members].sort(byKey)) setOwn(object, key, value);
    const count = this.#count - before.count;
    const characters = this.#characters - before.characters;
    this.#place(items ?? object, anchor, { count, characters });
  }

  /** Puts a value into the list or mapping that is open. */
  #place(value: Scalar | Json, anchor: string, size: Size, isMerge = false): void {
    const parent = this.#open.at(-1);
    const isKey = parent !== undefined && parent.items === undefined && parent.key === undefined;
    if (isKey) parent.key = { text: isMerge ? "<<" : keyText(value), isMerge };
    if (isKey && anchor === "") return;
    const json = jsonOf(value);
    if (anchor !== "") this.#anchors.set(anchor, { ...size, value: json });
    if (parent === undefined) this.value = json;
    if (isKey || parent === undefined) return;
    if (parent.items !== undefined) parent.items.push(json);
    else if (parent.key!.isMerge) this.#merge(parent.members, json);
    else this.#set(parent.members, parent.key!.text, json);
    parent.key = undefined;
  }

  #set(members: Map<string, Json>, key: string, value: Json): void {
    if (members.has(key)) {
      const line = this.#lineNumber();
      this.strict.push(`line ${line}: key ${JSON.stringify(key)} already set in map`);
    }
    members.set(key, value);
  }

  /** Adds the members of a merge key (`<<`). Of a list, the earlier objects win. */
  #merge(members: Map<string, Json>, value: Json): void {
    for (const source of Array.isArray(value) ? value.toReversed() : [value]) {
      if (!isObject(source)) {
        throw yamlProblem("map merge requires map or sequence of maps as the value");
      }
      for (const key of Object.keys(source)) members.set(key, source[key]!);
    }
  }

  /** Counts nodes, and throws if aliases make the document too large. Go's parser has the same limits. */
  #charge({ count, characters }: Size): void {
    this.#count += count;
    this.#characters += characters;
    if (this.#aliased === 0) return;
    const allowed = 0.99 - 0.89 * Math.min(1, Math.max(0, (this.#count - 400_000) / 3_600_000));
    const excessive = this.#aliased > 100 && this.#count > 1000 &&
      this.#aliased / this.#count > allowed;
    if (excessive || this.#characters > MAX_CHARACTERS) {
      throw yamlProblem("document contains excessive aliasing");
    }
  }

  #anchorOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
    return anchorStart < 0 ? "" : this.#text.slice(anchorStart, anchorEnd);
  }

  /** Returns the tag without its prefix; undefined if there is none. */
  #tagOf({ tagStart, tagEnd }: ScalarEvent): string | undefined {
    if (tagStart < 0) return undefined;
    return this.#text.slice(tagStart, tagEnd).replace(/^!!|^!<tag:yaml\.org,2002:(.*)>$/, "$1");
  }

  /** Returns the text of a scalar, without its quotes. */
  #textOf(event: ScalarEvent): string {
    if (event.valueStart >= 0) this.#position = event.valueStart;
    const value = getScalarValue(this.#text, event);
    if (!value.isWellFormed()) {
      const line = this.#lineNumber();
      const problem = "found invalid Unicode character escape code";
      throw yamlProblem(problem, line === 1 ? 0 : line);
    }
    return value;
  }

  #lineNumber(): number {
    for (; this.#counted < this.#position; this.#counted++) {
      if (this.#text[this.#counted] === "\n") this.#line++;
    }
    return this.#line;
  }
}

function jsonOf(value: Scalar | Json): Json {
  if (typeof value === "bigint") return goInteger(value);
  if (typeof value !== "number") return value as Json;
  if (!Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${goFloat(value)}`);
  // The server writes it as JSON without a fraction, and reads that.
  const isWhole = Number.isInteger(value) && Math.abs(value) < 1e21;
  return isWhole ? goInteger(BigInt(String(value))) : value;
}

/** Returns the text of a key, as the API server writes it in JSON. */
function keyText(key: Scalar | Json): string {
  if (key === null) throw new YamlError("unsupported map key of type: %!s(<nil>), key: <nil>");
  if (typeof key === "object") throw yamlProblem("invalid map key: a list or an object");
  return typeof key === "number" && Number.isFinite(key) ? goFloat(key) : String(key);
}

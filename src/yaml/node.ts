import {
  CHOMPING_MODE,
  type Event,
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
} from "js-yaml";
import type { ParsedEvents } from "./parse_events.ts";
import type { Problem } from "./yaml_problem.ts";

/** A part of a document. */
export type YamlNode = (ScalarNode | SequenceNode | MappingNode | AliasNode) & {
  /** The index of its first character in the text. */
  readonly position: number;
};

/** A text, whose type depends on the tag. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly text: string;
  /** The tag without abbreviation; undefined if there is none. */
  readonly tag: string | undefined;
  /** Whether it has no quotes. */
  readonly isPlain: boolean;
}

/** A list. */
export interface SequenceNode {
  readonly kind: "sequence";
  readonly items: YamlNode[];
}

/** An object, with keys of any type. */
export interface MappingNode {
  readonly kind: "mapping";
  /** The keys, each followed by its value. */
  readonly items: YamlNode[];
}

/** A reference to the node that an anchor names. */
export interface AliasNode {
  readonly kind: "alias";
  readonly target: YamlNode;
}

/**
 * Builds the nodes of the first document from the events of the parser; undefined if there is no document. It does not
 * recurse, and so depends on no depth.
 */
export function nodeOf({ text, events, problem }: ParsedEvents): YamlNode | undefined {
  return new NodeBuilder(text, problem).build(events);
}

/** Builds the nodes of one document. */
class NodeBuilder {
  readonly #text: string;
  readonly #problem: Problem;
  readonly #anchors = new Map<string, YamlNode>();
  /** The items of the open sequences and mappings, after the items of the document. */
  readonly #open: YamlNode[][] = [];
  readonly #prefixes = new Map([["!", "!"], ["!!", "tag:yaml.org,2002:"]]);
  /** The place of the last node that has one. A scalar without text has none of its own. */
  #position = 0;

  constructor(text: string, problem: Problem) {
    this.#text = text;
    this.#problem = problem;
  }

  build(events: readonly Event[]): YamlNode | undefined {
    const root: YamlNode[] = [];
    for (const event of events) {
      switch (event.type) {
        case EVENT_ID.DOCUMENT:
          for (const directive of event.directives) {
            if (directive.kind === "tag") this.#prefixes.set(directive.handle, directive.prefix);
          }
          this.#open.push(root);
          break;
        case EVENT_ID.SEQUENCE:
        case EVENT_ID.MAPPING: {
          const kind = event.type === EVENT_ID.SEQUENCE ? "sequence" : "mapping";
          this.#position = event.start;
          const items: YamlNode[] = [];
          this.#add({ kind, items, position: event.start }, event);
          this.#open.push(items);
          break;
        }
        case EVENT_ID.SCALAR:
          this.#add(this.#scalar(event), event);
          break;
        case EVENT_ID.ALIAS: {
          const position = this.#position = event.anchorStart - 1;
          const target = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd));
          if (target === undefined) throw this.#problem(position, "no anchor has this name");
          this.#add({ kind: "alias", target, position });
          break;
        }
        case EVENT_ID.POP:
          this.#open.pop();
          if (this.#open.length === 0) return root[0];
      }
    }
    return undefined;
  }

  #add(node: YamlNode, event?: { readonly anchorStart: number; readonly anchorEnd: number }): void {
    this.#open.at(-1)!.push(node);
    if (event !== undefined && event.anchorStart >= 0) {
      this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), node);
    }
  }

  #scalar(event: ScalarEvent): YamlNode {
    const text = this.#text;
    const { valueStart, tagStart, tagEnd, style } = event;
    if (valueStart >= 0) this.#position = valueStart;
    const value = this.#valueOf(event);
    if (!value.isWellFormed()) {
      throw this.#problem(this.#position, "expected characters, found half of a surrogate pair");
    }
    return {
      kind: "scalar",
      text: value,
      tag: tagStart < 0 ? undefined : this.#fullTag(text.slice(tagStart, tagEnd)),
      isPlain: style === SCALAR_STYLE.PLAIN,
      position: this.#position,
    };
  }

  /** Returns the text of a scalar, without its quotes. */
  #valueOf(event: ScalarEvent): string {
    const text = this.#text;
    const value = getScalarValue(text, event);
    // The parser ends a block with a line break even if the text ends without one.
    const isOpen = event.valueEnd === text.length && !text.endsWith("\n") &&
      (event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK);
    return isOpen && event.chomping !== CHOMPING_MODE.STRIP ? value.slice(0, -1) : value;
  }

  /** Returns a tag without abbreviation. */
  #fullTag(tag: string): string {
    if (tag.startsWith("!<")) return tag.slice(2, -1);
    const [, handle = "", suffix = ""] = /^(!(?:[0-9A-Za-z-]*!)?)(.*)$/s.exec(tag) ?? [];
    return this.#prefixes.get(handle) + suffix;
  }
}

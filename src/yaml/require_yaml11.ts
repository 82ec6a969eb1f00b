import {
  COLLECTION_STYLE,
  type Event,
  EVENT_ID,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import type { ParsedEvents } from "./parse_events.ts";
import type { Problem } from "./yaml_problem.ts";

/**
 * Throws where YAML 1.1 differs from YAML 1.2, which the parser reads. Such texts are rare, and quotes or a
 * space make them mean the same in both.
 *
 * @throws {SyntaxError} If the text has such a place.
 */
export function requireYaml11({ text, events, problem }: ParsedEvents): void {
  const checker = new Checker(text, problem);
  for (const event of events) checker.check(event);
  checker.requireNoSeparator();
}

/** The line separator and the paragraph separator: in YAML 1.1, they break lines. */
const SEPARATORS = /[\u2028\u2029]/g;

class Checker {
  readonly #text: string;
  readonly #problem: Problem;
  /** Whether the open documents, sequences and mappings are between brackets. */
  readonly #flow: boolean[] = [];
  /** The places of line separators, and the number of checked ones. */
  readonly #separators: readonly number[];
  #checked = 0;

  constructor(text: string, problem: Problem) {
    this.#text = text;
    this.#problem = problem;
    this.#separators = Array.from(text.matchAll(SEPARATORS), ({ index }) => index);
  }

  check(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        for (const directive of event.directives) {
          if (directive.kind === "yaml" && directive.version !== "1.1") {
            throw this.#problem(0, "expected %YAML 1.1");
          }
        }
        this.#flow.push(false);
        break;
      case EVENT_ID.POP:
        this.#flow.pop();
        break;
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        this.#flow.push(event.style === COLLECTION_STYLE.FLOW);
        this.#checkProperties(event);
        break;
      case EVENT_ID.SCALAR:
        this.#checkProperties(event);
        this.#checkScalar(event);
        break;
      case EVENT_ID.ALIAS:
        this.#checkName(event.anchorStart, event.anchorEnd);
    }
  }

  #checkProperties(
    { anchorStart, anchorEnd, tagEnd }: ScalarEvent | SequenceEvent | MappingEvent,
  ): void {
    if (anchorStart >= 0) this.#checkName(anchorStart, anchorEnd);
    // A comma or a bracket behind a tag belongs to the tag.
    if (tagEnd >= 0 && /\S/.test(this.#text[tagEnd] ?? "")) {
      throw this.#problem(tagEnd, "expected a space after a tag");
    }
  }

  #checkName(start: number, end: number): void {
    if (/^[0-9A-Za-z_-]+$/.test(this.#text.slice(start, end))) return;
    throw this.#problem(start, 'the name of an anchor has letters, digits, "-" and "_" only');
  }

  #checkScalar({ valueStart, valueEnd, style, indent }: ScalarEvent): void {
    if (valueStart < 0) return;
    switch (style) {
      case SCALAR_STYLE.PLAIN:
        if (this.#flow.at(-1) === true) this.#checkPlainInFlow(valueStart, valueEnd);
        break;
      case SCALAR_STYLE.LITERAL_BLOCK:
      case SCALAR_STYLE.FOLDED_BLOCK:
        if (indent === 0) throw this.#problem(valueStart, "expected indentation");
        break;
      case SCALAR_STYLE.DOUBLE_QUOTED:
        this.#checkEscapedBreaks(valueStart, valueEnd);
        this.#checkSeparators(valueStart, valueEnd);
        break;
      case SCALAR_STYLE.SINGLE_QUOTED:
        this.#checkSeparators(valueStart, valueEnd);
    }
  }

  /** Behind an escaped line break, YAML 1.1 keeps empty lines. */
  #checkEscapedBreaks(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    for (let at = 0; (at = text.indexOf("\\", at)) >= 0; at += 2) {
      if (/^\n[ \t]*\n/.test(text.slice(at + 1))) {
        throw this.#problem(start + at, "expected no empty line behind this escape");
      }
    }
  }

  /** Accepts separators between quotes, where they are part of the value. Spaces beside them are not. */
  #checkSeparators(start: number, end: number): void {
    for (let at; (at = this.#separators[this.#checked] ?? end) < end; this.#checked++) {
      const beside = this.#text[at - 1]! + this.#text[at + 1];
      if (at < start || /[ \t\n]/.test(beside)) this.requireNoSeparator();
    }
  }

  /** Between brackets, `?` begins a key, and a `:` belongs to the text unless a space follows. */
  #checkPlainInFlow(start: number, end: number): void {
    const mark = this.#text.slice(start, end).indexOf("?");
    if (mark >= 0) {
      throw this.#problem(start + mark, 'a text with "?" between brackets needs quotes');
    }
    const colon = /\s*:\S/y;
    colon.lastIndex = end;
    if (colon.test(this.#text)) {
      throw this.#problem(colon.lastIndex - 2, 'expected a space after ":"');
    }
  }

  /** Throws if there is a separator that was not checked. */
  requireNoSeparator(): void {
    const at = this.#separators[this.#checked];
    if (at === undefined) return;
    throw this.#problem(at, "a line separator (U+2028, U+2029) needs double quotes: \\L or \\P");
  }
}

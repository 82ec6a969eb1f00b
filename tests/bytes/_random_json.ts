import type { SeededRandom } from "../../src/testing/seeded_random.ts";

/** The kind of a generated document. Documents are what an API server sends, spelled in unusual ways. */
export type DocumentKind = "event" | "object" | "list";

const STRINGS: readonly string[] = [
  `""`,
  `"a"`,
  `"default"`,
  `"Pod"`,
  `"apps/v1"`,
  `"c7173455-4a47-4d7f-818d-6634df001f15"`,
  `"744176"`,
  `"metadata"`,
  `"{\\"name\\":\\"inner\\",\\"metadata\\":{}}"`,
  `"\\\\"`,
  `"\\"\\\\\\/\\b\\f\\n\\r\\t"`,
  `"tab\\u0009 nul\\u0000"`,
  `"\\ud800"`,
  `"\\uDBFF\\uDFFF"`,
  `"Grüße, 世界 🚢"`,
  `"\ufeffbyte order mark"`,
  `"\u2028\u007f"`,
  `"x:{}[],"`,
];

/** Strings at and beyond the maximum length that the scanner decodes byte by byte. */
const LONG_STRINGS: readonly string[] = [
  `"${"long ".repeat(20)}"`,
  `"${"é".repeat(40)}"`,
  `"${"x".repeat(63)}"`,
];

const NUMBERS: readonly string[] = [
  "0",
  "-0",
  "7",
  "42",
  "-1.5",
  "1e9",
  "1E+2",
  "0.0e-0",
  "123456789012345678901234567890",
  "1e999",
];

/** Text that is almost JSON, and JSON in the wrong place. */
const FRAGMENTS: readonly string[] = [
  ...'{}[]",:\\ \n\t\r\u000001-+.eEnulltrfas/\u000b\f\u00a0\ufeff',
  `"name":`,
  `"metadata":{}`,
  `"metadata":null,`,
  `,"uid":"u"`,
  "01",
  "1.",
  ".5",
  "+1",
  "1e",
  "NaN",
  "null",
  "true",
  "nul",
  "{}",
  "[]",
  `""`,
  "\\u12",
  "\\x",
  "//",
];

/** Control characters, structural characters, bytes that are invalid UTF-8, and part of a byte order mark. */
const BYTES: readonly number[] = [
  0x00,
  0x1f,
  0x22,
  0x5c,
  0x7b,
  0x7d,
  0x80,
  0xbf,
  0xc3,
  0xe2,
  0xef,
  0xf0,
  0xff,
];

/** Generates random documents, and damages them. */
export class RandomJson {
  readonly #random: SeededRandom;
  readonly #encoder = new TextEncoder();
  #text = "";

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Returns a random integer from 0 to `bound`, exclusive. */
  below(bound: number): number {
    return Math.floor(this.#random.next() * bound);
  }

  /** Returns a random element. */
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** Returns a random document of the given kind. */
  document(kind: DocumentKind): string {
    this.#text = "";
    this.#space();
    if (kind === "event") this.#members(["type", "object"], 0);
    else if (kind === "object") this.#members(["kind", "apiVersion", "metadata"], 0);
    else this.#members(["kind", "apiVersion", "metadata", "items"], 0, true);
    this.#space();
    return this.#text;
  }

  /**
   * Copies a document into `buffer` at `start`, and damages it in one of many ways or not at all. The bytes after the
   * document would change its meaning, so that a scan must not read them.
   *
   * @returns The position after the document.
   */
  damaged(source: Uint8Array, buffer: Uint8Array, start: number): number {
    const { length } = source;
    const at = this.below(length);
    const piece = Math.min(length - at, 1 + this.below(8));
    let end = start + length;
    buffer.set(source, start);
    switch (this.below(10)) {
      case 0: // undamaged
        break;
      case 1: // truncated
        end = start + at;
        break;
      case 2: // one byte replaced by a random one
        buffer[start + at] = this.below(256);
        break;
      case 3: // one byte replaced by a special one
        buffer[start + at] = this.pick(BYTES);
        break;
      case 4: // a piece removed
        buffer.copyWithin(start + at, start + at + piece, end);
        end -= piece;
        break;
      case 5: { // a piece inserted
        const fragment = this.#encoder.encode(this.pick(FRAGMENTS));
        buffer.copyWithin(start + at + fragment.length, start + at, end);
        buffer.set(fragment, start + at);
        end += fragment.length;
        break;
      }
      case 6: // a piece duplicated
        buffer.copyWithin(start + at + piece, start + at, end);
        end += piece;
        break;
      case 7: { // two bytes swapped
        const other = start + this.below(length);
        const byte = buffer[other] as number;
        buffer[other] = buffer[start + at] as number;
        buffer[start + at] = byte;
        break;
      }
      case 8: { // a byte order mark or other text before the document
        const fragment = this.#encoder.encode(
          this.pick(["\ufeff", " ", "\n", "\u00a0", "{}", ","]),
        );
        buffer.copyWithin(start + fragment.length, start, end);
        buffer.set(fragment, start);
        end += fragment.length;
        break;
      }
      default: // one bit flipped
        buffer[start + at] = (buffer[start + at] as number) ^ (1 << this.below(8));
    }
    buffer.set(this.pick(SURROUNDINGS), end);
    return end;
  }

  #withProbability(percent: number): boolean {
    return this.#random.next() * 100 < percent;
  }

  #space(): void {
    if (this.#withProbability(3)) this.#text += this.pick([" ", "\n", "\r\n", "\t", "  \n "]);
  }

  #key(name: string): void {
    this.#text += this.#withProbability(4) ? this.#escaped(name) : `"${name}"`;
    this.#space();
    this.#text += ":";
    this.#space();
  }

  #escaped(name: string): string {
    const at = this.below(name.length);
    const code = name.charCodeAt(at).toString(16).padStart(4, "0");
    return `"${name.slice(0, at)}\\u${this.#withProbability(50) ? code : code.toUpperCase()}${
      name.slice(at + 1)
    }"`;
  }

  /** Writes an object with most of the given members and with others, in any order. A member may occur twice. */
  #members(names: readonly string[], depth: number, isList = false): void {
    let keys = names.filter(() => this.#withProbability(94));
    for (let more = this.below(3); more > 0; more--) keys.push(this.pick(OTHER_KEYS));
    if (this.#withProbability(4)) keys.push(this.pick(names));
    if (this.#withProbability(30)) keys = keys.sort();
    else if (this.#withProbability(20)) keys.reverse();
    this.#text += "{";
    this.#space();
    keys.forEach((name, index) => {
      if (index > 0) {
        this.#text += ",";
        this.#space();
      }
      this.#key(name);
      this.#member(name, depth, isList);
      this.#space();
    });
    this.#text += "}";
  }

  #member(name: string, depth: number, isList: boolean): void {
    if (this.#withProbability(2)) return this.#value(depth + 1);
    if (this.#withProbability(2)) {
      this.#text += "null";
      return;
    }
    switch (name) {
      case "object":
        return this.#members(["kind", "apiVersion", "metadata"], depth + 1);
      case "metadata":
        return this.#members(["name", "namespace", "uid", "resourceVersion"], depth + 1);
      case "items":
        return isList ? this.#items(depth) : this.#value(depth + 1);
      case "type":
        this.#text += this.pick([`"ADDED"`, `"MODIFIED"`, `"DELETED"`, `"BOOKMARK"`, `"ERROR"`]);
        return;
      case "spec":
      case "status":
      case "__proto__":
        return this.#value(depth + 1);
      default:
        this.#string();
    }
  }

  #string(): void {
    this.#text += this.pick(this.#withProbability(1) ? LONG_STRINGS : STRINGS);
  }

  #items(depth: number): void {
    this.#text += "[";
    for (let count = this.below(3), index = 0; index < count; index++) {
      if (index > 0) this.#text += ",";
      this.#space();
      this.#members(["kind", "apiVersion", "metadata"], depth + 2);
      this.#space();
    }
    this.#text += "]";
  }

  #value(depth: number): void {
    const choice = this.below(depth > 4 ? 4 : 7);
    switch (choice) {
      case 0:
        this.#text += this.pick(["null", "true", "false"]);
        return;
      case 1:
        this.#text += this.pick(NUMBERS);
        return;
      case 2:
      case 3:
        this.#string();
        return;
      case 4:
        this.#text += "[";
        for (let count = this.below(4), index = 0; index < count; index++) {
          if (index > 0) this.#text += ",";
          this.#space();
          this.#value(depth + 1);
          this.#space();
        }
        this.#text += "]";
        return;
      default:
        this.#members(OTHER_KEYS.slice(this.below(OTHER_KEYS.length)).slice(0, 3), depth + 1);
    }
  }
}

const OTHER_KEYS: readonly string[] = [
  "spec",
  "status",
  "metadata",
  "name",
  "labels",
  "__proto__",
  "toString",
  "items",
  "0",
  "ключ",
];

const SURROUNDINGS: readonly Uint8Array[] = [`"`, "}", "]", "0", `\\"`, ",", "e5", "ull", "}}]}"]
  .map((
    text,
  ) => new TextEncoder().encode(text));

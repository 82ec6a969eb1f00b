import type { SeededRandom } from "../../src/testing/seeded_random.ts";

/** What a generated document is: what the API server sends, in strange spellings. */
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

/** Longer than what is decoded byte by byte. */
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

/** What is nearly JSON, and what is JSON in the wrong place. */
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

/** Single bytes that no valid UTF-8 has in such a place, and those of a byte order mark. */
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

/** Writes random documents, and damages them. */
export class RandomJson {
  readonly #random: SeededRandom;
  readonly #encoder = new TextEncoder();
  #text = "";

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** A whole number below `bound`. */
  below(bound: number): number {
    return Math.floor(this.#random.next() * bound);
  }

  /** One of several. */
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** A document of a kind. */
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
   * Puts a document into `buffer` at `start`, damaged in one of many ways or not at all; returns where it ends. What
   * surrounds it would change its meaning.
   */
  damaged(source: Uint8Array, buffer: Uint8Array, start: number): number {
    const { length } = source;
    const at = this.below(length);
    const piece = Math.min(length - at, 1 + this.below(8));
    let end = start + length;
    buffer.set(source, start);
    switch (this.below(10)) {
      case 0: // as it is
        break;
      case 1: // cut off
        end = start + at;
        break;
      case 2: // another byte
        buffer[start + at] = this.below(256);
        break;
      case 3:
        buffer[start + at] = this.pick(BYTES);
        break;
      case 4: // without a piece
        buffer.copyWithin(start + at, start + at + piece, end);
        end -= piece;
        break;
      case 5: { // with another piece
        const fragment = this.#encoder.encode(this.pick(FRAGMENTS));
        buffer.copyWithin(start + at + fragment.length, start + at, end);
        buffer.set(fragment, start + at);
        end += fragment.length;
        break;
      }
      case 6: // with a piece twice
        buffer.copyWithin(start + at + piece, start + at, end);
        end += piece;
        break;
      case 7: { // two bytes change places
        const other = start + this.below(length);
        const byte = buffer[other] as number;
        buffer[other] = buffer[start + at] as number;
        buffer[start + at] = byte;
        break;
      }
      case 8: { // a byte order mark or something else before it
        const fragment = this.#encoder.encode(
          this.pick(["\ufeff", " ", "\n", "\u00a0", "{}", ","]),
        );
        buffer.copyWithin(start + fragment.length, start, end);
        buffer.set(fragment, start);
        end += fragment.length;
        break;
      }
      default: // one bit
        buffer[start + at] = (buffer[start + at] as number) ^ (1 << this.below(8));
    }
    buffer.set(this.pick(SURROUNDINGS), end);
    return end;
  }

  #chance(percent: number): boolean {
    return this.#random.next() * 100 < percent;
  }

  #space(): void {
    if (this.#chance(3)) this.#text += this.pick([" ", "\n", "\r\n", "\t", "  \n "]);
  }

  #key(name: string): void {
    this.#text += this.#chance(4) ? this.#escaped(name) : `"${name}"`;
    this.#space();
    this.#text += ":";
    this.#space();
  }

  #escaped(name: string): string {
    const at = this.below(name.length);
    const code = name.charCodeAt(at).toString(16).padStart(4, "0");
    return `"${name.slice(0, at)}\\u${this.#chance(50) ? code : code.toUpperCase()}${
      name.slice(at + 1)
    }"`;
  }

  /** An object with (mostly) the members of these names and with others, in any order, sometimes twice. */
  #members(names: readonly string[], depth: number, isList = false): void {
    let keys = names.filter(() => this.#chance(94));
    for (let more = this.below(3); more > 0; more--) keys.push(this.pick(OTHER_KEYS));
    if (this.#chance(4)) keys.push(this.pick(names));
    if (this.#chance(30)) keys = keys.sort();
    else if (this.#chance(20)) keys.reverse();
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
    if (this.#chance(2)) return this.#value(depth + 1);
    if (this.#chance(2)) {
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
    this.#text += this.pick(this.#chance(1) ? LONG_STRINGS : STRINGS);
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

/**
 * Random texts of YAML, to compare with Go: scalars that look like other types, all styles, anchors, merge keys, tags,
 * comments, odd indentation, several documents, objects of JSON.
 *
 * @module
 */

import { type Random, randomInt } from "../../src/base/mod.ts";

/** How a text is read: as a manifest, or as a kubeconfig. */
export type How = "documents" | "first";

/** A text, and how it is read. */
export interface Request {
  readonly how: How;
  readonly text: string;
}

/** Returns a random text. */
export function randomRequest(random: Random): Request {
  const maker = new TextMaker(random);
  if (maker.chance(4)) return { how: "first", text: maker.document() };
  if (maker.chance(8)) return { how: "documents", text: maker.json() };
  const documents = Array.from({ length: 1 + maker.int(3) }, () => maker.document());
  return { how: "documents", text: maker.joined(documents) };
}

/** Returns a text with small damages. */
export function damaged(text: string, random: Random): string {
  let result = text;
  for (let count = 1 + randomInt(random, 3); count > 0; count--) {
    const at = randomInt(random, result.length + 1);
    const part = DAMAGE[randomInt(random, DAMAGE.length)]!;
    const kind = randomInt(random, 3);
    result = result.slice(0, at) + (kind === 0 ? "" : part) +
      result.slice(at + (kind === 1 ? 0 : 1));
  }
  return result.toWellFormed();
}

const DAMAGE = [
  ..."\n\n\n   \t:-?,[]{}#&*!|>'\"%@`~=<.+0aeyxn_\\\r",
  ..."\n---\n|\n...\n|: |- |\ufeff|\x85|\u2028|\0|<<: |\n\n|? | #|&a |*a |!!str |#".split("|"),
];

/** Scalars without quotes that parsers read differently. */
const PLAIN: readonly string[] = [
  ..."y Y yes Yes YES yEs n N no No NO on On ON off Off OFF true True TRUE tRue".split(" "),
  ..."false False FALSE null Null NULL nUll ~ .iNf << = 0 00 07 08 0888 0644 0o644 0O17 0o8 0x1F 0X1f 0xg 0b101 0B1"
    .split(" "),
  ..."0b2 0b-1 0b+1 -0b1 +0x1F -017 +0o7 0_7 1_000 1__0 1_ _1 -_1 +1 -0 +0 -1 1.".split(" "),
  ..."-.5 +.5 .5 .5_0 .5_ ._5 1_0.5 1.5.2 1e3 1E3 1e+3 1e-3 1e400 -1e400 1e-400".split(" "),
  ..."1e21 .e5 1.e3 0e0 e5 9007199254740991 9007199254740992 -9007199254740993".split(" "),
  ..."9223372036854775807 9223372036854775808 -9223372036854775808".split(" "),
  ..."-9223372036854775809 18446744073709551615 18446744073709551616".split(" "),
  ..."+18446744073709551615 0xffffffffffffffff 0x10000000000000000 1:30 1:30:00".split(" "),
  ..."190:20:30.15 12:00 2001-01-01 2001-1-1 2001-12-14t21:59:43.10-05:00".split(" "),
  ..."2001-99-99 2024-01-01T00:00:00Z 100m 128Mi 10.0.0.1 1.2.3 v1 apps/v1 a-b".split(" "),
  ..."a_b a.b/c d:e http://x/y?z=1&b a#b a,b -- -a ?a :a a=b ab] (){}[]".split(" "),
  ..."2001-12-14 21:59:43.10 -5|2001-12-14 21:59:43|a b|a, with a comma|it's".split("|"),
  ...'say "hi"|ünï ☃ 😀|a\u00a0b|a  b'.split("|"),
];

const QUOTED: readonly string[] = [
  ..."a|b c| |  |#|: |,|[|{|ü|☃|😀|yes|1|null|%|@|---|&a|*a|!|>|-|?|\t|a\u2028b".split("|"),
];

const ESCAPES: readonly string[] = [
  ...'\\n \\t \\\\ \\" \\0 \\a \\b \\e \\f \\r \\v \\N \\_ \\L \\P \\x41 \\u00e4'.split(" "),
  ..."\\u2028 \\U0001F600".split(" "),
  "\\ ",
];

const TAGGED: readonly string[] = [
  ...'!!str 1|!!str yes|!!str|!!str "a"|!!str ~|!!int 1|!!int "1"|!!int \'0o17\''.split("|"),
  ...'!!float 1|!!float "2"|!!float .5|!!bool yes|!!bool "no"|!!null|!!null ~'.split("|"),
  ...'!!binary aGVsbG8=|!!binary "4pjD"|!!binary /w==|!!timestamp 2001-01-01'.split("|"),
  ...'!Custom a|!Custom yes|!Custom|!!custom 1|! 1|! "1"|!<tag:yaml.org,2002:int> "7"'.split("|"),
  "!<!x> 1",
];

/** Tags that do not fit their values, and numbers that JSON does not have. */
const MISFITS: readonly string[] = "!!int a|!!bool 1|!!float x|!!null a|!!binary %|!!int 1.5"
  .split("|").concat(".nan .NaN .NAN .inf .Inf .INF +.inf -.inf -.Inf".split(" "));

const KEYS: readonly string[] = [
  ...'k0|k1|"k0"|\'k 1\'|0x10|1.5|yes|on|1e3|2001-01-01|""|a b|x/y|é|.5|1000000'.split("|"),
  ..."a#b|-a|!!str 7|__proto__|constructor|1e21|.inf|9223372036854775807".split("|"),
];

class TextMaker {
  readonly #random: Random;
  /** The names of the anchors before the current place, and of mappings. */
  #anchors: string[] = [];
  #mappings: string[] = [];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  int(below: number): number {
    return randomInt(this.#random, below);
  }

  chance(oneOf: number): boolean {
    return this.int(oneOf) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)]!;
  }

  /** Returns a document, mostly with a mapping. */
  document(): string {
    this.#anchors = [];
    this.#mappings = [];
    const value = this.chance(6) ? this.#value(0, 0) : "|";
    // A block scalar without indentation ends elsewhere in YAML 1.2, and is not an object.
    const text = /^ *[|>]/.test(value) ? `\n${this.#mapping(0, 0)}` : value;
    return text.startsWith("\n") ? text.slice(1) : `${text.trimStart()}`;
  }

  /** Returns a text with several documents. */
  joined(documents: readonly string[]): string {
    let text = this.pick(["", "", "", "# c\n", "---\n", "\ufeff", "\n"]);
    documents.forEach((document, i) => {
      if (i > 0) text += this.pick(["---\n", "---\n", "--- # c\n", "---  \n"]);
      // Go skips a byte order mark only at the start of what it has read.
      const canHaveMark = i > 0 && /^\w/m.test(documents[i - 1]!) && !/^\s*[{#-]/.test(text);
      text += (canHaveMark && this.chance(5) ? "\ufeff" : "") + document;
    });
    text += this.pick(["", "", "", "---\n", "...\n", "\n", "# end"]);
    if (this.chance(6)) text = text.replace(/\n$/, "");
    return this.chance(6) ? text.replaceAll("\n", "\r\n") : text;
  }

  /** Returns objects of JSON, one after the other, or documents with some. */
  json(): string {
    const one = () =>
      JSON.stringify(
        { a: this.pick([1, 1.5, null, true, "x", 1000, "é\n", {}, []]), k: [{ b: "}" }] },
        undefined,
        this.pick([undefined, 2, "\t"]),
      );
    const objects = Array.from({ length: 1 + this.int(3) }, one);
    return this.pick(["", " ", "\n"]) + objects.join(this.pick(["", "\n", " ", "\n---\n"])) +
      this.pick(["", "\n", " \n"]);
  }

  /** Returns a value behind a `:` or a `-`: after a space, or after a line break. */
  #value(indent: number, depth: number): string {
    if (depth >= 4 || this.chance(3)) return this.#leaf(indent);
    const anchor = this.#anchor();
    const tag = this.chance(30) ? ` ${this.pick(["!!map", "!!seq", "!x", "!!set"])}` : "";
    const isMapping = !this.chance(3);
    const start = anchor === "" ? "" : ` &${anchor}`;
    const rest = this.chance(4)
      ? ` ${this.#flow(depth + 1, isMapping, indent)}${this.#comment()}\n`
      : `${this.#comment()}\n${
        isMapping ? this.#mapping(indent, depth + 1) : this.#sequence(indent, depth + 1)
      }`;
    this.#keep(anchor, isMapping);
    return start + tag + rest;
  }

  #leaf(indent: number): string {
    if (this.#anchors.length > 0 && this.chance(8)) {
      return ` *${this.pick(this.#anchors)}${this.#comment()}\n`;
    }
    if (this.chance(8)) return ` ${this.#blockScalar(indent)}`;
    const anchor = this.#anchor();
    const start = anchor === "" ? " " : ` &${anchor} `;
    this.#keep(anchor, false);
    if (this.chance(10)) return `${start.trimEnd()}${this.#comment()}\n`;
    if (this.chance(10)) return `${start}${this.#multiLine(indent)}\n`;
    const text = this.chance(10) ? this.#tagged() : this.#scalar(false);
    return `${start}${text}${this.#comment()}\n`;
  }

  #tagged(): string {
    return this.chance(40) ? this.pick(MISFITS) : this.pick(TAGGED);
  }

  #comment(): string {
    return this.chance(8) ? this.pick([" # a comment", " #", "  ", " # 'a \" [ {", " # x: y"]) : "";
  }

  #lines(indent: number): string {
    if (!this.chance(8)) return "";
    const own = `${" ".repeat(indent)}# x: y\n`;
    return this.pick(["\n", "# a comment\n", own, "  \n", "        # far\n"]);
  }

  #scalar(inFlow: boolean): string {
    if (this.chance(3)) return this.#quoted();
    const text = this.pick(PLAIN);
    return inFlow && /[,?[\]{}]|^[-:]|:$/.test(text) ? "plain" : text;
  }

  #quoted(): string {
    const parts = Array.from({ length: this.int(5) }, () => this.pick(QUOTED));
    if (this.chance(2)) {
      return `'${parts.join("").replaceAll("'", "''")}${this.chance(4) ? "''" : ""}'`;
    }
    return `"${parts.map((part) => this.chance(3) ? this.pick(ESCAPES) : part).join("")}"`;
  }

  /** Returns a scalar of several lines. */
  #multiLine(indent: number): string {
    const quote = this.pick(["", '"', "'"]);
    // Between quotes, a line may begin anywhere.
    const space = " ".repeat(quote !== "" && this.chance(8) ? 1 : indent + 1 + this.int(3));
    const words = Array.from(
      { length: 2 + this.int(3) },
      () => this.pick(["a", "b c", "x,y", "1", "yes", "http://a/b"]),
    );
    return quote + words.join(this.pick(["\n", "\n\n", " \n", "\n\n\n"]) + space) + quote;
  }

  #blockScalar(indent: number): string {
    const space = " ".repeat(indent + 1 + this.int(3));
    const lines = Array.from({ length: this.int(5) }, () => this.pick(BLOCK_LINES));
    const first = lines.findIndex((line) => line !== "");
    if (first >= 0 && /^\s/.test(lines[first]!)) lines[first] = "text";
    const text = lines.map((line) => line === "" ? "\n" : `${space}${line}\n`).join("");
    return this.pick(["|", ">"]) + this.pick(["", "-", "+"]) + this.pick(["", "", " # c"]) +
      `\n${text}`;
  }

  #mapping(indent: number, depth: number): string {
    const space = " ".repeat(indent);
    let text = "";
    for (let i = 1 + this.int(4); i > 0; i--) {
      text += this.#lines(indent);
      if (this.#mappings.length > 0 && this.chance(8)) {
        const source = `*${this.pick(this.#mappings)}`;
        text += `${space}<<: ${this.chance(2) ? source : `[${source}, {m: 1}]`}\n`;
        continue;
      }
      const key = this.chance(6) ? this.pick(KEYS) : `k${i}`;
      const start = this.chance(15)
        ? `? ${key}${this.#comment()}\n${space}:`
        : `${key}${this.chance(15) ? " " : ""}:`;
      // A list may begin at the column of its key.
      const value = depth < 4 && this.chance(6)
        ? `\n${this.#sequence(indent, depth + 1)}`
        : this.#value(indent + 1 + this.int(3), depth);
      text += space + start + value;
    }
    return text;
  }

  #sequence(indent: number, depth: number): string {
    const space = " ".repeat(indent);
    let text = "";
    for (let i = 1 + this.int(3); i > 0; i--) {
      text += this.#lines(indent);
      if (depth >= 4 || !this.chance(4)) {
        text += `${space}-${this.#value(indent + 2, depth)}`;
        continue;
      }
      // A mapping or a list on the line of the dash.
      const inner = this.chance(3)
        ? this.#sequence(indent + 2, depth + 1)
        : this.#mapping(indent + 2, depth + 1);
      text += `${space}- ${inner.replace(/^(?: *(?:#[^\n]*)?\n)+/, "").trimStart()}`;
    }
    return text;
  }

  #flow(depth: number, isMapping: boolean, indent: number): string {
    // Between brackets, a line may begin anywhere.
    const line = () => `\n${" ".repeat(this.chance(16) ? this.int(2) : indent + 1)}`;
    const items = Array.from({ length: this.int(4) }, (_, i) => {
      const value = this.#flowValue(depth, indent);
      if (!isMapping) return this.chance(12) ? `k${i}: ${value}` : value;
      if (this.chance(12)) return `k${i}`;
      if (this.#mappings.length > 0 && this.chance(10)) return `<<: *${this.pick(this.#mappings)} `;
      const key = this.pick([`k${i}`, `"k${i}"`, `'k${i}'`, `k${i}`, "yes", "1", "a b"]);
      return `${key}:${this.chance(10) ? line() : " "}${value}`;
    });
    const comma = this.pick([", ", ",", " , ", `,${line()}`, `, # c${line()}`, `,# c${line()}`]);
    const pad = this.pick(["", " ", line()]);
    const end = items.length > 0 && this.chance(6) ? comma : "";
    const [open, close] = isMapping ? ["{", "}"] : ["[", "]"];
    return open + pad + items.join(comma) + end + pad + close;
  }

  #flowValue(depth: number, indent: number): string {
    if (depth < 4 && this.chance(3)) return this.#flow(depth + 1, this.chance(2), indent);
    if (this.#anchors.length > 0 && this.chance(8)) return `*${this.pick(this.#anchors)} `;
    return this.chance(15) ? `${this.#tagged()} ` : this.#scalar(true);
  }

  #anchor(): string {
    return this.chance(8) ? this.chance(10) ? "same" : `a-${this.#names++}_B` : "";
  }

  /** Makes an anchor known to what follows. */
  #keep(anchor: string, isMapping: boolean): void {
    if (anchor === "") return;
    this.#anchors.push(anchor);
    this.#mappings = this.#mappings.filter((one) => one !== anchor);
    if (isMapping) this.#mappings.push(anchor);
  }
}

const BLOCK_LINES: readonly string[] = [
  ..."text|more text||  deeper|# no comment|a: b|- c|\ttab|end |ü|'q' \"|--- a|".split("|"),
];

import { type Random, randomInt } from "@kubeloop/controller/internal/base";

/** The maximum length of a text, in characters. */
const MAX_TEXT = 300;
/** The maximum nesting of groups. */
const MAX_NESTING = 100;
/** The most repetitions beyond the least. */
const MORE = 3;

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const WORD = `${LOWER}${UPPER}${DIGITS}_`;
/** The printable characters of ASCII. */
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");

/** The characters of the classes after a backslash. */
const ESCAPES: Readonly<Record<string, string>> = {
  d: DIGITS,
  w: WORD,
  s: " \t",
  D: without(DIGITS),
  W: without(WORD),
  S: without(" "),
  n: "\n",
  t: "\t",
  r: "\r",
  f: "\f",
};

/** The characters of the classes in brackets, such as `[[:alpha:]]`. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: LOWER + UPPER + DIGITS,
  alpha: LOWER + UPPER,
  digit: DIGITS,
  lower: LOWER,
  upper: UPPER,
  space: " \t",
  punct: without(LOWER + UPPER + DIGITS + " "),
  word: WORD,
  xdigit: `${DIGITS}abcdefABCDEF`,
};

/** Appends a random text to a draft. */
type Writer = (draft: Draft) => void;

/** A text that is being written. */
interface Draft {
  readonly random: Random;
  text: string;
}

/** The pattern has something that is not supported, or that makes its texts too long. */
class Unsupported extends Error {}

/**
 * Returns a function that returns random texts of a pattern in the syntax of RE2, or undefined for a text that became too
 * long. The caller checks the texts: word boundaries and flags are ignored. Returns undefined if the pattern has something
 * else that is not supported, such as Unicode classes.
 */
export function textsOfPattern(
  pattern: string,
): ((random: Random) => string | undefined) | undefined {
  const write = supported(() => new Parser(pattern).parse());
  if (write === undefined) return undefined;
  return (random) => {
    const draft: Draft = { random, text: "" };
    return supported(() => (write(draft), draft.text));
  };
}

function supported<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Writer {
    const write = this.#alternatives(0);
    if (this.#at < this.#text.length) throw new Unsupported();
    return write;
  }

  #takes(part: string): boolean {
    if (!this.#text.startsWith(part, this.#at)) return false;
    this.#at += part.length;
    return true;
  }

  #next(): string {
    const char = this.#text[this.#at++];
    if (char === undefined) throw new Unsupported();
    return char;
  }

  #alternatives(nesting: number): Writer {
    if (nesting > MAX_NESTING) throw new Unsupported();
    const choices = [this.#sequence(nesting)];
    while (this.#takes("|")) choices.push(this.#sequence(nesting));
    return (draft) => choices[randomInt(draft.random, choices.length)]!(draft);
  }

  #sequence(nesting: number): Writer {
    const parts: Writer[] = [];
    while (this.#at < this.#text.length && !"|)".includes(this.#text[this.#at]!)) {
      parts.push(this.#repeated(this.#atom(nesting)));
    }
    return (draft) => parts.forEach((write) => write(draft));
  }

  #repeated(write: Writer): Writer {
    const [least, most] = this.#times();
    // A question mark after a quantifier prefers fewer repetitions.
    if (least !== 1 || most !== 1) this.#takes("?");
    return (draft) => {
      const times = least + randomInt(draft.random, Math.min(most - least, MORE) + 1);
      for (let i = 0; i < times; i++) {
        const before = draft.text.length;
        write(draft);
        // An empty text repeated is the same empty text.
        if (draft.text.length === before) return;
      }
    };
  }

  /** Returns how often an atom repeats. */
  #times(): readonly [least: number, most: number] {
    if (this.#takes("*")) return [0, Infinity];
    if (this.#takes("+")) return [1, Infinity];
    if (this.#takes("?")) return [0, 1];
    const counts = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (counts === null) return [1, 1];
    const [all, least = "", comma = "", most = ""] = counts;
    this.#at += all.length;
    if (comma === "") return [Number(least), Number(least)];
    return [Number(least), most === "" ? Infinity : Math.max(Number(least), Number(most))];
  }

  #atom(nesting: number): Writer {
    const char = this.#next();
    switch (char) {
      case "^":
      case "$":
        return () => {};
      case ".":
        return oneOf(PRINTABLE);
      case "(": {
        this.#groupStart();
        const write = this.#alternatives(nesting + 1);
        if (!this.#takes(")")) throw new Unsupported();
        return write;
      }
      case "[":
        return oneOf(this.#set());
      case "\\": {
        // Boundaries and the ends of the text have no characters.
        if ("AzbB".includes(this.#text[this.#at] ?? "")) {
          this.#at++;
          return () => {};
        }
        return oneOf(this.#escaped());
      }
      default:
        return oneOf(char);
    }
  }

  /** Skips the name or the flags of a group. */
  #groupStart(): void {
    if (!this.#takes("?")) return;
    const start = /^(?:P?<\w{1,100}>|[imsU-]{0,8}:)/.exec(
      this.#text.slice(this.#at, this.#at + 110),
    );
    const flags = /^[imsU-]{1,8}(?=\))/.exec(this.#text.slice(this.#at, this.#at + 10));
    const [skipped] = start ?? flags ?? [];
    if (skipped === undefined) throw new Unsupported();
    this.#at += skipped.length;
  }

  /** Returns the characters of an escape. */
  #escaped(): string {
    const char = this.#next();
    const known = ESCAPES[char];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(char)) throw new Unsupported();
    return char;
  }

  /** Returns the characters of a set in brackets, after its opening one. */
  #set(): string {
    const isNegated = this.#takes("^");
    let chars = "";
    for (let isFirst = true; isFirst || !this.#takes("]"); isFirst = false) {
      const named = /^\[:(\w{1,10}):\]/.exec(this.#text.slice(this.#at, this.#at + 16));
      if (named !== null) {
        const [all, name = ""] = named;
        this.#at += all.length;
        chars += CLASSES[name] ?? PRINTABLE;
        continue;
      }
      const from = this.#setItem();
      const isRange = this.#text[this.#at] === "-" &&
        !["]", undefined].includes(this.#text[this.#at + 1]);
      if (!isRange || from.length !== 1) {
        chars += from;
        continue;
      }
      this.#at++;
      chars += charsBetween(from, this.#setItem());
    }
    return isNegated ? without(chars) : chars;
  }

  #setItem(): string {
    const char = this.#next();
    return char === "\\" ? this.#escaped() : char;
  }
}

function charsBetween(from: string, to: string): string {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.min(last - first, 200) + 1;
  if (count < 1) throw new Unsupported();
  return Array.from({ length: count }, (_, i) => String.fromCharCode(first + i)).join("");
}

/** Returns the printable characters without some. */
function without(chars: string): string {
  return [...PRINTABLE].filter((char) => !chars.includes(char)).join("");
}

function oneOf(chars: string): Writer {
  return (draft) => {
    if (chars === "" || draft.text.length >= MAX_TEXT) throw new Unsupported();
    draft.text += chars[randomInt(draft.random, chars.length)];
  };
}

/** One error in the text of an expression. */
interface Issue {
  /** The place, as an index of UTF-16 units; -1 if the error has no place. */
  readonly at: number;
  readonly message: string;
}

/** The number of errors that are shown. */
const MAX_ISSUES = 100;

/** The length, in bytes, of the longest line that is shown below an error. */
const MAX_SNIPPET = 16_384;

/** The errors in the text of one expression. */
export class Issues {
  readonly #source: string;
  readonly #found: Issue[] = [];
  #count = 0;

  /** Creates an empty collection for an expression. */
  constructor(source: string) {
    this.#source = source;
  }

  /** The number of errors. */
  get count(): number {
    return this.#count;
  }

  /** The message of the first error; undefined if there is none. */
  get first(): string | undefined {
    return this.#found[0]?.message;
  }

  /** Adds an error. */
  add(at: number, message: string): void {
    this.#count++;
    if (this.#count <= MAX_ISSUES) this.#found.push({ at, message });
  }

  /** Returns the errors as the real server shows them: each with its line, and a mark below it. */
  toString(): string {
    const sorted = [...this.#found].sort((a, b) => a.at - b.at);
    const texts = sorted.map((issue) => this.#show(issue));
    if (this.#count > MAX_ISSUES) {
      texts.push(`${this.#count - MAX_ISSUES} more errors were truncated`);
    }
    return texts.join("\n");
  }

  #show({ at, message }: Issue): string {
    if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
    if (this.#source === "") return `ERROR: <input>:1:0: ${message}`;
    const before = this.#source.slice(0, at);
    const start = before.lastIndexOf("\n") + 1;
    const line = before.split("\n").length;
    const column = [...before.slice(start)].length;
    const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
    const end = this.#source.indexOf("\n", start);
    const snippet = this.#source.slice(start, end < 0 ? undefined : end).replaceAll("\t", " ");
    if (snippet.length > MAX_SNIPPET) return head;
    const chars = [...snippet];
    const dots = chars.slice(0, column).map((char) => char.codePointAt(0)! > 127 ? "．" : ".");
    const mark = (chars[column]?.codePointAt(0) ?? 0) > 127 ? "＾" : "^";
    return `${head}\n | ${snippet}\n | ${dots.join("")}${mark}`;
  }
}

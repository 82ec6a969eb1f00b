import { isRecord } from "@kubeloop/controller/internal/base";

/** The depth to which answers and arguments are searched for texts. */
const MAX_DEPTH = 5;

const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * The ids and addresses that an external world has issued in a run. They depend on the number of calls, so two correct runs
 * may differ in them.
 */
export class CloudIds {
  readonly #sent = new Set<string>();
  readonly #issued = new Set<string>();
  readonly #numbers = new Set<string>();

  /** The whole numbers in answers. In a field whose name says so, they are ids. */
  get numbers(): ReadonlySet<string> {
    return this.#numbers;
  }

  /** The issued ids. */
  get issued(): ReadonlySet<string> {
    return this.#issued;
  }

  /** Records the arguments of a call. A text that a process has chosen is not an id of the external world. */
  sent(args: readonly unknown[]): void {
    for (const text of textsIn(args)) {
      if (!this.#issued.has(text)) this.#sent.add(text);
    }
  }

  /** Records the answer to a call. */
  answered(answer: unknown): void {
    for (const text of textsIn(answer)) {
      if (/^\d+$/.test(text)) this.#numbers.add(text);
      if (looksLikeId(text) && !this.#sent.has(text)) this.#issued.add(text);
    }
  }
}

/** Reports whether a text may be an id: it has a digit, and is not a number or a version. */
function looksLikeId(text: string): boolean {
  return text.length >= 3 && /\d/.test(text) && (!/^v?[\d.]+$/.test(text) || ADDRESS.test(text));
}

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  if (Number.isSafeInteger(value)) yield String(value);
  if (depth >= MAX_DEPTH) return;
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  for (const part of parts) yield* textsIn(part, depth + 1);
}

/** The preferred maximum length of the name of a type, in characters. */
const MAX_NAME = 50;

/** The maximum length of a part of a name, in characters. */
const MAX_WORD = 80;

/** Returns text in upper camel case: `UpperCamelCase` for `upper-camel_case`. Only letters and digits are kept. */
export function upperCamel(text: string): string {
  const words = text.split(/[^\p{L}\p{Nd}]/u).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return [...joined].slice(0, MAX_WORD).join("");
}

/** Plural endings with their singular; undefined for endings that do not change. The first match counts. */
const ENDINGS: readonly (readonly [string, string | undefined])[] = [
  ["series", undefined],
  ["ies", "y"],
  ["sses", "ss"],
  ["ses", undefined],
  ["xes", "x"],
  ["shes", "sh"],
  ["tches", "tch"],
  ["nches", "nch"],
  ["ches", undefined],
  ["ss", undefined],
  ["us", undefined],
  ["is", undefined],
  ["s", ""],
];

/** Returns the singular of an English plural in camel case; the same text if the singular is uncertain. */
export function singular(text: string): string {
  const found = ENDINGS.find(([ending]) => text.endsWith(ending));
  if (found === undefined) return text;
  const [ending, replacement] = found;
  const stem = text.slice(0, -ending.length);
  // Keep abbreviations such as `dns` and `TLS`.
  const isWord = ending !== "s" || (stem.length >= 3 && /[a-z]$/.test(stem));
  if (replacement === undefined || !isWord) return text;
  return stem + replacement;
}

/** Chooses unique names. */
export class Names {
  readonly #taken: Set<string>;
  /** The next number for each name that was taken. */
  readonly #numbers = new Map<string, number>();

  /** Marks the `reserved` names as taken. */
  constructor(reserved: Iterable<string>) {
    this.#taken = new Set(reserved);
  }

  /** Returns the first free candidate, or else the last candidate with a number. */
  take(...candidates: readonly [string, ...string[]]): string {
    let name = candidates.find((one) => !this.#taken.has(one));
    const last = candidates.at(-1) as string;
    while (name === undefined) {
      const number = this.#numbers.get(last) ?? 2;
      this.#numbers.set(last, number + 1);
      if (!this.#taken.has(`${last}${number}`)) name = `${last}${number}`;
    }
    this.#taken.add(name);
    return name;
  }

  /**
   * Returns the name of a type at a path below the type `root`. The beginning of a long path is left out if the shorter name
   * is free.
   */
  takePath(root: string, path: readonly string[]): string {
    const all = path.map((_, start) => root + path.slice(start).join(""));
    const short = all.findIndex((name) => name.length <= MAX_NAME);
    const [first = root, ...longer] = all.slice(0, short < 0 ? undefined : short + 1).reverse();
    return this.take(first, ...longer);
  }
}

/** Returns the name of a descriptor: the plural with the capital letters of the kind, as in `ReplicaSets`. */
export function descriptorName(kind: string, plural: string): string {
  const letters = upperCamel(plural);
  let common = 0;
  while (common < kind.length && kind[common]?.toLowerCase() === letters[common]?.toLowerCase()) {
    common++;
  }
  return upperCamel(kind.slice(0, common) + letters.slice(common));
}

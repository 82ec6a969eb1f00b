const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Names that the server completed. */
const GENERATED = /\b(?:gen-|p1\.)[a-z0-9]{5}\b/g;

/** Times of the recording; others were in requests. */
const TIME = /2026-11-20T[0-9:]{8}Z/g;

/** Ages in the cells of tables. */
const AGE = /(?<=[[,])"(?:[0-9]+[smhd]){1,2}"(?=[\],])/g;

const TOKEN = /eyJ2[A-Za-z0-9_-]+/g;

/** What must differ between the recording and a replay: uids, generated names, times. */
export class Substitutions {
  /** From recorded to ours. */
  readonly #ours = new Map<string, string>();

  /** A recorded text with our uids and names. */
  inText(recorded: string): string {
    return this.#apply(recorded);
  }

  /** A recorded URL with our names, also within continue tokens. */
  inUrl(recorded: string): string {
    return this.#apply(recorded).replace(TOKEN, (token) => {
      const text = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
      return btoa(this.#apply(text)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    });
  }

  /** Where our text differs from the recorded one, of which there may be only the beginning. */
  difference(
    ours: string,
    recorded: string,
    recordedLength: number | undefined,
  ): string | undefined {
    this.#learn(ours, recorded, UUID);
    this.#learn(ours, recorded, GENERATED);
    const length = new TextEncoder().encode(ours).length;
    if (recordedLength !== undefined && length !== recordedLength) {
      return `length ${length} instead of ${recordedLength}\n  ours ${
        neutral(ours).slice(0, 3000)
      }\n  real ${neutral(this.#apply(recorded)).slice(0, 3000)}`;
    }
    const wanted = neutral(this.inUrl(recorded));
    let found = neutral(ours);
    if (recordedLength !== undefined) {
      // The cut may fall within something that was replaced.
      const common = Math.min(found.length, wanted.length) - 40;
      if (common > 0 && found.slice(0, common) === wanted.slice(0, common)) return undefined;
      found = found.slice(0, wanted.length);
    }
    if (found === wanted) return undefined;
    let at = 0;
    while (at < found.length && found[at] === wanted[at]) at++;
    const from = Math.max(0, at - 60);
    return `body at ${at}\n  ours …${found.slice(from, at + 200)}\n  real …${
      wanted.slice(from, at + 200)
    }`;
  }

  /** Binds what is recorded to what ours has in the same place. */
  #learn(ours: string, recorded: string, pattern: RegExp): void {
    const left = recorded.match(pattern) ?? [];
    const right = ours.match(pattern) ?? [];
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      if (!this.#ours.has(left[i]!)) this.#ours.set(left[i]!, right[i]!);
    }
  }

  #apply(text: string): string {
    const swap = (found: string) => this.#ours.get(found) ?? found;
    return text.replace(UUID, swap).replace(GENERATED, swap);
  }
}

function neutral(text: string): string {
  return text.replace(TIME, "TIME").replace(AGE, '"AGE"');
}

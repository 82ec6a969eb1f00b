const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Generated names. */
const GENERATED = /\b(?:gen-|p1\.)[a-z0-9]{5}\b/g;

/** Times of the recording; other times come from requests. */
const TIME = /2026-11-20T[0-9:]{8}Z/g;

/** Ages in the cells of Tables. */
const AGE = /(?<=[[,])"(?:[0-9]+[smhd]){1,2}"(?=[\],])/g;

const TOKEN = /eyJ2[A-Za-z0-9_-]+/g;

const ANY_TIME = /20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{8}Z/g;

const REVISION = /(?<=resourceVersion"?: ?")[0-9]+(?=")/g;

const REVISION_IN_URL = /(?<=[?&]resourceVersion=)[0-9]+/g;

/** The resource version of a list or a bookmark, which changes with the writes of other clients. */
const LIST_REVISION =
  /(?<="metadata":\{(?:"continue":"[^"]*",|"creationTimestamp":null,)?"resourceVersion":")[0-9]+/g;

const REVISION_IN_TOKEN = /(?<="rv":)[0-9]+/;

const REVISIONS_IN_MESSAGE =
  /(?<=too old resource version: )[0-9]+ \([0-9]+\)|(?<=resource version: )[0-9]+, current: [0-9]+|(?<=in record \()[0-9]+/g;

/** Build information of the server. */
const BUILD = /(?<="(?:gitCommit|gitTreeState|buildDate|goVersion)": ")[^"]*/g;

/** The values that must differ between the recording and a replay: uids, generated names, times. */
export class Substitutions {
  /** Our values, by the recorded value. */
  readonly #ours = new Map<string, string>();
  /** Our resource versions of objects and lists, by the recorded resource version. */
  readonly #revisions = new Map<number, string>();
  readonly #exact: boolean;

  /** `exactTimesAndRevisions`: whether the replay has the times and resource versions of the recording. */
  constructor(options: { exactTimesAndRevisions: boolean }) {
    this.#exact = options.exactTimesAndRevisions;
  }

  /** Binds a recorded resource version to ours. */
  bindRevision(recorded: number, ours: string): void {
    this.#revisions.set(recorded, ours);
  }

  /** Returns a recorded text with our uids, names and resource versions. */
  inText(recorded: string): string {
    const named = this.#apply(recorded);
    return this.#exact ? named : named.replace(REVISION, (found) => this.#revision(found));
  }

  /** Returns a recorded URL with our names and resource versions, also within continue tokens. */
  inUrl(recorded: string): string {
    const named = this.#inTokens(this.#apply(recorded), (text) => {
      const applied = this.#apply(text);
      if (this.#exact) return applied;
      return applied.replace(REVISION_IN_TOKEN, (found) => this.#revision(found));
    });
    return this.#exact ? named : named.replace(REVISION_IN_URL, (found) => this.#revision(found));
  }

  /** Describes where our text differs from the recorded one, which may be truncated; undefined if they are equal. */
  difference(
    ours: string,
    recorded: string,
    recordedLength: number | undefined,
  ): string | undefined {
    this.#learn(ours, recorded, UUID);
    this.#learn(ours, recorded, GENERATED);
    if (!this.#exact) this.#learnRevisions(ours, recorded);
    const length = new TextEncoder().encode(ours).length;
    if (this.#exact && recordedLength !== undefined && length !== recordedLength) {
      return `length ${length} instead of ${recordedLength}\n  ours ${
        this.#neutral(ours).slice(0, 3000)
      }\n  real ${this.#neutral(this.#apply(recorded)).slice(0, 3000)}`;
    }
    const wanted = this.#neutral(this.inUrl(this.inText(recorded)));
    let found = this.#neutral(ours);
    if (recordedLength !== undefined) {
      // The recording may be truncated within a replaced value.
      const common = Math.min(found.length, wanted.length) - 40;
      if (common > 0 && found.slice(0, common) === wanted.slice(0, common)) return undefined;
      found = found.slice(0, wanted.length);
    }
    if (found === wanted) return undefined;
    let at = 0;
    while (at < found.length && found[at] === wanted[at]) at++;
    const from = Math.max(0, at - 60);
    return `body at ${at}\n  found  …${found.slice(from, at + 200)}\n  wanted …${
      wanted.slice(from, at + 200)
    }`;
  }

  /** Binds the recorded values to ours, by their order in the text. */
  #learn(ours: string, recorded: string, pattern: RegExp): void {
    const left = recorded.match(pattern) ?? [];
    const right = ours.match(pattern) ?? [];
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      if (!this.#ours.has(left[i]!)) this.#ours.set(left[i]!, right[i]!);
    }
  }

  /** Binds resource versions. The versions of objects are exact. The version of a list is used only if no object has it. */
  #learnRevisions(ours: string, recorded: string): void {
    const left = recorded.match(REVISION) ?? [];
    const right = ours.match(REVISION) ?? [];
    const lists = new Set(recorded.match(LIST_REVISION));
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      const revision = Number(left[i]);
      if (!this.#revisions.has(revision) || !lists.has(left[i]!)) {
        this.#revisions.set(revision, right[i]!);
      }
    }
  }

  /** Returns our resource version for a recorded one: at the same distance from a known one as in the recording. */
  #revision(recorded: string): string {
    const revision = Number(recorded);
    // Very small ones are too old on every server, very large ones in the future.
    if (revision < 100 || revision > 100_000) return recorded;
    let best: number | undefined;
    for (const known of this.#revisions.keys()) {
      if (known <= revision && (best === undefined || known > best)) best = known;
    }
    if (best === undefined) return recorded;
    return String(Number(this.#revisions.get(best)) + revision - best);
  }

  #apply(text: string): string {
    const swap = (found: string) => this.#ours.get(found) ?? found;
    return text.replace(UUID, swap).replace(GENERATED, swap);
  }

  #inTokens(text: string, change: (token: string) => string): string {
    return text.replace(TOKEN, (token) => {
      const changed = change(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
      return btoa(changed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    });
  }

  #neutral(text: string): string {
    const aged = text.replace(AGE, '"AGE"');
    if (this.#exact) return aged.replace(TIME, "TIME");
    return this.#inTokens(aged, (token) => token.replace(REVISION_IN_TOKEN, "0"))
      .replace(ANY_TIME, "TIME").replace(LIST_REVISION, "LIST")
      .replace(REVISIONS_IN_MESSAGE, "REVISIONS").replace(BUILD, "BUILD");
  }
}

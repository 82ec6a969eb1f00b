import { type Journal, objectName, type SentWrite } from "../record/mod.ts";
import { changedFields, lastChange } from "./last_change.ts";

/** The window in which writes are counted, in milliseconds of virtual time. */
const WINDOW_MS = 60_000;

/** Detects a process that changes one object again and again. */
export class HotWrites {
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #limit: number;
  readonly #times = new Map<string, number[]>();
  readonly #counted = new Set<number>();

  /** Counts the writes in `journal`. One process may change one object `limit` times within a minute. */
  constructor(journal: Journal, now: () => number, limit: number) {
    this.#journal = journal;
    this.#now = now;
    this.#limit = limit;
  }

  /** Counts a write that was carried out. Returns an error message if it was one too many. */
  count(write: SentWrite): string | undefined {
    const { process, version } = write;
    const { commits, writers } = this.#journal;
    // A write that changes nothing is answered with the version of an earlier one.
    if (this.#counted.has(version) || writers.get(version) !== process) return undefined;
    this.#counted.add(version);
    const commit = commits.findLast(({ write: { resourceVersion } }) =>
      Number(resourceVersion) === version
    );
    if (commit === undefined) return undefined;
    const key = `${process} ${objectName(write)}`;
    const times = this.#times.get(key) ?? [];
    this.#times.set(key, times);
    const nowMs = this.#now();
    times.push(nowMs);
    while (times[0]! < nowMs - WINDOW_MS) times.shift();
    if (times.length <= this.#limit || !this.#repeatsItself(write, times[0]!)) return undefined;
    return `${process} has changed ${objectName(write)} ${times.length} times within a minute: ${
      lastChange(commit.write, this.#journal)
    }`;
  }

  /** Reports whether one field was changed too often. Many objects may each change a field of a shared one. */
  #repeatsItself(write: SentWrite, sinceMs: number): boolean {
    const name = objectName(write);
    const counts = new Map<string, number>();
    const { moments } = this.#journal.history;
    for (let i = moments.length - 1; i >= 0 && moments[i]!.atMs >= sinceMs; i--) {
      const moment = moments[i]!;
      if (moment.kind !== "committed" || objectName(moment.write) !== name) continue;
      for (const field of changedFields(moment.write)) {
        const count = (counts.get(field) ?? 0) + 1;
        if (count > this.#limit) return true;
        counts.set(field, count);
      }
    }
    return false;
  }
}

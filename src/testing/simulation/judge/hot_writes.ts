import { type Journal, objectName, type SentWrite } from "../record/mod.ts";
import { lastChange } from "./last_change.ts";

/** The number of times that one process may change one object within a minute of virtual time. */
const LIMIT = 60;
const WINDOW_MS = 60_000;

/** Detects a process that changes one object again and again. */
export class HotWrites {
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #times = new Map<string, number[]>();
  readonly #counted = new Set<number>();

  constructor(journal: Journal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
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
    if (times.length <= LIMIT) return undefined;
    return `${process} has changed ${objectName(write)} ${times.length} times within a minute: ${
      lastChange(commit.write, this.#journal)
    }`;
  }
}

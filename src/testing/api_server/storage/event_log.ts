import type { KubeObject } from "@kubeloop/controller/types";
import type { StoredObject } from "./stored_object.ts";

/** One write, as the log keeps it. */
export interface LogEntry {
  /** The revision of the write. */
  readonly revision: number;
  /** What happened. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The object after the write; for DELETED its last state with the revision of the deletion. */
  readonly object: StoredObject;
  /** The object before the write. */
  readonly previous: StoredObject | undefined;
}

/** An entry while it is handed to the watches: with the parsed objects and the lines that are shared between them. */
export interface LiveEntry extends LogEntry {
  /** The parsed {@linkcode LogEntry.object}; treat it as frozen. */
  readonly value: KubeObject;
  /** The parsed {@linkcode LogEntry.previous}. */
  previousValue(): KubeObject | undefined;
  /** Encoded lines by representation, so that a thousand equal watches encode once. */
  readonly lines: Map<string, Uint8Array>;
}

/** The writes to one resource, oldest first, bounded: the oldest are forgotten. */
export class EventLog {
  readonly #capacity: number;
  /** Entries before `#head` are forgotten and undefined. */
  #entries: (LogEntry | undefined)[] = [];
  #head = 0;
  #forgottenRevision = 0;

  /** Keeps at most `capacity` entries. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The revision of the newest entry that is forgotten: history is complete after it. 0 when none is. */
  get forgottenRevision(): number {
    return this.#forgottenRevision;
  }

  /** How many entries it holds. */
  get length(): number {
    return this.#entries.length - this.#head;
  }

  /** Adds the newest entry. */
  append(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.length > this.#capacity) this.#forgetOldest();
    // Halving moves each entry once on average.
    if (this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Forgets every entry and that there were any up to `revision`. */
  clear(revision: number): void {
    this.#entries = [];
    this.#head = 0;
    this.#forgottenRevision = revision;
  }

  /** The entries after `revision`, oldest first. */
  after(revision: number): LogEntry[] {
    return this.#entries.slice(this.#indexAfter(revision)) as LogEntry[];
  }

  /** Whether there is an entry after `revision`. */
  hasAfter(revision: number): boolean {
    const last = this.#entries[this.#entries.length - 1];
    return last !== undefined && last.revision > revision;
  }

  #forgetOldest(): void {
    const oldest = this.#entries[this.#head];
    if (oldest !== undefined) this.#forgottenRevision = oldest.revision;
    this.#entries[this.#head++] = undefined;
  }

  /** The index of the first entry whose revision is greater; revisions grow, so it is found by halving. */
  #indexAfter(revision: number): number {
    let low = this.#head;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

import type { KubeObject } from "@kubeloop/controller/types";
import type { StoredObject } from "./stored_object.ts";

/** The sender of a request. All writes of one request share the object. */
export interface RequestAuthor {
  /** The User-Agent. */
  readonly userAgent: string;
  /** The name of the user. */
  readonly user: string;
  /** The parameter `fieldManager`; empty if the request has none. */
  readonly fieldManager: string;
}

/** One write in the log of a resource. */
export interface LogEntry {
  /** The revision of the write. */
  readonly revision: number;
  /** The type of the watch event that an unfiltered watch sends for this write. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The object after the write. For DELETED: the last state of the object, with the revision of the deletion. */
  readonly object: StoredObject;
  /** The object before the write; undefined for ADDED. */
  readonly previous: StoredObject | undefined;
  /** The sender of the request that made the write; undefined if the server made it by itself. */
  readonly author?: RequestAuthor | undefined;
}

/** A log entry with the parsed objects and encoded lines that open watches share. */
export interface LiveEntry extends LogEntry {
  /** The parsed {@linkcode LogEntry.object}. All watches share it, so do not modify it. */
  readonly value: KubeObject;
  /** Returns the parsed {@linkcode LogEntry.previous}, or undefined if there is no previous object. */
  previousValue(): KubeObject | undefined;
  /** Encoded lines by event type and representation, so that a thousand equal watches encode the event once. */
  readonly lines: Map<string, Uint8Array>;
}

/**
 * The writes to one resource, oldest first. The log is bounded: it drops the oldest entries when it is full. The storage
 * drops further entries when all logs together take too much memory.
 */
export class EventLog {
  readonly #capacity: number;
  /** Entries before `#head` have been dropped and are undefined. */
  #entries: (LogEntry | undefined)[] = [];
  #head = 0;
  #forgottenRevision = 0;
  #bytes = 0;

  /** Creates an empty log that keeps at most `capacity` entries. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * The revision after which the log is complete: that of the newest dropped entry, or the one given to `clear()`. 0 if
   * nothing was dropped.
   */
  get forgottenRevision(): number {
    return this.#forgottenRevision;
  }

  /** The number of entries that the log holds. */
  get length(): number {
    return this.#entries.length - this.#head;
  }

  /** The memory that the objects of the entries take, in bytes. Objects that two entries share count twice. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The revision of the oldest entry; undefined if the log is empty. */
  get oldestRevision(): number | undefined {
    return this.#entries[this.#head]?.revision;
  }

  /** Appends an entry, which must be newer than all others, and drops the oldest entry if the log is full. */
  append(entry: LogEntry): void {
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry);
    if (this.length > this.#capacity) this.#forgetOldest();
  }

  /** Drops the oldest entry if its revision is `revision`. */
  forget(revision: number): void {
    if (this.oldestRevision === revision) this.#forgetOldest();
  }

  /** Drops every entry. From then on the log is complete only after `revision`. */
  clear(revision: number): void {
    this.#entries = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#forgottenRevision = revision;
  }

  /** Returns the entries after `revision`, oldest first. */
  after(revision: number): LogEntry[] {
    return this.#entries.slice(this.#indexAfter(revision)) as LogEntry[];
  }

  /** Reports whether the log has an entry after `revision`. */
  hasAfter(revision: number): boolean {
    const last = this.#entries[this.#entries.length - 1];
    return last !== undefined && last.revision > revision;
  }

  #forgetOldest(): void {
    const oldest = this.#entries[this.#head]!;
    this.#forgottenRevision = oldest.revision;
    this.#bytes -= bytesOf(oldest);
    this.#entries[this.#head++] = undefined;
    // Compacting only when more than half is dropped moves each entry at most once on average.
    if (this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Returns the index of the first entry after `revision`. Revisions ascend, so a binary search finds it. */
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

function bytesOf({ object, previous }: LogEntry): number {
  return object.bytes + (previous?.bytes ?? 0);
}

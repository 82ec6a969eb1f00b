import { ByteParts } from "@kubeloop/controller/internal/base";

const LINE_FEED = 10;

/** The maximum size of a piece of a line. Like container runtimes, the log splits longer lines. */
const MAX_PIECE_BYTES = 16 * 1024;

/** Text that a container has written at once: a line, or a piece of a long one. */
export interface LogEntry {
  /** The wall time at which it was written, in milliseconds. */
  readonly atMs: number;
  /** The text, with its line break, if the line ends here. */
  readonly bytes: Uint8Array;
  /** Whether a line begins here. */
  readonly isStart: boolean;
}

/**
 * The log of one instance of a container. Text becomes readable with its line break, or with the end of the container. Of
 * a log that is longer than the limit, the oldest entries are dropped, as by the rotation of a kubelet.
 */
export class ContainerLog {
  readonly #maxBytes: number;
  readonly #listeners = new Set<() => void>();
  #entries: LogEntry[] = [];
  /** The number of entries that were dropped. */
  #dropped = 0;
  #bytes = 0;
  #pending = new ByteParts();
  #isStart = true;
  #hasEnded = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the container has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The position of the oldest entry that is left. */
  get start(): number {
    return this.#dropped;
  }

  /** The position after the last entry. */
  get end(): number {
    return this.#dropped + this.#entries.length;
  }

  /** Returns the entry at a position from `start` on, before `end`. */
  at(position: number): LogEntry {
    return this.#entries[position - this.#dropped]!;
  }

  /** Returns the position at which the last `lines` lines begin. */
  tail(lines: number): number {
    let position = this.end;
    for (let left = lines; left > 0 && position > this.start;) {
      position--;
      if (this.at(position).isStart) left--;
    }
    return position;
  }

  /** Adds text. */
  write(bytes: Uint8Array, atMs: number): void {
    let start = 0;
    for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
      this.#pending.push(bytes.slice(start, end + 1));
      this.#flush(atMs);
    }
    for (; start < bytes.length; start += MAX_PIECE_BYTES) {
      this.#pending.push(bytes.slice(start, start + MAX_PIECE_BYTES));
      if (this.#pending.length >= MAX_PIECE_BYTES) this.#flush(atMs);
    }
    this.#notify();
  }

  /** Notes that the container has ended. Further text is not expected. */
  finish(atMs: number): void {
    if (this.#hasEnded) return;
    if (this.#pending.length > 0) this.#flush(atMs);
    this.#hasEnded = true;
    this.#notify();
  }

  /** Calls `listener` after each change. Returns a function that removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #flush(atMs: number): void {
    const bytes = this.#pending.join();
    this.#pending = new ByteParts();
    this.#entries.push({ atMs, bytes, isStart: this.#isStart });
    this.#isStart = bytes[bytes.length - 1] === LINE_FEED;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) this.#rotate();
  }

  /** Drops the older half, so that most writes drop nothing. */
  #rotate(): void {
    let count = 0;
    while (this.#bytes > this.#maxBytes / 2 && count < this.#entries.length - 1) {
      this.#bytes -= this.#entries[count++]!.bytes.length;
    }
    this.#entries = this.#entries.slice(count);
    this.#dropped += count;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

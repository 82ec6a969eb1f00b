import { TextHash } from "../base/mod.ts";
import type { TimedLine } from "./log_time.ts";

/**
 * The seconds whose lines are remembered, counted from the newest. Lines of the two outputs of a container may be written in
 * another order than they have times.
 */
const REMEMBERED_SECONDS = 2;

/** The largest number of different lines of a second that are remembered. */
const MAX_LINES = 50_000;

/** The number of times that lines were delivered, by what tells them apart. */
type Counts = Map<string, number>;

/**
 * Where a log was cut off. A server can send a log again from a second on, so the lines of the last seconds are remembered:
 * by their time in nanoseconds, by their text, and by how often they were delivered. That holds when several lines have the
 * same time, and also when the log was rotated or its container was restarted.
 */
export class ResumePoint {
  readonly #seconds = new Map<number, Counts>();
  #newest = -Infinity;

  /** The second from which a log is to be read again; undefined if nothing was delivered. */
  get fromSecond(): number | undefined {
    return this.#newest === -Infinity ? undefined : this.#newest - REMEMBERED_SECONDS + 1;
  }

  /** Returns what tells the lines of one more answer from those that were delivered. */
  replay(): Replay {
    const counts = [...this.#seconds].map(([second, lines]) => [second, new Map(lines)] as const);
    return new Replay(this, new Map(counts), this.fromSecond ?? -Infinity);
  }

  /** Notes that a line, or the part of a line, was delivered. */
  deliver({ second }: TimedLine, key: string): void {
    if (second > this.#newest) {
      this.#newest = second;
      for (const old of this.#seconds.keys()) {
        if (old < this.fromSecond!) this.#seconds.delete(old);
      }
    }
    if (second < this.fromSecond!) return;
    let lines = this.#seconds.get(second);
    if (lines === undefined) this.#seconds.set(second, lines = new Map());
    lines.set(key, (lines.get(key) ?? 0) + 1);
    if (lines.size <= MAX_LINES) return;
    for (const oldest of lines.keys()) {
      lines.delete(oldest);
      break;
    }
  }
}

/** The lines of one answer, some of which were delivered before. */
export class Replay {
  readonly #point: ResumePoint;
  readonly #delivered: Map<number, Counts>;
  readonly #fromSecond: number;

  constructor(point: ResumePoint, delivered: Map<number, Counts>, fromSecond: number) {
    this.#point = point;
    this.#delivered = delivered;
    this.#fromSecond = fromSecond;
  }

  /**
   * Reports whether a line is new, and then notes that it is delivered.
   *
   * @param line The line.
   * @param part The number of parts of the same line before this one.
   */
  isNew(line: TimedLine, part: number): boolean {
    if (line.second < this.#fromSecond) return false;
    const [a, b] = new TextHash().add(line.line).words();
    const key = `${line.nanos} ${part} ${a} ${b}`;
    const lines = this.#delivered.get(line.second);
    const count = lines?.get(key) ?? 0;
    if (lines !== undefined && count > 0) {
      if (count === 1) lines.delete(key);
      else lines.set(key, count - 1);
      if (lines.size === 0) this.#delivered.delete(line.second);
      return false;
    }
    this.#point.deliver(line, key);
    return true;
  }
}

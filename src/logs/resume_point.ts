import { LruMap, TextHash } from "../base/mod.ts";
import type { TimedLine } from "./log_time.ts";

/**
 * The seconds whose lines are remembered, counted from the newest. Lines of the two outputs of a container may be
 * written in another order than they have times.
 */
const REMEMBERED_SECONDS = 2;

/** The largest number of different lines of a second that are remembered. */
const MAX_LINES = 50_000;

/** The number of times that lines were delivered, by what tells them apart. */
type Counts = LruMap<string, number>;

/**
 * Where a log was cut off. A server can send a log again from a second on, so the lines of the last seconds are
 * remembered: by their time in nanoseconds, by their text, and by how often they were delivered. That holds when
 * several lines have the same time, and also when the log was rotated or its container was restarted.
 */
export class ResumePoint {
  readonly #seconds = new Map<number, Counts>();
  readonly #isWhole: boolean;
  #newest = -Infinity;
  /** The first line, unless the lines before it are wanted too. */
  #first: TimedLine | undefined;

  /**
   * Creates the point before the first line.
   *
   * @param isWhole Whether all lines of the log are wanted. Otherwise, lines that are older than the first delivered
   *   line are
   * not: they were left out at the start.
   */
  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** The second from which a log is to be read again; undefined if nothing was delivered. */
  get fromSecond(): number | undefined {
    return this.#newest === -Infinity ? undefined : this.#newest - REMEMBERED_SECONDS + 1;
  }

  /** Returns a filter that drops the lines of the next answer that were delivered before. */
  replay(): Replay {
    const counts = [...this.#seconds].map(([second, lines]) => [second, new Map(lines)] as const);
    const { fromSecond = -Infinity } = this;
    return new Replay(this, new Map(counts), { fromSecond, first: this.#first });
  }

  /** Notes that a line, or the part of a line, was delivered. */
  deliver(line: TimedLine, key: string): void {
    const { second } = line;
    if (!this.#isWhole) this.#first ??= line;
    if (second > this.#newest) {
      this.#newest = second;
      for (const old of this.#seconds.keys()) {
        if (old < this.fromSecond!) this.#seconds.delete(old);
      }
    }
    if (second < this.fromSecond!) return;
    let lines = this.#seconds.get(second);
    if (lines === undefined) this.#seconds.set(second, lines = new LruMap(MAX_LINES));
    lines.set(key, (lines.get(key) ?? 0) + 1);
  }
}

/** The lines of one answer. Some may have been delivered before. */
export class Replay {
  readonly #point: ResumePoint;
  readonly #delivered: Map<number, Map<string, number>>;
  readonly #fromSecond: number;
  readonly #first: TimedLine | undefined;

  constructor(
    point: ResumePoint,
    delivered: Map<number, Map<string, number>>,
    { first, fromSecond }: { readonly fromSecond: number; readonly first: TimedLine | undefined },
  ) {
    this.#point = point;
    this.#delivered = delivered;
    this.#fromSecond = fromSecond;
    this.#first = first;
  }

  /**
   * Reports whether a line is new, and then notes that it is delivered.
   *
   * @param line The line.
   * @param part The number of parts of the same line before this one.
   */
  isNew(line: TimedLine, part: number): boolean {
    if (line.second < this.#fromSecond || this.#isBeforeFirst(line)) return false;
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

  #isBeforeFirst({ nanos, second }: TimedLine): boolean {
    const first = this.#first;
    if (first === undefined || second > first.second) return false;
    return second < first.second || nanos < first.nanos;
  }
}

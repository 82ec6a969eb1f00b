/**
 * The maximum number of edits in a search for a shortest edit script. The memory of the search is the square of it: 16 MB.
 */
const MAX_EDITS = 2_000;

/** The maximum number of line comparisons in all searches together: some tenths of a second. */
const MAX_COMPARISONS = 20_000_000;

/** The maximum number of nested splits at common unique lines, for ranges that are too large for a search. */
const MAX_SPLITS = 4;

/** A change of the lines from `beforeStart` to `beforeEnd` (exclusive) to the lines from `afterStart` to `afterEnd`. */
export interface LineChange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Returns the changes between two lists of lines, in order. */
export function compareLines(before: readonly string[], after: readonly string[]): LineChange[] {
  // Most texts differ in a few places.
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  return new Comparison(middle(before), middle(after)).changes().map((change) => ({
    beforeStart: change.beforeStart + head,
    beforeEnd: change.beforeEnd + head,
    afterStart: change.afterStart + head,
    afterEnd: change.afterEnd + head,
  }));
}

class Comparison {
  /** The lines as numbers: equal lines have equal numbers. */
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  readonly #changes: LineChange[] = [];
  #comparisons = 0;

  constructor(before: readonly string[], after: readonly string[]) {
    const numbers = new Map<string, number>();
    const numberOf = (line: string) => {
      let number = numbers.get(line);
      if (number === undefined) numbers.set(line, number = numbers.size);
      return number;
    };
    this.#before = Int32Array.from(before, numberOf);
    this.#after = Int32Array.from(after, numberOf);
  }

  changes(): LineChange[] {
    this.#compare({
      beforeStart: 0,
      beforeEnd: this.#before.length,
      afterStart: 0,
      afterEnd: this.#after.length,
    }, 0);
    return this.#changes;
  }

  #compare(range: LineChange, splits: number): void {
    const trimmed = this.#trim(range);
    const { beforeStart, beforeEnd, afterStart, afterEnd } = trimmed;
    if (beforeStart === beforeEnd && afterStart === afterEnd) return;
    if (beforeStart === beforeEnd || afterStart === afterEnd) return this.#add(trimmed);
    if (this.#shortestWay(trimmed)) return;
    const parts = splits < MAX_SPLITS ? this.#split(trimmed) : [];
    if (parts.length === 0) return this.#add(trimmed);
    for (const part of parts) this.#compare(part, splits + 1);
  }

  /** Removes the common lines at the start and at the end of a range. */
  #trim({ beforeStart, beforeEnd, afterStart, afterEnd }: LineChange): LineChange {
    const [a, b] = [this.#before, this.#after];
    while (beforeStart < beforeEnd && afterStart < afterEnd && a[beforeStart] === b[afterStart]) {
      beforeStart++;
      afterStart++;
    }
    while (
      beforeStart < beforeEnd && afterStart < afterEnd && a[beforeEnd - 1] === b[afterEnd - 1]
    ) {
      beforeEnd--;
      afterEnd--;
    }
    return { beforeStart, beforeEnd, afterStart, afterEnd };
  }

  #add(change: LineChange): void {
    const last = this.#changes.at(-1);
    if (last?.beforeEnd !== change.beforeStart || last.afterEnd !== change.afterStart) {
      this.#changes.push(change);
      return;
    }
    const { beforeStart, afterStart } = last;
    this.#changes[this.#changes.length - 1] = { ...change, beforeStart, afterStart };
  }

  /**
   * Finds a shortest edit script of a range (Myers 1986, "An O(ND) difference algorithm"), and adds its changes.
   *
   * @returns False if the search would take too long.
   */
  #shortestWay({ beforeStart, beforeEnd, afterStart, afterEnd }: LineChange): boolean {
    const [a, b] = [this.#before, this.#after];
    const width = beforeEnd - beforeStart;
    const height = afterEnd - afterStart;
    const maxEdits = Math.min(MAX_EDITS, width + height);
    // The furthest line of `before` that is reached on each diagonal; -1 for none.
    const furthest = new Int32Array(2 * maxEdits + 3).fill(-1);
    const zero = maxEdits + 1;
    furthest[zero + 1] = 0;
    const trace: Int32Array[] = [];
    for (let edits = 0; edits <= maxEdits; edits++) {
      trace.push(furthest.slice(zero - edits - 1, zero + edits + 2));
      const first = -edits + 2 * Math.max(0, edits - height);
      const last = edits - 2 * Math.max(0, edits - width);
      for (let diagonal = first; diagonal <= last; diagonal += 2) {
        const inserted = furthest[zero + diagonal + 1]!;
        const deleted = furthest[zero + diagonal - 1]!;
        let x = inserted > deleted ? inserted : deleted + 1;
        const start = x;
        while (
          x < width && x - diagonal < height &&
          a[beforeStart + x] === b[afterStart + x - diagonal]
        ) x++;
        this.#comparisons += x - start + 1;
        furthest[zero + diagonal] = x;
        if (x >= width && x - diagonal >= height) {
          this.#walkBack(trace, { beforeStart, beforeEnd, afterStart, afterEnd });
          return true;
        }
      }
      if (this.#comparisons > MAX_COMPARISONS) return false;
    }
    return false;
  }

  /** Adds the changes of an edit script, which is traced back from its end. */
  #walkBack(trace: readonly Int32Array[], range: LineChange): void {
    const changes: LineChange[] = [];
    let x = range.beforeEnd - range.beforeStart;
    let y = range.afterEnd - range.afterStart;
    for (let edits = trace.length - 1; edits > 0; edits--) {
      const furthest = trace[edits]!;
      const zero = edits + 1;
      const diagonal = x - y;
      const inserted = furthest[zero + diagonal + 1]!;
      const deleted = furthest[zero + diagonal - 1]!;
      const isInsertion = inserted > deleted;
      // The place after the edit, and before the equal lines that follow it.
      const endX = isInsertion ? inserted : deleted + 1;
      const endY = endX - diagonal;
      x = isInsertion ? endX : endX - 1;
      y = isInsertion ? endY - 1 : endY;
      changes.push({
        beforeStart: range.beforeStart + x,
        beforeEnd: range.beforeStart + endX,
        afterStart: range.afterStart + y,
        afterEnd: range.afterStart + endY,
      });
    }
    for (const change of changes.reverse()) this.#add(change);
  }

  /**
   * Splits a range at lines that both sides have exactly once, in the same order ("patience diff"). Returns an empty list if
   * there are none.
   */
  #split({ beforeStart, beforeEnd, afterStart, afterEnd }: LineChange): LineChange[] {
    const onlyBefore = placesOfUnique(this.#before, beforeStart, beforeEnd);
    const onlyAfter = placesOfUnique(this.#after, afterStart, afterEnd);
    const pairs: (readonly [number, number])[] = [];
    for (const [line, at] of onlyBefore) {
      const other = onlyAfter.get(line);
      if (other !== undefined) pairs.push([at, other]);
    }
    const anchors = longestIncreasing(pairs);
    if (anchors.length === 0) return [];
    const parts: LineChange[] = [];
    let [before, after] = [beforeStart, afterStart];
    for (const [at, other] of anchors) {
      parts.push({ beforeStart: before, beforeEnd: at, afterStart: after, afterEnd: other });
      [before, after] = [at + 1, other + 1];
    }
    parts.push({ beforeStart: before, beforeEnd, afterStart: after, afterEnd });
    return parts;
  }
}

/** Returns the indexes of the unique lines of a range, in order. */
function placesOfUnique(lines: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>();
  for (let at = start; at < end; at++) {
    const line = lines[at]!;
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** Returns a longest subsequence of the pairs with increasing second numbers. The first numbers increase already. */
function longestIncreasing(
  pairs: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  /** For each length, the index of the pair with the smallest second number at the end of such a subsequence. */
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, value], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = index;
  });
  const found: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) found.push(pairs[at]!);
  return found.reverse();
}

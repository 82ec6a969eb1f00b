import type { Counter, Gauge, Histogram } from "../base/mod.ts";
import { numberText, sampleLine, withLabel } from "./prometheus_text.ts";

/** The value of a metric with one label set. */
export interface Series {
  /** Returns the lines of the text format. */
  lines(name: string, labels: string): string;
}

export class CounterSeries implements Counter, Series {
  #value = 0;

  inc(by = 1): void {
    if (!Number.isFinite(by) || by < 0) {
      throw new RangeError(`A counter increases by a finite number of at least 0: received ${by}`);
    }
    this.#value += by;
  }

  lines(name: string, labels: string): string {
    return sampleLine(name, labels, this.#value);
  }
}

export class GaugeSeries implements Gauge, Series {
  #value = 0;

  set(value: number): void {
    this.#value = requireNumber(value);
  }

  inc(by = 1): void {
    this.#value += requireNumber(by);
  }

  dec(by = 1): void {
    this.#value -= requireNumber(by);
  }

  lines(name: string, labels: string): string {
    return sampleLine(name, labels, this.#value);
  }
}

/** Requires a number: a text would be concatenated. */
function requireNumber(value: unknown): number {
  if (typeof value === "number") return value;
  throw new TypeError(`A gauge has a number: received a value of type ${typeof value}`);
}

/** A histogram; without bounds it is a summary with count and sum. */
export class HistogramSeries implements Histogram, Series {
  readonly #bounds: readonly number[] | undefined;
  /** The number of values per bucket, not cumulative. */
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[] | undefined) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds?.length ?? 0).fill(0);
  }

  observe(value: number): void {
    if (!Number.isFinite(value)) {
      throw new RangeError(`A histogram observes finite numbers: received ${value}`);
    }
    this.#sum += value;
    this.#count++;
    const bounds = this.#bounds;
    if (bounds === undefined) return;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i++;
    if (i < bounds.length) this.#counts[i] = (this.#counts[i] as number) + 1;
  }

  lines(name: string, labels: string): string {
    let text = "";
    if (this.#bounds !== undefined) {
      let total = 0;
      this.#bounds.forEach((bound, i) => {
        total += this.#counts[i] as number;
        text += sampleLine(`${name}_bucket`, withLabel(labels, "le", numberText(bound)), total);
      });
      text += sampleLine(`${name}_bucket`, withLabel(labels, "le", "+Inf"), this.#count);
    }
    return text + sampleLine(`${name}_sum`, labels, this.#sum) +
      sampleLine(`${name}_count`, labels, this.#count);
  }
}

/**
 * Returns a selection of at most `max` upper bounds: the first, the last, and bounds between them in nearly equal ratios, so
 * that the relative precision is the same everywhere.
 *
 * @param bounds The increasing bounds.
 * @param max The maximum number of bounds, at least 2.
 */
export function thinBuckets(bounds: readonly number[], max: number): readonly number[] {
  if (bounds.length <= max) return bounds;
  // Ratios need positive numbers. Other bounds are selected by position.
  const isPositive = (bounds[0] as number) > 0;
  const scale = bounds.map((bound, i) => isPositive ? Math.log(bound) : i);
  const from = scale[0] as number;
  const span = (scale.at(-1) as number) - from;
  const kept: number[] = [];
  let at = 0;
  for (let i = 0; i < max; i++) {
    const wanted = from + span * i / (max - 1);
    // Enough bounds must remain for the rest of the selection.
    const last = bounds.length - (max - i);
    while (at < last && distance(scale, at + 1, wanted) <= distance(scale, at, wanted)) at++;
    kept.push(bounds[at++] as number);
  }
  return kept;
}

function distance(scale: readonly number[], at: number, wanted: number): number {
  return Math.abs((scale[at] as number) - wanted);
}

/**
 * The comparison of a run with the kept one, by ratios to the floor, so that the speed of the machine does not matter.
 *
 * @module
 */

import { withQuartiles } from "./report.ts";
import { type BenchResult, find, label } from "./results.ts";
import type { Spread } from "./stats.ts";

/** Below this difference, builds of the same code differ, too. */
const LEAST_MARGIN = 0.05;
/** The widest margin that still shows anything. */
const MOST_MARGIN = 0.25;
/** Of a thousand ratios that have not changed, one differs by more standard errors than this. */
const STANDARD_ERRORS = 3;
/** With fewer rounds, quartiles say nothing about the noise. */
const LEAST_ROUNDS = 4;

/** The comparison of one ratio. */
export interface Comparison {
  /** The line of the report. */
  readonly line: string;
  readonly isPassed: boolean;
}

/**
 * Compares the ratios of kubeloop with those of the kept run. A ratio may exceed the kept one by the margin that the
 * noise of both runs justifies; if that is too wide to show anything, or the ratio is missing, the check fails.
 *
 * @throws {Error} If the two runs have nothing in common.
 */
export function check(kept: BenchResult, run: BenchResult): Comparison[] {
  const comparisons = run.cases.flatMap((now) => {
    const before = kept.cases.find(({ name }) => name === now.name);
    if (before === undefined || !isSame([kept.pods, before.size], [run.pods, now.size])) return [];
    return now.results.filter(({ client }) => client.startsWith("kubeloop")).flatMap((one) => {
      const ratios = find(before.results, one.client, one.runtime)?.ratios ?? {};
      return Object.entries(ratios).map(([figure, ratio]) => {
        const { title = figure } = now.figures.find(({ name }) => name === figure) ?? {};
        const what = `${now.name}: ${label(one.client)} on ${one.runtime}: ${title}`;
        return compare(what, ratio, one.ratios[figure]);
      });
    });
  });
  if (comparisons.length > 0) return comparisons;
  throw new Error("The kept run has no ratios of the same cases, sizes, clients and runtimes");
}

function compare(what: string, kept: Spread, now: Spread | undefined): Comparison {
  const before = `${what}: × floor was ${withQuartiles(kept)}`;
  if (now === undefined) {
    return { line: `MISSING ${before}, and was not measured`, isPassed: false };
  }
  const change = now.median / kept.median - 1;
  const margin = Math.max(LEAST_MARGIN, STANDARD_ERRORS * Math.hypot(error(kept), error(now)));
  const isPassed = change <= margin && margin <= MOST_MARGIN;
  const verdict = isPassed ? "ok     " : change > margin ? "SLOWER " : "NOISY  ";
  const by = `${change < 0 ? "−" : "+"}${percent(Math.abs(change))}`;
  const within = Number.isFinite(margin) ? `margin ${percent(margin)}` : "too few rounds";
  const line = `${verdict} ${before}, is ${withQuartiles(now)}: ${by}, ${within}`;
  return { line, isPassed };
}

/**
 * Returns the standard error of the median, as a share of it. Quartiles are 1.35 standard deviations apart, and the error
 * of a median is 1.25 of them over the root of the count. With few rounds both are guesses, and the quartiles too close:
 * Student's factor makes up for it.
 */
function error({ median, low, high, count }: Spread): number {
  if (count < LEAST_ROUNDS) return Infinity;
  const student = 1 + 4 / count;
  return student * 1.25 * (high - low) / 1.35 / Math.sqrt(count) / median;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

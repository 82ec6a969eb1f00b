/**
 * The results of the bench: the format of `--json`, and the input of the report, the targets and the chart.
 *
 * @module
 */

import type { Figure, Measured, Size } from "./cases/case.ts";
import { median } from "./stats.ts";

/** The machine and the versions. */
export interface Facts {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly os: string;
  /** The versions of the runtimes, kubeloop and the other clients, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/** The results of one client on one runtime. */
export interface ClientResult {
  readonly client: string;
  readonly runtime: string;
  readonly runs: readonly Measured[];
  /** The reasons of failed runs, one line each. */
  readonly failures: readonly string[];
}

/** The results of one case. */
export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly size: Size;
  readonly figures: readonly Figure[];
  readonly results: readonly ClientResult[];
}

/** The results of the whole bench. */
export interface BenchResult {
  readonly facts: Facts;
  /** The size of the Pods and the order of their keys. */
  readonly pods: { readonly bytes: number; readonly keyOrder: string };
  readonly cases: readonly CaseResult[];
}

/** Returns the median of a figure; NaN if it was not measured. */
export function medianOf(
  { cases }: BenchResult,
  where: { case: string; client: string; runtime: string; figure: string },
): number {
  const found = cases.find(({ name }) => name === where.case)?.results
    .find(({ client, runtime }) => client === where.client && runtime === where.runtime);
  return median((found?.runs ?? []).map((run) => run[where.figure] ?? NaN));
}

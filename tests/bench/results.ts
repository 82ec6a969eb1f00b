/**
 * What the bench has found: what `--json` keeps, and what the report, the targets and the picture are made from.
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
  /** By name: the runtimes, kubeloop, its peers. */
  readonly versions: Readonly<Record<string, string>>;
}

/** One client on one runtime. */
export interface ClientResult {
  readonly client: string;
  readonly runtime: string;
  readonly runs: readonly Measured[];
  /** The first lines of what it said when it failed. */
  readonly failures: readonly string[];
}

/** One case. */
export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly size: Size;
  readonly figures: readonly Figure[];
  readonly results: readonly ClientResult[];
}

/** One run of the whole bench. */
export interface BenchResult {
  readonly facts: Facts;
  /** How the Pods looked. */
  readonly pods: { readonly bytes: number; readonly keyOrder: string };
  readonly cases: readonly CaseResult[];
}

/** The median of a figure; NaN where it was not measured. */
export function medianOf(
  { cases }: BenchResult,
  where: { case: string; client: string; runtime: string; figure: string },
): number {
  const found = cases.find(({ name }) => name === where.case)?.results
    .find(({ client, runtime }) => client === where.client && runtime === where.runtime);
  return median((found?.runs ?? []).map((run) => run[where.figure] ?? NaN));
}

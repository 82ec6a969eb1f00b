/**
 * The results of the bench: the format of `--json`, and the input of the report, the targets, the check and the chart.
 *
 * @module
 */

import type { Figure, Measured, Size } from "./cases/case.ts";
import { type Spread, spread } from "./stats.ts";

/** The client that others are compared with, on the same runtime. */
export const FLOOR = "floor";
/** The runtime name of Go programs. */
export const GO = "go";

/** Returns the name of a client for people: "kubeloop, objects, protobuf" for `kubeloop-objects-protobuf`. */
export function label(client: string): string {
  const [program = client] = /^(client|kube)-\w+|^\w+/.exec(client) ?? [];
  return (program + client.slice(program.length).replaceAll("-", ", ")).replace("json", "JSON");
}

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
  /** The measurements by round; empty for a failed run. */
  readonly runs: readonly Measured[];
  /** The ratios to the floor, by figure: the median of the ratios of each round, and their quartiles. */
  readonly ratios: Readonly<Record<string, Spread>>;
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

/** The measurements of a client on a runtime. */
type Runs = Omit<ClientResult, "ratios">;

/** Returns what a client measured on a runtime; clients in Go are found on every runtime. */
export function find<T extends Pick<Runs, "client" | "runtime">>(
  results: readonly T[],
  client: string,
  runtime: string,
): T | undefined {
  return results.find((one) =>
    one.client === client && (one.runtime === runtime || one.runtime === GO)
  );
}

/** Returns the values of a figure by round; NaN for rounds that failed. */
export function valuesOf(result: Pick<Runs, "runs"> | undefined, figure: string): number[] {
  return result?.runs.map((run) => run[figure] ?? NaN) ?? [];
}

/**
 * Returns the ratio of two clients as the median of the ratios of each round, because what disturbs the machine for a
 * while disturbs both in the same round.
 */
export function ratio(
  one: Pick<Runs, "runs"> | undefined,
  other: Pick<Runs, "runs"> | undefined,
  figure: string,
): Spread {
  const others = valuesOf(other, figure);
  return spread(valuesOf(one, figure).map((value, round) => value / (others[round] ?? NaN)));
}

/** Adds the ratios to the floor. */
export function withRatios(figures: readonly Figure[], results: readonly Runs[]): ClientResult[] {
  return results.map((one) => {
    const floor = one.client === FLOOR ? undefined : find(results, FLOOR, one.runtime);
    const ratios = figures.filter(({ isCompared }) => isCompared)
      .map(({ name }) => [name, ratio(one, floor, name)] as const)
      .filter(([, { count }]) => count > 0);
    return { ...one, ratios: Object.fromEntries(ratios) };
  });
}

/**
 * Returns the run `kept` with the cases of `run` in place of its own, so that a long run can be taken in parts.
 *
 * @throws {Error} If the runs are of different machines or Pods.
 */
export function merge(kept: BenchResult, run: BenchResult): BenchResult {
  const what = ({ facts, pods }: BenchResult) =>
    [facts.cpu, facts.cores, facts.memoryGiB, facts.os, pods.bytes, pods.keyOrder].join(", ");
  if (what(kept) !== what(run)) {
    throw new Error(`The file has a run of "${what(kept)}", this one is of "${what(run)}"`);
  }
  const others = kept.cases.filter(({ name }) => run.cases.every((one) => one.name !== name));
  const versions = { ...kept.facts.versions, ...run.facts.versions };
  return { ...run, facts: { ...run.facts, versions }, cases: [...others, ...run.cases] };
}

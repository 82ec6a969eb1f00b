/**
 * The performance targets of kubeloop, and whether a run of the bench reaches them.
 *
 * @module
 */

import { findCase } from "./cases/mod.ts";
import { type BenchResult, find, label, ratio, valuesOf } from "./results.ts";
import { number } from "./report.ts";
import { spread } from "./stats.ts";

/**
 * A target: the case, the client, the figure, and its maximum, either on all runtimes or on Deno, Node 24 and Bun. With
 * a second client, the maximum is of the ratio to that one.
 */
type Target = readonly [
  name: string,
  client: string,
  figure: string,
  most: number | readonly [deno: number, node: number, bun: number],
  over?: string,
];

/** `kubeloop` has handlers that need keys only, as those of a Controller do. */
export const TARGETS: readonly Target[] = [
  ["flood", "kubeloop", "cpuUs", [0.55, 0.6, 0.75], "floor"],
  ["flood", "kubeloop", "warmUs", [0.38, 0.55, 0.5], "floor"],
  ["flood", "kubeloop-protobuf", "warmUs", [0.2, 0.32, 0.24], "floor"],
  ["flood", "kubeloop", "cpuUs", 0.6, "client-go-protobuf"],
  ["flood", "kubeloop", "peakMiB", 1, "floor"],
  ["flood", "kubeloop-objects", "cpuUs", [1.08, 1.08, 1.15], "floor"],
  ["flood", "kubeloop-objects", "warmUs", 1.05, "client-node"],
  ["flood", "kubeloop-objects-protobuf", "warmUs", [0.75, 0.9, 1.05], "floor"],
  ["flood", "kubeloop-objects", "peakMiB", 1, "floor"],
  ["sync", "kubeloop", "cpuMs", [0.7, 0.8, 1.2], "floor"],
  ["sync", "kubeloop", "stallMs", 60],
  ["sync", "kubeloop", "bytesPerObject", 5 * 1024],
  ["sync", "kubeloop-objects", "cpuMs", [1.15, 1.1, 1.5], "floor"],
  ["sync", "kubeloop-objects", "stallMs", 60],
  ["sync", "kubeloop-objects", "heapMiB", 1.05, "floor"],
  ["sync", "kubeloop-transform", "heapMiB", 0.9, "floor"],
  ["sync", "kubeloop-metadata", "heapMiB", 28],
  ["manager", "kubeloop-manager-filtered", "warmUs", [0.6, 0.75, 0.85], "floor"],
  ["manager", "kubeloop-manager-filtered-protobuf", "warmUs", [0.35, 0.38, 0.45], "floor"],
  ["manager", "kubeloop-manager-filtered-protobuf", "warmUs", 0.5, "client-go-protobuf"],
  ["manager", "kubeloop-manager", "warmUs", 1.05, "kubeloop-controller"],
  ["manager-start", "kubeloop-manager-filtered", "cpuMs", [0.9, 1, 2], "floor"],
  ["manager-start", "kubeloop-manager-filtered", "bytesPerObject", 4.5 * 1024],
  ["manager-start", "kubeloop-manager-filtered-protobuf", "bytesPerObject", 3 * 1024],
  ["sync-160k", "kubeloop-objects", "stallMs", 1_500],
  ["relist", "kubeloop", "cpuMs", 1.2, "floor"],
  ["relist", "kubeloop-objects", "cpuMs", 1.2, "floor"],
  ["idle", "kubeloop", "residentKib", 150],
  ["paced", "kubeloop-objects", "handlerP99", [13, 25, 25]],
  ["paced", "kubeloop-manager", "reconcileP99", [13, 25, 25]],
  ["queue", "kubeloop", "oneWorkerNs", 600],
  ["import", "kubeloop", "wallMs", 30],
  ["import", "kubeloop", "residentMiB", 10],
  ["soak", "kubeloop", "growthMiB", 2],
  ["soak", "kubeloop-objects", "growthMiB", 2],
];

/** The comparison of a run with one target on one runtime. */
export interface Verdict {
  readonly what: string;
  readonly runtime: string;
  readonly value: number;
  readonly limit: string;
  /** Whether the target is reached; undefined if it was not measured. */
  readonly isReached: boolean | undefined;
}

/** Compares a run with all targets. */
export function judge(run: BenchResult): Verdict[] {
  return TARGETS.flatMap(([name, client, figure, most, over]) => {
    const results = run.cases.find((one) => one.name === name)?.results ?? [];
    const { title = figure, unit = "" } = findCase(name).figures.find((one) =>
      one.name === figure
    ) ?? {};
    return ["deno", "node", "bun"].map((runtime, i): Verdict => {
      const one = find(results, client, runtime);
      const { median } = over === undefined
        ? spread(valuesOf(one, figure))
        : ratio(one, find(results, over, runtime), figure);
      const limit = typeof most === "number" ? most : most[i] ?? NaN;
      return {
        what: `${name}: ${label(client)}: ${title}`,
        runtime,
        value: median,
        limit: `≤ ${number(limit)} ${over === undefined ? unit : `× ${label(over)}`}`,
        isReached: Number.isNaN(median) ? undefined : median <= limit,
      };
    });
  });
}

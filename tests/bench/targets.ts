/**
 * The performance targets of kubeloop, and whether a run of the bench reaches them.
 *
 * @module
 */

import { number } from "./report.ts";
import { type BenchResult, medianOf } from "./results.ts";

/** A target, with a limit for each runtime. */
export interface Target {
  readonly what: string;
  /** The limits by runtime: maximum values, or minimum values if `atLeast`. */
  readonly limits: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly atLeast?: boolean;
  /** Returns the value of a run; NaN if it was not measured. */
  value(run: Lookup): number;
}

/** The medians of one runtime. */
export interface Lookup {
  /** Returns the median of a client's figure. */
  get(client: string, figure: string): number;
  /** Returns a client's figure divided by that of another client on the same runtime. */
  ratio(client: string, figure: string, other?: string): number;
}

/** The comparison of a run with one target on one runtime. */
export interface Verdict {
  readonly what: string;
  readonly runtime: string;
  readonly value: number;
  readonly limit: string;
  /** Whether the target is reached; undefined if it was not measured. */
  readonly isReached: boolean | undefined;
}

type ByCase = Target & { readonly case: string };

const BOTH = (limit: number) => ({ deno: limit, node: limit });

/** The targets: those of full objects first, then those of the compact cache. */
export const TARGETS: readonly ByCase[] = [
  {
    case: "flood",
    what: "flood, full objects: CPU per event",
    unit: "× floor",
    limits: BOTH(1.10),
    value: ({ ratio }) => ratio("kubeloop", "cpuUs"),
  },
  {
    case: "sync",
    what: "sync of 10k: CPU",
    unit: "× floor",
    limits: BOTH(1.10),
    value: ({ ratio }) => ratio("kubeloop", "cpuMs"),
  },
  {
    case: "sync",
    what: "longest stall, sync of 10k",
    unit: "ms",
    limits: BOTH(60),
    value: ({ get }) => get("kubeloop", "stallMs"),
  },
  {
    case: "sync-160k",
    what: "longest stall, sync of 160k",
    unit: "ms",
    limits: BOTH(1_500),
    value: ({ get }) => get("kubeloop", "stallMs"),
  },
  {
    case: "sync",
    what: "heap after GC, 10k",
    unit: "× floor",
    limits: BOTH(1.05),
    value: ({ ratio }) => ratio("kubeloop", "heapMiB"),
  },
  {
    case: "sync",
    what: "heap after GC, 10k without managedFields",
    unit: "× floor",
    limits: BOTH(0.9),
    value: ({ ratio }) => ratio("kubeloop-transform", "heapMiB"),
  },
  {
    case: "sync",
    what: "heap after GC, 10k metadata only",
    unit: "MiB",
    limits: BOTH(28),
    value: ({ get }) => get("kubeloop-metadata", "heapMiB"),
  },
  {
    case: "paced",
    what: "2,000 events/s: p99 to the handler",
    unit: "ms",
    limits: { deno: 13, node: 25 },
    value: ({ get }) => get("kubeloop", "handlerP99"),
  },
  {
    case: "queue",
    what: "work queue, one worker, tryGet",
    unit: "M calls/s",
    limits: BOTH(5),
    atLeast: true,
    value: ({ get }) => get("kubeloop", "callsM"),
  },
  {
    case: "import",
    what: "import",
    unit: "ms",
    limits: { node: 30 },
    value: ({ get }) => get("kubeloop", "wallMs"),
  },
  {
    case: "import",
    what: "import, RSS",
    unit: "MiB",
    limits: { node: 10 },
    value: ({ get }) => get("kubeloop", "residentMiB"),
  },
  {
    case: "reconciles",
    what: "Manager: CPU per event of a flood that is reconciled",
    unit: "× Controller",
    limits: BOTH(1.05),
    value: ({ ratio }) => ratio("kubeloop-manager", "cpuUs", "kubeloop-controller"),
  },
  {
    case: "soak",
    what: "10 M events of the same 10k keys: growth of memory",
    unit: "MiB",
    limits: BOTH(2),
    value: ({ get }) => get("kubeloop", "growthMiB"),
  },
  {
    case: "flood",
    what: "compact, handlers that need keys: CPU per event",
    unit: "× floor",
    limits: BOTH(0.6),
    value: ({ ratio }) => ratio("kubeloop-compact", "cpuUs"),
  },
  {
    case: "flood",
    what: "compact: CPU per event, of client-go's with protobuf",
    unit: "× client-go",
    limits: BOTH(1),
    value: ({ ratio }) => ratio("kubeloop-compact", "cpuUs", "client-go-protobuf"),
  },
  {
    case: "flood",
    what: "compact, 10 % of the objects read: CPU per event",
    unit: "× floor",
    limits: BOTH(0.7),
    value: ({ ratio }) => ratio("kubeloop-compact-10%", "cpuUs"),
  },
  {
    case: "sync",
    what: "compact: memory per cached Pod",
    unit: "B",
    limits: BOTH(5 * 1024),
    value: ({ get }) => get("kubeloop-compact", "bytesPerPod"),
  },
  {
    case: "flood",
    what: "compact: peak RSS in the flood",
    unit: "× plain",
    limits: BOTH(0.6),
    value: ({ ratio }) => ratio("kubeloop-compact", "peakMiB", "kubeloop"),
  },
];

/** Compares a run with all targets. */
export function judge(run: BenchResult): Verdict[] {
  return TARGETS.flatMap((target) => {
    const { what, unit, atLeast = false } = target;
    return Object.entries(target.limits).map(([runtime, limit]): Verdict => {
      const value = target.value(lookup(run, target.case, runtime));
      return {
        what,
        runtime,
        value,
        limit: `${atLeast ? "≥" : "≤"} ${number(limit)} ${unit}`,
        isReached: Number.isNaN(value) ? undefined : atLeast ? value >= limit : value <= limit,
      };
    });
  });
}

function lookup(run: BenchResult, name: string, runtime: string): Lookup {
  const get = (client: string, figure: string) => {
    const on = client.startsWith("client-go") ? "go" : runtime;
    return medianOf(run, { case: name, client, runtime: on, figure });
  };
  return {
    get,
    ratio: (client, figure, other = "floor") => get(client, figure) / get(other, figure),
  };
}

import { showJson } from "@kubeloop/controller/internal/base";
import { list } from "./causes.ts";
import type { Cost } from "./cost.ts";
import type { MeasuredCost } from "./cost_data.ts";
import { type CostOrder, ORDERS } from "./fit.ts";
import { type CostMeasure, type CostPhase, MEASURES, PHASES } from "./phases.ts";
import { growing, partLines } from "./report.ts";

/** The bound of a cost: the fastest growth that is allowed, or the largest count for any number of objects. */
export type CostBound = CostOrder | number;

/**
 * The bounds of a cost by phase. A phase has bounds by measure, or one bound for all measures except `cache`, which does
 * not shrink between phases.
 */
export type CostBounds = {
  readonly [P in CostPhase]?: CostBound | { readonly [M in CostMeasure]?: CostBound };
};

/**
 * Throws if a cost is above its bounds. The error has the phase, the measure, the fitted order, the counts by size, the
 * cause in words, and the line of the code.
 *
 * @param cost The cost, as {@linkcode Simulation.cost} returns it.
 * @param bounds The bounds by phase: an order such as `"O(1)"`, or the largest count.
 * @throws {Error} If a cost is above its bound.
 * @throws {TypeError} If a bound is not one, or is for a phase that was not run.
 *
 * @example
 * ```ts
 * import { ConfigMaps, Controller, SharedInformerFactory } from "@kubeloop/controller";
 * import { assertCost, create, patch, type ProcessEnv, simulation } from "@kubeloop/testing/simulation";
 * import { assertThrows } from "@std/assert";
 *
 * // Lists all ConfigMaps in each reconcile.
 * async function operator({ client, signal }: ProcessEnv) {
 *   const maps = new SharedInformerFactory(client).informer(ConfigMaps, { namespace: "default" });
 *   const controller = new Controller({
 *     informer: maps,
 *     reconcile: async () => void await client.list(ConfigMaps, { namespace: "default" }),
 *   });
 *   await controller.run({ signal });
 * }
 *
 * const cost = await simulation({ process: operator, workload: [] }).cost({
 *   each: (i) => create(ConfigMaps, `map-${i}`),
 *   change: (i) => patch(ConfigMaps, `map-${i}`, { data: { mode: "fast" } }),
 * });
 * assertCost(cost, { quiet: "O(1)", change: { requests: "O(1)" } });
 * assertThrows(() => assertCost(cost, { change: { received: "O(1)" } }), Error, "list configmaps");
 * ```
 */
export function assertCost(cost: Cost, bounds: CostBounds): void {
  const errors: string[] = [];
  for (const [phase, given] of Object.entries(bounds)) {
    const measures = cost.phases[phase as CostPhase];
    if (measures === undefined) {
      const known = PHASES.filter((name) => cost.phases[name] !== undefined).join(", ");
      throw new TypeError(`The cost has no phase ${showJson(phase)}, but ${known}`);
    }
    const shown = new Set<string>();
    for (const [measure, bound] of boundsOf(phase, given)) {
      const measured = measures[measure];
      if (isWithin(measured, bound)) continue;
      const { counts, order, parts } = measured;
      const isCount = typeof bound === "number";
      const limit = isCount ? `more than ${bound}` : `${order} instead of ${bound}`;
      errors.push(`${phase} ${measure}: ${limit}: ${list(counts)} for ${list(cost.sizes)} objects`);
      // The bytes of the same requests have the same cause.
      const fresh = (isCount ? parts : growing(measured)).filter(({ what }) => !shown.has(what));
      errors.push(...partLines(fresh));
      for (const { what } of fresh) shown.add(what);
    }
  }
  if (errors.length === 0) return;
  const { simulation } = cost;
  const name = simulation === undefined ? "" : ` of ${simulation}`;
  throw new Error([`The cost${name} is above its bounds.`, ...errors].join("\n"));
}

function boundsOf(phase: string, given: CostBounds[CostPhase]): [CostMeasure, CostBound][] {
  if (typeof given === "object" && given !== null) {
    return Object.entries(given).map(([measure, bound]) => {
      if (!MEASURES.includes(measure as CostMeasure)) {
        throw new TypeError(
          `The phase ${phase} has no measure ${showJson(measure)}, but ${MEASURES.join(", ")}`,
        );
      }
      return [measure as CostMeasure, requireBound(bound)];
    });
  }
  const bound = requireBound(given);
  return MEASURES.filter((measure) => measure !== "cache").map((measure) => [measure, bound]);
}

function requireBound(bound: unknown): CostBound {
  if (ORDERS.includes(bound as CostOrder) || (typeof bound === "number" && bound >= 0)) {
    return bound as CostBound;
  }
  throw new TypeError(
    `The bound of a cost must be a number or one of ${ORDERS.join(", ")}: received ${
      showJson(bound)
    }`,
  );
}

function isWithin({ counts, order }: MeasuredCost, bound: CostBound): boolean {
  return typeof bound === "number"
    ? counts.every((count) => count <= bound)
    : ORDERS.indexOf(order) <= ORDERS.indexOf(bound);
}

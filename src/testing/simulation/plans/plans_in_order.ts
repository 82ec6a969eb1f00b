import { randomInt } from "@kubeloop/controller/internal/base";
import type { FaultClass } from "./derive.ts";
import { SeededRandom } from "../../seeded_random.ts";
import type { Plan } from "./plan.ts";
import type { PlanFault } from "./plan_fault.ts";

/** The number of seeds for the plans that only change the order of events. */
const SEEDS = 20;
/** The maximum number of pairs that are drawn for each single fault. */
const PAIRS_PER_FAULT = 200;

/**
 * Returns the plans with one fault each, in the order in which they are tried: one of each class in turn, so that a small
 * budget still tries everything a little. Some faults are of several parts, and the plans that change the order of events
 * have no place.
 */
export function singlePlans(
  classes: readonly FaultClass[],
  seed: number,
  extra: readonly PlanFault[],
): readonly Plan[] {
  // A cache has the objects in the order of their events. Only after a restart does it have the order of a list.
  const restarts = classes.flat(2).filter(({ fault }) => fault === "restart");
  const orders = (planOf: (i: number) => Plan) =>
    Array.from({ length: SEEDS }, (_, i) => planOf(i));
  const plans = classes.map((group) => group.map((faults): Plan => ({ seed, faults })));
  return [
    ...extra.map((fault): Plan => ({ seed, faults: [fault] })),
    ...inTurn([
      ...plans,
      orders((i) => ({ seed: seed + i, faults: [{ fault: "shuffle" }, ...restarts] })),
      orders((i) => ({ seed: seed + i, faults: [{ fault: "late" }] })),
      orders((i) => ({ seed: seed + i + 1, faults: [{ fault: "order" }] })),
    ]),
  ];
}

function* inTurn(groups: readonly (readonly Plan[])[]): Generator<Plan> {
  const longest = Math.max(...groups.map((group) => group.length));
  for (let i = 0; i < longest; i++) {
    for (const group of groups) {
      if (i < group.length) yield group[i]!;
    }
  }
}

/** The faults after which the user wants again what they wanted before. */
export const DETOURS: ReadonlySet<PlanFault["fault"]> = new Set(["change", "repeat", "revert"]);

/** Draws pairs of faults, of two classes or of one. */
export function* pairPlans(classes: readonly FaultClass[], seed: number): Generator<Plan> {
  if (classes.length === 0) return;
  const random = new SeededRandom(seed).fork("pairs");
  const singles = classes.reduce((sum, group) => sum + group.length, 0);
  const tried = new Set<string>();
  for (let i = 0; i < singles * PAIRS_PER_FAULT; i++) {
    const first = randomInt(random, classes.length);
    const second = randomInt(random, classes.length);
    const a = classes[first]!;
    const b = classes[second]!;
    const faults = [...a[randomInt(random, a.length)]!, ...b[randomInt(random, b.length)]!];
    if (!fitTogether(faults)) continue;
    const key = JSON.stringify(faults);
    if (tried.has(key)) continue;
    tried.add(key);
    yield { seed: seed + (i % 4), faults };
  }
}

/**
 * Reports whether faults make sense together: only one step is undone, a correction of a bad step is not undone, and the
 * server keeps a history that a stale replica reads.
 */
function fitTogether(faults: readonly PlanFault[]): boolean {
  const takesBack = faults.filter(({ fault }) => DETOURS.has(fault)).length;
  const has = (kind: PlanFault["fault"]) => faults.some(({ fault }) => fault === kind);
  if (has("bad") && has("revert")) return false;
  if (new Set(faults.map((fault) => JSON.stringify(fault))).size < faults.length) return false;
  const forgets = faults.some(({ fault }) => fault === "server");
  return takesBack <= 1 && !(forgets && faults.some(({ fault }) => fault === "stale"));
}

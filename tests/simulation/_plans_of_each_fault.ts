/**
 * A choice of plans that is small enough for each run of the tests.
 *
 * @module
 */

import { randomInt } from "@kubeloop/controller/internal/base";
import { SeededRandom } from "@kubeloop/testing";
import type { Plan } from "@kubeloop/testing/simulation";
import { seededRuns } from "../support/seeded_runs.ts";

/** Returns `count` plans with each kind of fault, which the seed chooses. */
export function plansOfEachFault(plans: readonly Plan[], count: number): Plan[] {
  const random = new SeededRandom(seededRuns.seed);
  const kinds = new Set(plans.flatMap(({ faults }) => faults.map(({ fault }) => fault)));
  return [...kinds].flatMap((kind) => {
    const fitting = plans.filter(({ faults }) => faults.some(({ fault }) => fault === kind));
    return Array.from({ length: count }, () => fitting[randomInt(random, fitting.length)] as Plan);
  });
}

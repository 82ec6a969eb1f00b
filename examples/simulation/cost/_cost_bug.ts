/**
 * Types and helpers of the examples in this folder. Each shows a published bug that only costs: nothing is wrong but the
 * number of requests, or the memory, which grows with the number of objects.
 *
 * @module
 */

import {
  assertCost,
  type CostBounds,
  type CostOptions,
  type Simulation,
} from "@kubeloop/testing/simulation";
import type { Logic } from "../_bug.ts";

/** A published bug that costs, ported to a small controller. */
export interface CostBug {
  /** Where the bug was published. */
  readonly upstream: string;
  /** The bounds that the repaired controller keeps. */
  readonly bounds: CostBounds;
  /** Parts of the error about the broken controller, in their order. */
  readonly says: readonly string[];
  /** The code on the first line that the error names. */
  readonly line: string;
  /** The objects, and how they are changed. */
  readonly cost: CostOptions;
  /** Returns the simulation of the controller, with the bug or repaired. */
  simulate(logic: Logic): Simulation;
}

/** Shows the cost of the controller with its bug, why it is too high, and the cost of the repaired controller. */
export async function demonstrate({ bounds, cost, simulate, upstream }: CostBug): Promise<void> {
  console.log(upstream);
  for (const logic of ["broken", "repaired"] as const) {
    const measured = await simulate(logic).cost(cost);
    console.log(`\n=== ${logic}: ${measured}`);
    try {
      assertCost(measured, bounds);
    } catch (error) {
      console.log(`\n${(error as Error).message}`);
    }
  }
}

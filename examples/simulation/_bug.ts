/**
 * Types and helpers of the examples in this folder. Each shows a published bug of a controller, and how simulation finds it.
 *
 * @module
 */

import type { Oracle, Simulation } from "@kubeloop/testing/simulation";

/** A published bug, ported to a small controller. */
export interface Bug {
  /** Where the bug was published. */
  readonly upstream: string;
  /** The finding of the simulation about the broken controller. */
  readonly finding?: {
    /** The rule that the run breaks. */
    readonly oracle: Oracle;
    /** Parts of the message, in their order: what is wrong with which object. */
    readonly says: readonly string[];
    /** Parts of the story, in their order: what has led to it. Default: the message says it. */
    readonly story?: readonly string[];
  };
  /** Returns the simulation of the controller, with the bug or repaired. */
  // deno-lint-ignore no-explicit-any -- each bug has its own external world, or none
  simulate(logic: Logic): Simulation<any>;
}

/** Whether a controller has its bug. */
export type Logic = "broken" | "repaired";

/** Shows how simulation finds a bug, and that it finds nothing in the repaired controller. */
export async function demonstrate(bug: Bug, plans = 500): Promise<void> {
  console.log(bug.upstream);
  for (const logic of ["broken", "repaired"] as const) {
    const report = await bug.simulate(logic).explore({ budget: { plans, ms: 30_000 } });
    console.log(`\n=== ${logic}: ${report}`);
  }
}

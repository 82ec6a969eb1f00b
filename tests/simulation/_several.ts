/**
 * Several simulations, for the tests of workers.
 *
 * @module
 */

import { careful, counter } from "./_operators.ts";
import type { Simulation } from "@kubeloop/testing/simulation";

/** It never ends wrong. */
export const right: Simulation = careful();
/** It ends wrong in many plans. */
export const counts: Simulation = counter();

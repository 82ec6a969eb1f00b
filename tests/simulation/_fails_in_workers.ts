/**
 * A simulation that workers cannot load, for their tests.
 *
 * @module
 */

import type { Simulation } from "@kubeloop/testing/simulation";
import { careful } from "./_operators.ts";

if ("DedicatedWorkerGlobalScope" in globalThis) throw new Error("not in a worker");

/** It can be loaded by the main program. */
export const sim: Simulation = careful();

/**
 * Explores two simulations, and prints what was run. The tests of `KUBELOOP_PLAN` start it.
 *
 * @module
 */

import { careful, leaker } from "./_operators.ts";

for (const sim of [leaker(), careful()]) {
  const report = await sim.explore({ budget: { plans: 3 } });
  console.log(report.simulation, report.ended, report.plans, report.findings.length);
}

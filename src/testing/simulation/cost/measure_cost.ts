import { prepare, type SimulationOptions } from "../world/mod.ts";
import { CallLines } from "./call_lines.ts";
import { type Cost, costOf } from "./cost.ts";
import { CostRun, type RunTallies } from "./cost_run.ts";
import { type CostOptions, planOf } from "./options.ts";

/** Measures the cost of a simulation: one run for each size. */
export async function measureCost<C>(
  simulation: SimulationOptions<C>,
  options: CostOptions<C>,
): Promise<Cost> {
  const plan = planOf(options);
  const { change = [], each, shared = [], sizes } = plan;
  const workload = [...simulation.workload, ...each(0), ...change, ...shared];
  const setup = await prepare<C>({ ...simulation, workload: workload as never });
  const lines = new CallLines();
  const runs: RunTallies[] = [];
  for (const size of sizes) runs.push(await new CostRun(setup, plan, size, lines).execute());
  return costOf(simulation.name, sizes, runs, lines);
}

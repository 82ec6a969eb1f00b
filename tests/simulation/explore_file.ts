import { pathToFileURL } from "node:url";
import { type Report, Simulation } from "../../src/testing/simulation/mod.ts";
import type { Selection } from "./arguments.ts";

const PLANS = 2000;
const PROGRESS_MS = 1_000;

/** A simulation that a module exports, and whether it is there to be found wrong. */
interface Exported {
  readonly name: string;
  // deno-lint-ignore no-explicit-any -- each simulation has its own external world, or none
  readonly simulation: Simulation<any>;
  readonly isBroken: boolean;
}

/**
 * Runs `deno task simulate FILE`, and prints a report of each simulation. Returns the exit code.
 *
 * @throws {TypeError} If the module exports no simulation.
 */
export async function exploreFile(
  { file, minutes, plans }: Selection,
  print: (text: string) => void = console.log,
): Promise<number> {
  const module = await import(pathToFileURL(file!).href);
  const simulations = exportedBy(module);
  if (simulations.length === 0) {
    throw new TypeError(
      `${file} exports no simulation: export what simulation({ … }) returns, or an object with a method simulate()`,
    );
  }
  const ms = minutes === undefined ? Infinity : minutes * 60_000 / simulations.length;
  let code = 0;
  for (const { isBroken, name, simulation } of simulations) {
    const report = await explore(name, simulation, { plans: plans ?? PLANS, ms });
    print(`${name}: ${report}\n`);
    if (report.findings.length > 0 !== isBroken) code = 1;
  }
  return code;
}

async function explore(
  name: string,
  simulation: Exported["simulation"],
  budget: { readonly plans: number; readonly ms: number },
): Promise<Report> {
  let nextMs = performance.now() + PROGRESS_MS;
  return await simulation.explore({
    budget,
    onProgress: (done, findings) => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + PROGRESS_MS;
      console.error(`${name}: ${done} plans, ${findings} wrong`);
    },
  });
}

/** Returns the simulations among the exports of a module. */
function exportedBy(module: Record<string, unknown>): Exported[] {
  return Object.entries(module).flatMap(([name, value]): Exported[] => {
    if (value instanceof Simulation) return [{ name, simulation: value, isBroken: false }];
    if (typeof value !== "object" || value === null || !("simulate" in value)) return [];
    const { simulate } = value;
    if (typeof simulate !== "function") return [];
    return (["broken", "repaired"] as const).map((logic) => ({
      name: `${name} (${logic})`,
      simulation: simulate.call(value, logic),
      isBroken: logic === "broken",
    }));
  });
}

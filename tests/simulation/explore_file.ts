import { pathToFileURL } from "node:url";
import {
  exploreInWorkers,
  type Report,
  seeReport,
  Simulation,
} from "../../src/testing/simulation/mod.ts";
import type { Selection } from "./arguments.ts";

const PLANS = 2000;
const PROGRESS_MS = 1_000;

/** A simulation that a module exports, and whether it is there to be found wrong. */
interface Exported {
  readonly name: string;
  // deno-lint-ignore no-explicit-any -- each simulation has its own external world, or none
  readonly simulation: Simulation<any>;
  readonly isBroken: boolean;
  /** An expression for the simulation, in which `module` is the module. */
  readonly expression: string;
}

/**
 * Runs `deno task simulate FILE`, and prints a report of each simulation. With `--see`, it serves the page of the first report
 * with a finding until the signal aborts. Returns the exit code.
 *
 * @throws {TypeError} If the module exports no simulation.
 */
export async function exploreFile(
  { file, minutes, plans, see, workers }: Selection,
  print: (text: string) => void = console.log,
  signal?: AbortSignal,
): Promise<number> {
  const url = pathToFileURL(file!).href;
  const module = await import(url);
  const simulations = exportedBy(module);
  if (simulations.length === 0) {
    throw new TypeError(
      `${file} exports no simulation: export what simulation({ … }) returns, or an object with a method simulate()`,
    );
  }
  const ms = minutes === undefined ? Infinity : minutes * 60_000 / simulations.length;
  let code = 0;
  let wrong: { readonly simulation: Exported["simulation"]; readonly report: Report } | undefined;
  for (const { expression, isBroken, name, simulation } of simulations) {
    const options = { budget: { plans: plans ?? PLANS, ms }, onProgress: progressOf(name) };
    const report = workers === 1
      ? await simulation.explore(options)
      : await exploreInWorkers(moduleOf(url, expression), { ...options, workers });
    print(`${name}: ${report}\n`);
    if (report.findings.length > 0 !== isBroken) code = 1;
    if (report.findings.length > 0) wrong ??= { simulation, report };
  }
  if (see && wrong !== undefined) {
    await using page = await seeReport(wrong.simulation, wrong.report, { signal });
    print(`Open ${page.url}`);
    await page.finished;
  }
  return code;
}

function progressOf(name: string): (done: number, findings: number) => void {
  let nextMs = performance.now() + PROGRESS_MS;
  return (done, findings) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + PROGRESS_MS;
    console.error(`${name}: ${done} plans, ${findings} wrong`);
  };
}

/** Returns a module that exports one simulation of another module, for workers. */
function moduleOf(url: string, expression: string): string {
  const program = `const module = await import(${JSON.stringify(url)});
export const simulation = ${expression};`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

/** Returns the simulations among the exports of a module. */
function exportedBy(module: Record<string, unknown>): Exported[] {
  return Object.entries(module).flatMap(([name, value]): Exported[] => {
    const exported = `module[${JSON.stringify(name)}]`;
    if (value instanceof Simulation) {
      return [{ name, simulation: value, isBroken: false, expression: exported }];
    }
    if (typeof value !== "object" || value === null || !("simulate" in value)) return [];
    const { simulate } = value;
    if (typeof simulate !== "function") return [];
    return (["broken", "repaired"] as const).map((logic) => ({
      name: `${name} (${logic})`,
      simulation: simulate.call(value, logic),
      isBroken: logic === "broken",
      expression: `${exported}.simulate("${logic}")`,
    }));
  });
}

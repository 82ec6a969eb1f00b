/**
 * Benchmarks kubeloop on this machine, compared with the floor and with other clients: `deno task bench --help`.
 *
 * @module
 */

import type { Case } from "./cases/case.ts";
import { check, type Comparison } from "./check.ts";
import { encodingOf } from "./clients/mod.ts";
import { contestants, needsGo } from "./contestants.ts";
import { facts } from "./machine.ts";
import { headline, tables, verdictTable } from "./report.ts";
import { type BenchResult, type CaseResult, merge } from "./results.ts";
import { runCase } from "./runner.ts";
import { HELP, parseSelection, type Selection } from "./selection.ts";
import { judge } from "./targets.ts";
import { StubProcess } from "./stub_process.ts";
import { Workshop } from "./workshop.ts";

/** The file with the run that is compared with, and that the chart shows. */
const KEPT = "docs/bench.json";
const USUAL_RUNS = 5;
const QUICK_RUNS = 3;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return console.log(HELP);
  const selection = parseSelection(args);
  const kept = selection.check ? await read(KEPT) : undefined;
  await using workshop = await Workshop.open({
    runtimes: selection.runtimes,
    clients: selection.cases.flatMap((one) => clientsOf(one, selection)),
  });
  const cases: CaseResult[] = [];
  for (const one of selection.cases) {
    const result = await measure(one, selection, workshop);
    console.log(`\n${tables(result)}\n`);
    cases.push(result);
  }
  const result: BenchResult = {
    facts: facts(workshop.versions),
    pods: { bytes: selection.podBytes, keyOrder: selection.keyOrder },
    cases,
  };
  console.log(`${verdictTable(judge(result))}\n\n${headline(result)}`);
  if (selection.json !== undefined) await keep(result, selection.json);
  if (kept !== undefined) report(check(kept, result));
}

async function read(file: string): Promise<BenchResult | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes the result to a file, and keeps the other cases in it. */
async function keep(result: BenchResult, file: string): Promise<void> {
  const before = await read(file);
  const all = before === undefined ? result : merge(before, result);
  await Deno.writeTextFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Prints the comparison with the kept run; the process fails if a ratio got worse. */
function report(comparisons: readonly Comparison[]): void {
  for (const { line } of comparisons) console.log(line);
  const failed = comparisons.filter(({ isPassed }) => !isPassed).length;
  if (failed === 0) {
    return console.log(`All ${comparisons.length} ratios are like those of ${KEPT}`);
  }
  console.log(`${failed} of ${comparisons.length} ratios fail the comparison with ${KEPT}`);
  Deno.exitCode = 1;
}

function clientsOf(one: Case, { clients, encodings }: Selection): string[] {
  if (clients.length > 0) return one.clients.filter((client) => clients.includes(client));
  return one.clients.filter((client) => needsGo(client) || encodings.includes(encodingOf(client)));
}

async function measure(
  one: Case,
  selection: Selection,
  workshop: Workshop,
): Promise<CaseResult> {
  const { quick } = selection;
  const usual = one.runs ?? USUAL_RUNS;
  const runs = selection.runs ?? (quick ? Math.min(usual, QUICK_RUNS) : usual);
  const runtimes = selection.runtimes.filter((name) => one.runtimes?.includes(name) ?? true);
  const size = quick ? one.quickSize ?? one.size : one.size;
  const who = contestants(clientsOf(one, selection), runtimes, workshop);
  const onRun = (line: string) => console.error(line);
  if (size.pods === 0) return await runCase(one, who, { runs, size, server: "", onRun });
  const { podBytes: bytes, keyOrder, streamingLists } = selection;
  await using server = await StubProcess.start({
    pods: size.pods,
    bytes,
    keyOrder,
    streamingLists,
  });
  return await runCase(one, who, { runs, size, server: server.url, onRun });
}

if (import.meta.main) await main(Deno.args);

/**
 * Benchmarks kubeloop on this machine, compared with the floor and with other clients: `deno task bench --help`.
 *
 * @module
 */

import { type Contestant, contestants } from "./contestants.ts";
import type { Case, Size } from "./cases/case.ts";
import { facts } from "./machine.ts";
import { headline, table, verdictTable } from "./report.ts";
import type { BenchResult, CaseResult } from "./results.ts";
import { runCase } from "./runner.ts";
import { HELP, parseSelection, type Selection } from "./selection.ts";
import { judge } from "./targets.ts";
import { StubProcess } from "./stub_process.ts";
import { Workshop } from "./workshop.ts";

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return console.log(HELP);
  const selection = parseSelection(args);
  await using workshop = await Workshop.open({
    runtimes: selection.runtimes,
    clients: selection.cases.flatMap((one) => clientsOf(one, selection)),
  });
  const cases: CaseResult[] = [];
  for (const one of selection.cases) {
    const result = await measure(one, selection, workshop);
    console.log(`\n${table(result)}\n`);
    cases.push(result);
  }
  const result: BenchResult = {
    facts: facts(workshop.versions),
    pods: { bytes: selection.podBytes, keyOrder: selection.keyOrder },
    cases,
  };
  console.log(`${verdictTable(judge(result))}\n\n${headline(result)}`);
  if (selection.json !== undefined) {
    await Deno.writeTextFile(selection.json, `${JSON.stringify(result, undefined, 2)}\n`);
  }
}

function clientsOf(one: Case, { clients }: Selection): string[] {
  return one.clients.filter((client) => clients.length === 0 || clients.includes(client));
}

async function measure(
  one: Case,
  selection: Selection,
  workshop: Workshop,
): Promise<CaseResult> {
  const { runs, quick } = selection;
  const runtimes = selection.runtimes.filter((name) => one.runtimes?.includes(name) ?? true);
  const size = quick ? one.quickSize ?? one.size : one.size;
  const who = contestants(clientsOf(one, selection), runtimes, workshop);
  const onRun = (line: string) => console.error(line);
  if (size.pods === 0) return await runCase(one, who, { runs, size, server: "", onRun });
  await using server = await stubServer(who, size, { selection, workshop });
  return await runCase(one, who, { runs, size, server: server.url, onRun });
}

/** Starts the stub server. If a client needs protobuf, a first server provides the Pods that are converted to it. */
async function stubServer(
  who: readonly Contestant[],
  { pods }: Size,
  { selection, workshop }: { readonly selection: Selection; readonly workshop: Workshop },
): Promise<StubProcess> {
  const { podBytes, keyOrder, streamingLists } = selection;
  const options = { pods, bytes: podBytes, keyOrder, streamingLists };
  const server = await StubProcess.start(options);
  if (!who.some(({ client }) => client === "client-go-protobuf")) return server;
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-bench-protobuf-" });
  try {
    await workshop.protobuf(server.url, folder);
    await server[Symbol.asyncDispose]();
    return await StubProcess.start({ ...options, protobuf: folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await main(Deno.args);

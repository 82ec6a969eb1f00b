/**
 * The program of the worker: runs one cluster or one simulation with the program of the user.
 *
 * @module
 */

import "../shims/request.ts";
import { type Plan, Simulation } from "@kubeloop/testing/simulation";
import type { PlanView } from "../../../src/see/mod.ts";
import type {
  Answer,
  BlamedPlace,
  CheckResult,
  Numbered,
  Request,
  SimulationProgress,
  SimulationResult,
} from "../protocol.ts";
import { Cluster } from "./cluster.ts";
import { Output } from "./output.ts";
import {
  lineIn,
  loadProgram,
  problemData,
  problemOf,
  PROGRAM_FILE,
  ProgramError,
} from "./program.ts";

/** The parts of the scope of a worker that are used, and that the types of Deno lack. */
interface WorkerScope {
  postMessage(message: string): void;
  addEventListener(type: "message", listener: (event: { readonly data: string }) => void): void;
  addEventListener(
    type: "error" | "unhandledrejection",
    listener: (event: Event & { readonly error?: unknown; readonly reason?: unknown }) => void,
  ): void;
}

const scope = globalThis as unknown as WorkerScope;
/** Taken before a program can replace it. */
const postText = scope.postMessage.bind(scope);
const { parse, stringify } = JSON;
const performanceNow = performance.now.bind(performance);

/** The limits of an exploration that a person waits for. */
const BUDGET = { findings: 1, plans: 300, ms: 60_000 };

/** Names of the scope through which a program could keep or spread data. */
const TAKEN = [
  "indexedDB",
  "caches",
  "BroadcastChannel",
  "WebSocket",
  "WebTransport",
  "EventSource",
  "XMLHttpRequest",
  "importScripts",
  "Worker",
  "SharedWorker",
  "FontFace",
];

let cluster: Cluster | undefined;
let simulation: Pick<Simulation, "check"> | undefined;
let progress: SimulationProgress = { plans: 0, findings: 0 };
const output = new Output();

async function answer(request: Request): Promise<unknown> {
  switch (request.do) {
    case "run": {
      cluster = new Cluster(output);
      return cluster.start(await loadProgram(request.program));
    }
    case "simulate":
      return await simulate(request.program);
    case "check":
      return await check(request.plan);
    case "progress":
      return progress;
    case "view":
      return await running().view(request.query);
    case "apply":
      return await running().apply(request.yaml);
    case "delete":
      return await running().delete(request.object);
  }
}

function running(): Cluster {
  if (cluster === undefined) throw new Error("No cluster runs: press Run first");
  return cluster;
}

async function simulate(source: string): Promise<SimulationResult> {
  const { default: exported } = await loadProgram(source);
  if (!(exported instanceof Simulation)) {
    throw new ProgramError(
      "The program has no simulation: write `export default simulation({ process: operator, workload: [ … ] })`",
      undefined,
    );
  }
  simulation = exported;
  const startMs = performanceNow();
  const report = await exported.explore({
    budget: BUDGET,
    progress: false,
    onProgress: (plans, findings) => void (progress = { plans, findings }),
  });
  const [finding] = report.findings;
  return {
    report: withLines(report.view()),
    plans: report.plans,
    tookMs: performanceNow() - startMs,
    places: blamedPlaces(finding?.cause ?? []),
  };
}

/** Runs a plan of the last simulation again, as a rule with fewer faults. */
async function check(plan: PlanView): Promise<CheckResult> {
  if (simulation === undefined) throw new Error("No simulation has run: press Find a bug first");
  const { finding, misfits } = await simulation.check(plan as Plan);
  return withLines({ ...(finding && { finding: finding.view() }), misfits });
}

/** Names lines of the editor in place of files. */
function withLines<T>(view: T): T {
  return parse(stringify(view).replaceAll(`${PROGRAM_FILE}:`, "line "));
}

/** The words before a line in the sentences of a cause, and what they say of the line. */
const PLACES: readonly (readonly [before: RegExp, what: string])[] = [
  [/\b(?:Sent|Called) at \S+/, "The wrong write"],
  [/\blast read at \S+/, "An old version is read"],
];

/** Returns the lines of the program that the sentences of a cause blame, without repetitions. */
function blamedPlaces(cause: readonly string[]): readonly BlamedPlace[] {
  const places = new Map<number, string>();
  // The sentence about the wrong write comes first.
  const sorted = cause.toSorted((a, b) => Number(isWrong(b)) - Number(isWrong(a)));
  for (const sentence of sorted) {
    for (const [before, what] of PLACES) {
      const line = lineIn(before.exec(sentence)?.[0] ?? "");
      if (line !== undefined && !places.has(line)) places.set(line, what);
    }
  }
  return [...places].map(([line, what]) => ({ line, what }));
}

function isWrong(sentence: string): boolean {
  return /^The (?:wrong|first) /.test(sentence);
}

function post(message: Answer): void {
  postText(stringify(message));
}

for (const name of TAKEN) {
  for (
    let holder: object | null = globalThis;
    holder !== null;
    holder = Object.getPrototypeOf(holder)
  ) {
    if (Object.hasOwn(holder, name)) Reflect.deleteProperty(holder, name);
  }
}
output.captureConsole();
for (const type of ["error", "unhandledrejection"] as const) {
  scope.addEventListener(type, (event) => {
    // The program keeps running, unlike a process that an error ends.
    event.preventDefault();
    const { line, message } = problemOf(type === "error" ? event.error : event.reason);
    output.add("error", line === undefined ? message : `line ${line}: ${message}`);
  });
}
scope.addEventListener("message", async ({ data }) => {
  const { id, request }: Numbered = parse(data);
  try {
    post({ id, value: await answer(request) });
  } catch (error) {
    post({ id, problem: problemData(problemOf(error)) });
  }
});

import {
  type Clock,
  realClock,
  requireCount,
  requireSync,
} from "@kubeloop/controller/internal/base";
import { exportedSimulation } from "./exported_simulation.ts";
import { planToReplay, Progress, Report, type ReportEnd, writeReport } from "./report/mod.ts";
import type { ExploreOptions, Simulation } from "./simulation.ts";
import { startWorker, type WorkerAnswer, type WorkerHandle } from "./worker_handle.ts";

/** Options of {@linkcode exploreInWorkers}. */
export interface ExploreInWorkersOptions extends Omit<ExploreOptions, "plans"> {
  /** The number of workers. Default: the number of cores, 8 at most. */
  readonly workers?: number | undefined;
  /** The name of the export of the module. Default: the only simulation that it exports. */
  readonly simulation?: string | undefined;
  /** Stops the exploration; the promise rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The number of plans in one task of a worker. */
const BATCH = 8;

/**
 * Explores a simulation on several cores, with the same result as {@linkcode Simulation.explore}: it finds the wrong plans
 * with the lowest numbers, whatever the number of workers. Only when the real time is used up does the number of plans
 * depend on the machine.
 *
 * On Deno, workers have the permissions of the program, and need `--allow-read` for the module.
 *
 * @param module The module that exports the simulation. Each worker loads it, and so does the caller: it should do
 * nothing but define simulations.
 * @throws {TypeError} If the module exports no simulation, or several and none is chosen.
 * @throws {RangeError} If the number of workers is not a whole number from 1 on.
 * @throws {Error} If a worker fails.
 *
 * @example
 * ```ts ignore
 * import { assertClean, exploreInWorkers } from "@kubeloop/testing/simulation";
 *
 * const module = new URL("./my_simulation.ts", import.meta.url);
 * assertClean(await exploreInWorkers(module, { workers: 4, budget: { plans: 10_000 } }));
 * ```
 */
export async function exploreInWorkers(
  module: URL | string,
  options: ExploreInWorkersOptions = {},
): Promise<Report> {
  const { signal, workers = defaultWorkers() } = options;
  requireCount("workers", workers, 1);
  signal?.throwIfAborted();
  const url = String(module);
  const { name, simulation } = await exportedSimulation(url, options.simulation);
  const reference = await simulation.reference();
  if (reference.wrong.length > 0 || planToReplay(simulation.name) !== undefined) {
    return await simulation.explore(options);
  }
  const exploration = new Exploration(simulation, options);
  const results = await exploration.run(url, name, workers);
  const report = await reportOf(simulation, options, results);
  await writeReport(report, options.reports);
  return report;
}

function defaultWorkers(): number {
  const { hardwareConcurrency = 1 } = globalThis.navigator ?? {};
  return Math.min(Math.max(hardwareConcurrency, 1), 8);
}

type Result = Extract<WorkerAnswer, { kind: "done" }>;

/** The results of the workers. */
interface Results {
  /** By the number of the plan. */
  readonly byIndex: ReadonlyMap<number, Result>;
  readonly startMs: number;
}

/** Hands out the plans to the workers, in order. */
class Exploration {
  readonly #clock: Clock;
  readonly #maxFindings: number;
  readonly #deadlineMs: number;
  readonly #startMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #progress: Progress;
  readonly #onProgress: ExploreOptions["onProgress"];
  readonly #results = new Map<number, Result>();
  readonly #wrong: number[] = [];
  readonly #handles: WorkerHandle[] = [];
  readonly #busy = new Set<WorkerHandle>();
  /** The number of the plan that is handed out next. */
  #next = 0;
  #end: number;
  #isOver = false;
  readonly #over = Promise.withResolvers<void>();

  constructor({ name }: Simulation<unknown>, options: ExploreInWorkersOptions) {
    const { budget = {}, clock = realClock, onProgress, progress, signal } = options;
    const { findings = 1, ms = 600_000, plans = 2000 } = budget;
    this.#clock = clock;
    this.#maxFindings = findings;
    this.#end = plans;
    this.#startMs = clock.now();
    this.#deadlineMs = this.#startMs + ms;
    this.#signal = signal;
    this.#onProgress = onProgress;
    const isOn = progress ?? (onProgress === undefined ? undefined : false);
    this.#progress = new Progress({ name, clock, isOn });
  }

  async run(module: string, name: string, workers: number): Promise<Results> {
    const stop = () => this.#finish(this.#signal!.reason);
    this.#signal?.addEventListener("abort", stop);
    // A worker may fail while the others are being started.
    this.#over.promise.catch(() => {});
    try {
      for (let i = 0; i < workers; i++) await this.#start(module, name);
      await this.#over.promise;
    } finally {
      this.#isOver = true;
      this.#signal?.removeEventListener("abort", stop);
      await Promise.all(this.#handles.map((handle) => handle.terminate()));
    }
    return { byIndex: this.#results, startMs: this.#startMs };
  }

  async #start(module: string, name: string): Promise<void> {
    const handle = await startWorker({
      answer: (answer) => this.#answer(handle, answer),
      failed: (why) => this.#finish(new Error(`A worker of the simulation failed: ${why}`)),
    });
    this.#handles.push(handle);
    this.#busy.add(handle);
    handle.send({ kind: "load", module, name });
  }

  #answer(handle: WorkerHandle, answer: WorkerAnswer): void {
    if (this.#isOver) return;
    switch (answer.kind) {
      case "ready":
        this.#busy.delete(handle);
        this.#handOut(handle);
        break;
      case "done":
        this.#results.set(answer.index, answer);
        if (answer.isWrong) this.#wrong.push(answer.index);
        requireSync(
          "onProgress of exploreInWorkers()",
          this.#onProgress?.(this.#results.size, this.#wrong.length),
        );
        this.#progress.report(this.#results.size, this.#wrong.length);
        break;
      case "end":
        this.#end = Math.min(this.#end, answer.plans);
        break;
      case "failed":
        this.#finish(new Error(`A worker of the simulation failed: ${answer.message}`));
        break;
    }
  }

  #handOut(handle: WorkerHandle): void {
    const from = this.#next;
    const isDone = from >= this.#limit() || this.#clock.now() >= this.#deadlineMs;
    if (!isDone) {
      this.#next = Math.min(from + BATCH, this.#end);
      this.#busy.add(handle);
      handle.send({ kind: "run", from, to: this.#next });
    } else if (this.#busy.size === 0) this.#finish(undefined);
  }

  /** Returns the number of the plan from which on nothing changes the result. */
  #limit(): number {
    const last = this.#wrong.toSorted((a, b) => a - b)[this.#maxFindings - 1];
    return last === undefined ? this.#end : Math.min(last + 1, this.#end);
  }

  #finish(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error === undefined) this.#over.resolve();
    else this.#over.reject(error);
  }
}

/** Makes the report that one worker alone would have made. */
async function reportOf(
  simulation: Simulation<unknown>,
  { budget = {}, clock = realClock }: ExploreInWorkersOptions,
  { byIndex, startMs }: Results,
): Promise<Report> {
  const { findings: maxFindings = 1, plans: maxPlans = 2000 } = budget;
  const report = new Report(
    simulation.name,
    await simulation.reference(),
    await simulation.singles(),
  );
  let ended: ReportEnd = "all plans";
  let index = 0;
  for await (const plan of simulation.plans()) {
    if (index >= maxPlans) {
      ended = "plans";
      break;
    }
    const result = byIndex.get(index++);
    if (result === undefined) {
      ended = "time";
      break;
    }
    report.count(plan, result.result, result.outside);
    if (!result.isWrong) continue;
    const { findings } = await simulation.explore({ plans: [plan], progress: false });
    for (const finding of findings) report.add(finding);
    if (report.findings.length >= maxFindings) {
      ended = "findings";
      break;
    }
  }
  report.ended = ended;
  report.tookMs = clock.now() - startMs;
  return report;
}

import {
  type Clock,
  realClock,
  requireCount,
  requireSync,
} from "@kubeloop/controller/internal/base";
import { exportedSimulation } from "./exported_simulation.ts";
import { planToReplay, Progress, Report, type ReportEnd, writeReport } from "./report/mod.ts";
import { budgetOf, type ExploreOptions, type Simulation } from "./simulation.ts";
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
  const report = await exploration.run(
    { module: url, name, workers },
    () => reportOf(simulation, options, exploration),
  );
  await writeReport(report, options.reports);
  return report;
}

function defaultWorkers(): number {
  const { hardwareConcurrency = 1 } = globalThis.navigator ?? {};
  return Math.min(Math.max(hardwareConcurrency, 1), 8);
}

type Result = Extract<WorkerAnswer, { kind: "done" }>;

/** The program of the workers. */
interface Program {
  readonly module: string;
  /** The name of the export. */
  readonly name: string;
  readonly workers: number;
}

/** Hands out the plans to the workers, in order. */
class Exploration {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly startMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #progress: Progress;
  readonly #onProgress: ExploreOptions["onProgress"];
  readonly #results = new Map<number, Result>();
  readonly #waiting = new Map<number, () => void>();
  #wrong = 0;
  readonly #handles: WorkerHandle[] = [];
  readonly #busy = new Set<WorkerHandle>();
  /** The number of the plan that is handed out next. */
  #next = 0;
  #end: number;
  /** Whether the workers have nothing to do any more. */
  #isIdle = false;
  #isOver = false;
  readonly #over = Promise.withResolvers<void>();

  constructor({ name }: Simulation<unknown>, options: ExploreInWorkersOptions) {
    const { clock = realClock, onProgress, progress, signal } = options;
    const { ms, plans } = budgetOf(options.budget);
    this.#clock = clock;
    this.#end = plans;
    this.startMs = clock.now();
    this.#deadlineMs = this.startMs + ms;
    this.#signal = signal;
    this.#onProgress = onProgress;
    const isOn = progress ?? (onProgress === undefined ? undefined : false);
    this.#progress = new Progress({ name, clock, isOn });
  }

  /** Lets the workers run plans until `report` has what it needs. */
  async run(
    { module, name, workers }: Program,
    report: () => Promise<Report>,
  ): Promise<Report> {
    const stop = () => this.#finish(this.#signal!.reason);
    this.#signal?.addEventListener("abort", stop);
    // A worker may fail while the others are being started.
    this.#over.promise.catch(() => {});
    try {
      for (let i = 0; i < workers; i++) await this.#start(module, name);
      const made = report();
      // It may fail before or after the workers do.
      made.then(() => this.#finish(undefined), (error) => this.#finish(error));
      await this.#over.promise;
      return await made;
    } finally {
      this.#isOver = true;
      this.#wakeAll();
      this.#signal?.removeEventListener("abort", stop);
      await Promise.all(this.#handles.map((handle) => handle.terminate()));
    }
  }

  /** Returns the result of a plan; undefined if the time was over before. */
  async result(index: number): Promise<Result | undefined> {
    while (!this.#results.has(index) && !this.#isOver && !this.#isIdle) {
      await new Promise<void>((resolve) => void this.#waiting.set(index, resolve));
    }
    return this.#results.get(index);
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.values()) wake();
    this.#waiting.clear();
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
        if (answer.bug !== undefined) this.#wrong++;
        requireSync(
          "onProgress of exploreInWorkers()",
          this.#onProgress?.(this.#results.size, this.#wrong),
        );
        this.#progress.report(this.#results.size, this.#wrong);
        this.#wakeAll();
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
    const isDone = from >= this.#end || this.#clock.now() >= this.#deadlineMs;
    if (!isDone) {
      this.#next = Math.min(from + BATCH, this.#end);
      this.#busy.add(handle);
      handle.send({ kind: "run", from, to: this.#next });
    } else if (this.#busy.size === 0) {
      this.#isIdle = true;
      this.#wakeAll();
    }
  }

  #finish(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error === undefined) this.#over.resolve();
    else this.#over.reject(error);
  }
}

/** Returns the report that one worker alone would have made. The workers continue meanwhile. */
async function reportOf(
  simulation: Simulation<unknown>,
  { budget, clock = realClock }: ExploreInWorkersOptions,
  exploration: Exploration,
): Promise<Report> {
  const { findings: maxFindings, plans: maxPlans } = budgetOf(budget);
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
    const result = await exploration.result(index++);
    if (result === undefined) {
      ended = "time";
      break;
    }
    report.count(plan, result.result, result.outside);
    if (result.bug === undefined || report.knows(result.bug)) continue;
    const { findings } = await simulation.explore({ plans: [plan], progress: false });
    for (const finding of findings) report.add(finding, result.bug);
    if (report.findings.length >= maxFindings) {
      ended = "findings";
      break;
    }
  }
  report.ended = ended;
  report.tookMs = clock.now() - exploration.startMs;
  return report;
}

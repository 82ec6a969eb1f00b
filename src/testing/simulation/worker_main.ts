/**
 * The program of a worker, which runs plans of a simulation.
 *
 * @module
 */

import { exportedSimulation } from "./exported_simulation.ts";
import type { Plan } from "./plans/mod.ts";
import { bugOf, resultOf } from "./report/mod.ts";
import type { RunRecord } from "./judge/mod.ts";
import type { Simulation } from "./simulation.ts";
import type { WorkerAnswer, WorkerTask } from "./worker_handle.ts";

/** The part of a worker's global scope, or of `parentPort` in Node, that is used. */
interface Port {
  postMessage(answer: WorkerAnswer): void;
}

class WorkerMain {
  readonly #port: Port;
  #simulation: Simulation<unknown> | undefined;
  #plans: AsyncIterator<Plan> | undefined;
  #next = 0;
  #reference: RunRecord | undefined;

  constructor(port: Port) {
    this.#port = port;
  }

  async do(task: WorkerTask): Promise<void> {
    try {
      if (task.kind === "load") await this.#load(task.module, task.name);
      else await this.#run(task.from, task.to);
      this.#port.postMessage({ kind: "ready" });
    } catch (error) {
      const message = error instanceof Error ? error.stack ?? error.message : String(error);
      this.#port.postMessage({ kind: "failed", message });
    }
  }

  async #load(module: string, name: string): Promise<void> {
    const { simulation } = await exportedSimulation(module, name);
    this.#simulation = simulation;
    this.#plans = simulation.plans();
    this.#reference = await simulation.reference();
  }

  async #run(from: number, to: number): Promise<void> {
    for (; this.#next < to; this.#next++) {
      const { done, value: plan } = await this.#plans!.next();
      if (done) {
        this.#port.postMessage({ kind: "end", plans: this.#next });
        return;
      }
      if (this.#next < from) continue;
      const record = await this.#simulation!.try(plan);
      this.#port.postMessage({
        kind: "done",
        index: this.#next,
        result: resultOf(record, this.#reference!),
        outside: record.outside,
        ...(record.wrong.length > 0 && { bug: bugOf(record) }),
      });
    }
  }
}

/** Node has no messages in the global scope of a worker; Deno and Bun have. */
async function main(): Promise<void> {
  const scope = globalThis as unknown as Port & {
    onmessage?: (event: { readonly data: WorkerTask }) => void;
  };
  if (typeof scope.postMessage === "function") {
    const worker = new WorkerMain({ postMessage: (answer) => scope.postMessage(answer) });
    scope.onmessage = ({ data }) => void worker.do(data);
    return;
  }
  const { parentPort } = await import("node:worker_threads");
  if (parentPort === null) throw new Error("This module is the program of a worker");
  const worker = new WorkerMain(parentPort);
  parentPort.on("message", (task: WorkerTask) => void worker.do(task));
}

await main();

import type { PlanResult } from "./report/mod.ts";

/** A task for a worker. */
export type WorkerTask =
  /** Load the simulation that `module` exports as `name`. */
  | { readonly kind: "load"; readonly module: string; readonly name: string }
  /** Run the plans from `from` on, up to but not including `to`. */
  | { readonly kind: "run"; readonly from: number; readonly to: number };

/** A message of a worker. */
export type WorkerAnswer =
  /** The worker waits for a task. */
  | { readonly kind: "ready" }
  | {
    readonly kind: "done";
    readonly index: number;
    readonly result: PlanResult;
    readonly outside: readonly string[];
    /** The name of the bug that the plan shows; undefined if it ended right. */
    readonly bug?: string | undefined;
  }
  /** The simulation has no more than this number of plans. */
  | { readonly kind: "end"; readonly plans: number }
  | { readonly kind: "failed"; readonly message: string };

/** A worker, whatever the runtime. */
export interface WorkerHandle {
  send(task: WorkerTask): void;
  terminate(): Promise<void>;
}

/** Callbacks for the messages and failures of a worker. */
export interface WorkerListener {
  answer(answer: WorkerAnswer): void;
  failed(why: string): void;
}

/** Workers of the web, which Deno and Bun have. */
interface WebWorker {
  onmessage: (event: { readonly data: WorkerAnswer }) => void;
  onerror: (event: { readonly message?: string; preventDefault?(): void }) => void;
  postMessage(task: WorkerTask): void;
  terminate(): void;
}

type WebWorkerClass = new (url: URL, options: { readonly type: "module" }) => WebWorker;

/** Starts a worker. */
export async function startWorker(listener: WorkerListener): Promise<WorkerHandle> {
  const url = new URL("./worker_main.ts", import.meta.url);
  const { Worker } = globalThis as unknown as { readonly Worker?: WebWorkerClass };
  if (Worker !== undefined) return startWebWorker(new Worker(url, { type: "module" }), listener);
  const threads = await import("node:worker_threads");
  const worker = new threads.Worker(url);
  worker.on("message", (answer: WorkerAnswer) => listener.answer(answer));
  worker.on("error", (error: Error) => listener.failed(error.stack ?? error.message));
  worker.on("exit", () => listener.failed("it has ended"));
  return {
    send: (task) => worker.postMessage(task),
    terminate: async () => void await worker.terminate(),
  };
}

function startWebWorker(worker: WebWorker, listener: WorkerListener): WorkerHandle {
  worker.onmessage = ({ data }) => listener.answer(data);
  worker.onerror = (event) => {
    // Otherwise Deno ends the whole program.
    event.preventDefault?.();
    listener.failed(event.message ?? "it has ended");
  };
  return {
    send: (task) => worker.postMessage(task),
    terminate: () => {
      worker.terminate();
      return Promise.resolve();
    },
  };
}

import type { WorkQueue } from "@kubeloop/controller/workqueue";
import type { Case, Measured, Run } from "./case.ts";

const CALLS = 3;
const WORKERS = 10;
/** The number of different keys of one worker. */
const KEYS = 10_000;

/** The work queue: the cost of add, get and done of one key. */
export const queue: Case = {
  name: "queue",
  title: ({ count }) => `Work queue, ${count.toLocaleString("en")} keys: add, get and done of one`,
  figures: [
    { name: "oneWorkerNs", title: "one worker, tryGet", unit: "ns" },
    { name: "callsM", title: "that is", unit: "M calls/s" },
    { name: "awaitNs", title: "one worker, await get", unit: "ns" },
    { name: "tenWorkersNs", title: `${WORKERS} workers`, unit: "ns" },
    { name: "fillDrainNs", title: "fill, then drain", unit: "ns" },
  ],
  clients: ["kubeloop", "client-go"],
  size: { pods: 0, count: 1_000_000 },
  quickSize: { pods: 0, count: 200_000 },
  measure,
};

async function measure({ size: { count } }: Run): Promise<Measured> {
  const { WorkQueue } = await import("@kubeloop/controller/workqueue");
  const keys = Array.from({ length: count }, (_, i) => `namespace-${i % 50}/pod-${i}`);
  const few = keys.slice(0, KEYS);
  // Warm-up, so that compiled code is measured.
  oneWorker(new WorkQueue(), few, count / 5);
  await worker(new WorkQueue(), few, count / 5);

  const oneWorkerNs = await perKey(count, () => oneWorker(new WorkQueue(), few, count));
  const awaitNs = await perKey(count, () => worker(new WorkQueue(), few, count));
  const tenWorkersNs = await perKey(count, () => {
    const shared = new WorkQueue();
    const share = count / WORKERS;
    // Each key is added once: a second add of a queued key has no effect, so a worker would wait forever.
    return Promise.all(Array.from({ length: WORKERS }, (_, i) => {
      return worker(shared, keys.slice(i * share, (i + 1) * share), share);
    }));
  });
  const fillDrainNs = await perKey(count, () => fillAndDrain(new WorkQueue(), keys));
  return {
    oneWorkerNs,
    callsM: CALLS * 1000 / oneWorkerNs,
    awaitNs,
    tenWorkersNs,
    fillDrainNs,
  };
}

async function perKey(count: number, work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) * 1e6 / count;
}

function oneWorker(queue: WorkQueue, keys: readonly string[], count: number): void {
  for (let i = 0; i < count; i++) {
    queue.add(keys[i % keys.length] ?? "");
    queue.done(queue.tryGet() ?? "");
  }
}

async function worker(queue: WorkQueue, keys: readonly string[], count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    queue.add(keys[i % keys.length] ?? "");
    const { item } = await queue.get();
    queue.done(item ?? "");
  }
}

function fillAndDrain(queue: WorkQueue, keys: readonly string[]): void {
  for (const key of keys) queue.add(key);
  for (let i = 0; i < keys.length; i++) queue.done(queue.tryGet() ?? "");
  if (queue.length !== 0) throw new Error("Keys are left");
}

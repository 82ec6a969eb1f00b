import type { Clock, Timer } from "@kubeloop/controller/base";
import { cpuMs, memoryAfterGc, threadCpuMs } from "../inside/process_facts.ts";
import type { Case, Measured, Run } from "./case.ts";

/** The keys that are added, or taken, in one turn of the event loop. */
const SLICE = 500;
const DELAY_MS = 3_600_000;

/** Retries in the work queue: all keys have failed once, wait, and are due at the same moment. */
export const queueRetries: Case = {
  name: "queue-retries",
  title: ({ count }) => `Work queue, ${count.toLocaleString("en")} retries that are due at once`,
  figures: [
    { name: "waitingBytes", title: "memory of a delayed key", unit: "B" },
    { name: "cpuUs", title: "CPU per key", unit: "µs" },
    { name: "addMs", title: "longest turn: adding", unit: "ms" },
    { name: "dueMs", title: "when due", unit: "ms" },
    { name: "takeMs", title: "taking", unit: "ms" },
    { name: "stopMs", title: "stopping", unit: "ms" },
  ],
  clients: ["kubeloop", "client-go"],
  size: { pods: 0, count: 1_000_000 },
  quickSize: { pods: 0, count: 200_000 },
  measure,
};

async function measure({ size: { count } }: Run): Promise<Measured> {
  const { ItemExponentialFailureRateLimiter, RateLimitingQueue } = await import(
    "@kubeloop/controller/workqueue"
  );
  const { realClock } = await import("@kubeloop/controller/base");
  // Parsed, because keys that are put together take more memory until they are used.
  const keys: string[] = JSON.parse(
    JSON.stringify(Array.from({ length: count }, (_, i) => `namespace-${i % 50}/pod-${i}`)),
  );
  const before = (await memoryAfterGc()).memoryMiB;
  const due = new LongestTurn();
  const clock = new JumpingClock(realClock, due);
  const limiter = new ItemExponentialFailureRateLimiter<string>(DELAY_MS, DELAY_MS);
  const queue = new RateLimitingQueue(limiter, { clock });
  const cpuAtStart = cpuMs();
  const addMs = await inSlices(keys, (key) => queue.addRateLimited(key));
  const cpuToAdd = cpuMs() - cpuAtStart;
  const waiting = (await memoryAfterGc()).memoryMiB - before;

  const cpuBeforeDue = cpuMs();
  clock.jump(2 * DELAY_MS);
  while (queue.waitingLength > 0) await sleep(10);
  const takeMs = await inSlices(keys, () => {
    const key = queue.tryGet() ?? "";
    queue.forget(key);
    queue.done(key);
  });
  const cpuUs = (cpuToAdd + cpuMs() - cpuBeforeDue) * 1000 / count;

  for (const key of keys) queue.addRateLimited(key);
  const stop = new LongestTurn();
  stop.run(() => queue.shutDown());
  return {
    waitingBytes: waiting * 2 ** 20 / count,
    cpuUs,
    addMs,
    dueMs: due.ms,
    takeMs,
    stopMs: stop.ms,
  };
}

/** Finds the longest of several turns of the event loop, by the CPU time of the thread: the machine may be busy. */
class LongestTurn {
  ms = 0;

  run(turn: () => void): void {
    const startedAt = threadCpuMs();
    turn();
    this.ms = Math.max(this.ms, threadCpuMs() - startedAt);
  }
}

/** The real clock, which can be put forward, and measures what its timers do. */
class JumpingClock implements Clock {
  readonly #clock: Clock;
  readonly #turns: LongestTurn;
  #offsetMs = 0;
  #pending: (() => void) | undefined;

  constructor(clock: Clock, turns: LongestTurn) {
    this.#clock = clock;
    this.#turns = turns;
  }

  now(): number {
    return this.#clock.now() + this.#offsetMs;
  }

  wallNow(): number {
    return this.#clock.wallNow() + this.#offsetMs;
  }

  /** Keeps the latest long timer, the only one of the queue, for the jump. */
  setTimer(callback: () => void, delayMs: number): Timer {
    const turn = () => this.#turns.run(callback);
    if (delayMs <= 0) return this.#clock.setTimer(turn, delayMs);
    this.#pending = turn;
    return { cancel: () => this.#pending = undefined };
  }

  jump(ms: number): void {
    this.#offsetMs += ms;
    this.#pending?.();
  }
}

/** Does `step` for each key, some in each turn, and returns the longest turn, in milliseconds. */
async function inSlices(keys: readonly string[], step: (key: string) => void): Promise<number> {
  const longest = new LongestTurn();
  for (let i = 0; i < keys.length; i += SLICE) {
    longest.run(() => keys.slice(i, i + SLICE).forEach(step));
    await sleep(0);
  }
  return longest.ms;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import { assertEquals } from "@std/assert";
import {
  abortable,
  delay,
  exponentialBackoff,
  holdsInTime,
  onAbort,
  TokenBucket,
  untilStopped,
  Waiters,
  withTimeLimit,
} from "../../../src/base/mod.ts";
import { FIFO, KeyedHeap, parallelizeUntil } from "../../../src/extras/mod.ts";
import type { Row } from "../row.ts";
import { NO_CLOCK, NO_FUNCTION, NO_OBJECT, NO_SERVER } from "./_reasons.ts";

const not = { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK };
const again = { again: "two readers share what one took" } as const;

interface Item {
  readonly name: string;
  readonly size: number;
}

/** Waits without a server. */
export const waits: readonly Row[] = [
  {
    name: "delay(), abortable(), TokenBucket and Waiters",
    covers: [
      "delay",
      "abortable",
      "TokenBucket.wait",
    ],
    start: async ({ clock, signal }) => {
      const release = onAbort(signal, () => {});
      try {
        const waiters = new Waiters();
        const bucket = new TokenBucket({ qps: 1, burst: 1, clock });
        clock.setTimer(() => waiters.wakeAll(), 5_000);
        const woken = waiters.wait(signal);
        woken.catch(() => {});
        await delay(1_000, { clock, signal });
        await bucket.wait({ signal });
        await bucket.wait({ signal });
        await abortable(new Promise<void>((resolve) => clock.setTimer(resolve, 1_000)), signal);
        await woken;
        return clock.now();
      } finally {
        release();
      }
    },
    normal: (_day, ms) => assertEquals(ms, 5_000),
    not: { ...not, ...NO_FUNCTION, abort: "its own timers are those of its caller" },
  },
  {
    name: "exponentialBackoff(), holdsInTime(), withTimeLimit() and parallelizeUntil()",
    covers: [
      "exponentialBackoff",
      "exponentialBackoff(condition)",
      "parallelizeUntil",
      "parallelizeUntil(doWorkPiece)",
    ],
    start: async (day) => {
      const { clock, log: logger, random, signal } = day;
      let tries = 0;
      const options = { backoff: { durationMs: 100, steps: 5 }, clock, random, signal };
      const late = () => new DOMException("not done within 60000 ms", "TimeoutError");
      await exponentialBackoff(day.user("condition", () => ++tries % 3 === 0), options);
      await holdsInTime(day.user("condition of holdsInTime", () => ++tries % 3 === 0), options);
      await withTimeLimit(
        { clock, signal, limitMs: 60_000, late: day.user("late", late) },
        (limited) => {
          const work = day.user("work", () => delay(1_000, { clock, signal: limited }));
          return abortable(Promise.resolve(work()), limited);
        },
      );
      const piece = day.user("doWorkPiece", async () => {
        await delay(10, { clock, signal });
      });
      await parallelizeUntil(
        2,
        3,
        (_index) => abortable(Promise.resolve(piece()), signal),
        { signal },
      );
      signal.throwIfAborted();
      await untilStopped(Promise.resolve(), { clock, logger, what: () => "nothing" });
      return tries;
    },
    normal: (_day, tries) => assertEquals(tries, 6),
    not,
  },
  {
    name: "FIFO",
    covers: [
      "FIFO.add",
      "FIFO.update",
      "FIFO.delete",
      "FIFO.replace",
      "FIFO.resync",
      "FIFO.pop",
      "FIFO.pop(process)",
      "FIFO.tryPop(process)",
      "FIFO.wait",
      "FIFO.whenSynced",
      "FIFO.close",
      "new FIFO(keyFunc)",
    ],
    start: async (day) => {
      const { signal, time } = day;
      const queue = new FIFO<Item>(day.user("keyFunc", ({ name }: Item) => name));
      const popped: string[] = [];
      try {
        queue.replace([{ name: "a", size: 1 }, { name: "b", size: 1 }], "1");
        queue.update({ name: "a", size: 2 });
        queue.delete({ name: "b", size: 1 });
        queue.resync();
        queue.tryPop(() => void popped.push("first"));
        time.setTimer(() => {
          if (!queue.isClosed() && day.misbehaviour === undefined) {
            queue.add({ name: "c", size: 1 });
          }
        }, 1_000);
        await queue.wait({ signal });
        await queue.pop(day.user("process", ({ name }: Item) => void popped.push(name)), {
          signal,
        });
        await queue.whenSynced({ signal });
        return popped;
      } finally {
        queue.close();
      }
    },
    normal: (_day, popped) => assertEquals(popped, ["first", "c"]),
    not: { ...not, ...again },
  },
  {
    name: "KeyedHeap",
    covers: [
      "KeyedHeap.add",
      "KeyedHeap.addIfNotPresent",
      "KeyedHeap.bulkAdd",
      "KeyedHeap.update",
      "KeyedHeap.delete",
      "KeyedHeap.pop",
      "KeyedHeap.close",
      "KeyedHeapOptions.keyFunc",
      "KeyedHeapOptions.lessFunc",
    ],
    start: async (day) => {
      const { signal, time } = day;
      const heap = new KeyedHeap<Item>({
        keyFunc: day.user("keyFunc", ({ name }: Item) => name),
        lessFunc: day.user("lessFunc", (a: Item, b: Item) => a.size < b.size),
      });
      try {
        heap.bulkAdd([{ name: "a", size: 2 }, { name: "b", size: 1 }]);
        heap.addIfNotPresent({ name: "a", size: 0 });
        heap.update({ name: "b", size: 3 });
        heap.delete({ name: "b", size: 3 });
        time.setTimer(() => {
          if (!heap.isClosed() && day.misbehaviour === undefined) heap.add({ name: "c", size: 1 });
        }, 1_000);
        const names = [(await heap.pop({ signal })).name, (await heap.pop({ signal })).name];
        return names;
      } finally {
        heap.close();
      }
    },
    normal: (_day, names) => assertEquals(names, ["a", "c"]),
    not: { ...not, ...again },
  },
];

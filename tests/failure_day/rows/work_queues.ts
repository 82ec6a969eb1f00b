import { assertEquals } from "@std/assert";
import {
  DelayingQueue,
  MaxOfRateLimiter,
  PriorityQueue,
  type Queue,
  RateLimitingQueue,
  WorkQueue,
} from "../../../src/workqueue/mod.ts";
import type { Day } from "../day.ts";
import type { Row } from "../row.ts";
import { NO_OBJECT, NO_SERVER } from "./_reasons.ts";

/** A queue of the user: first in, first out. */
function ownQueue(day: Day): Queue<string> {
  const items: string[] = [];
  return {
    get length() {
      return items.length;
    },
    push: day.user("Queue.push()", (item: string) => void items.push(item)),
    pop: day.user("Queue.pop()", () => items.shift()),
    touch: day.user("Queue.touch()", () => {}),
  };
}

/** Takes and finishes three items, and shuts the queue down. */
async function work(day: Day, queue: WorkQueue<string>): Promise<string[]> {
  const { signal } = day;
  const done: string[] = [];
  try {
    for (let i = 0; i < 3; i++) {
      const { item, shutdown } = await queue.get({ signal });
      if (shutdown) break;
      done.push(item);
      queue.done(item);
    }
    await queue.shutDownWithDrain();
  } finally {
    await queue[Symbol.asyncDispose]();
  }
  return done;
}

const not = {
  ...NO_SERVER,
  ...NO_OBJECT,
  clock: "does not look at the wall time",
  again: "two workers share what one took",
} as const;

/** Work queues. */
export const workQueues: readonly Row[] = [
  {
    name: "WorkQueue with a queue of the user",
    covers: [
      "WorkQueue.get",
      "WorkQueue.add",
      "WorkQueue.done",
      "WorkQueue.shutDown",
      "WorkQueue.shutDownWithDrain",
      "WorkQueue[Symbol.asyncDispose]",
      "Queue.push",
      "Queue.pop",
      "Queue.touch",
    ],
    start: async (day) => {
      const queue = new WorkQueue<string>({ clock: day.clock, queue: ownQueue(day) });
      queue.add("a");
      queue.add("a");
      queue.add("b");
      day.time.setTimer(() => queue.add("c"), 1_000);
      return await work(day, queue);
    },
    normal: (_day, done) => assertEquals(done, ["a", "b", "c"]),
    not: { ...not, function: "its queue keeps its items in memory, and must work" },
  },
  {
    name: "DelayingQueue and RateLimitingQueue",
    covers: [
      "PriorityQueueOptions.priorityOf",
    ],
    start: async (day) => {
      const { clock } = day;
      const delaying = new DelayingQueue<string>({ clock });
      for (const [i, item] of ["a", "b", "c"].entries()) delaying.addAfter(item, 1_000 * i);
      delaying.addAfter("late", 3_600_000);
      const limiting = new RateLimitingQueue<string>(
        new MaxOfRateLimiter({
          when: day.user("when()", () => 1_000),
          forget: day.user("forget()", () => {}),
          numRequeues: day.user("numRequeues()", () => 0),
        }),
        {
          clock,
          queue: new PriorityQueue<string>({ priorityOf: day.user("priorityOf", () => 0) }),
        },
      );
      try {
        const first = await work(day, delaying);
        for (const item of ["a", "b", "c"]) {
          if (limiting.numRequeues(item) === 0) limiting.addRateLimited(item);
          limiting.forget(item);
        }
        return [...first, ...await work(day, limiting)];
      } finally {
        delaying.shutDown();
        limiting.shutDown();
      }
    },
    normal: (_day, done) => assertEquals(done, ["a", "b", "c", "a", "b", "c"]),
    not,
  },
];

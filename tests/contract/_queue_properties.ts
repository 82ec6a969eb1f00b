import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { delay } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import type { WorkQueue, WorkQueueOptions } from "../../src/workqueue/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

/** Makes the queue under test. */
export type MakeQueue = (options?: WorkQueueOptions<string>) => WorkQueue<string>;

/** Tests of every work queue with random calls and with large numbers of items. */
export function queueProperties(name: string, make: MakeQueue): void {
  Deno.test(`${name} behaves like client-go's queue, in any order of calls`, () => {
    const call = fc.oneof(
      { weight: 4, arbitrary: fc.record({ op: fc.constant("add"), n: fc.nat(4) }) },
      { weight: 3, arbitrary: fc.record({ op: fc.constant("get"), n: fc.constant(0) }) },
      { weight: 3, arbitrary: fc.record({ op: fc.constant("done"), n: fc.nat(4) }) },
      { weight: 1, arbitrary: fc.record({ op: fc.constant("shutDown"), n: fc.constant(0) }) },
    );
    assertProperty(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const queue = make();
        const model = new ModelQueue();
        for (const { op, n } of calls) {
          const item = `item-${n}`;
          if (op === "add") {
            queue.add(item);
            model.add(item);
          } else if (op === "get") {
            assertEquals(queue.tryGet(), model.tryGet());
          } else if (op === "shutDown") {
            queue.shutDown();
            model.shuttingDown = true;
          } else if (model.processing.has(item)) {
            queue.done(item);
            model.done(item);
          } else {
            assertThrows(() => queue.done(item), Error, "is not being processed");
          }
          assertEquals(queue.length, model.queue.length);
          assertEquals(queue.shuttingDown(), model.shuttingDown);
        }
      }),
      300,
    );
  });

  Deno.test(`${name} with many workers: none shares an item, and no addition is lost`, async () => {
    const addition = fc.record({
      item: fc.constantFrom("a", "b", "c", "d"),
      pauseMs: fc.integer({ min: 0, max: 8 }),
    });
    await assertProperty(
      fc.asyncProperty(
        fc.array(addition, { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 10 }),
        async (additions, workers, workMs) => {
          const clock = new VirtualClock();
          const queue = make({ clock });
          const busy = new Set<string>();
          /** Items that were added, and that no worker has started to process since. */
          const owed = new Set<string>();
          let starts = 0;
          async function work(): Promise<void> {
            while (true) {
              const { item, shutdown } = await queue.get();
              if (shutdown) return;
              assert(!busy.has(item), `two workers have ${item}`);
              busy.add(item);
              owed.delete(item);
              const ms = workMs[starts++ % workMs.length] as number;
              if (ms > 0) await delay(ms, { clock });
              busy.delete(item);
              queue.done(item);
            }
          }
          async function produce(): Promise<void> {
            for (const { item, pauseMs } of additions) {
              owed.add(item);
              queue.add(item);
              if (pauseMs > 0) await delay(pauseMs, { clock });
            }
            queue.shutDown();
          }
          const running = [produce()];
          for (let i = 0; i < workers; i++) running.push(work());
          await clock.run(Promise.all(running));
          assertEquals([...owed], []);
          assert(starts <= additions.length, "an addition was worked on twice");
          assertEquals(clock.pendingTimers, 0);
        },
      ),
      60,
    );
  });

  Deno.test(`${name} returns a hundred thousand items in order`, () => {
    const queue = make();
    const count = 100_000;
    for (let i = 0; i < count; i++) queue.add(`item-${i}`);
    assertEquals(queue.length, count);
    for (let i = 0; i < count; i++) {
      const item = queue.tryGet();
      if (item !== `item-${i}`) throw new Error(`received ${item} in place of item-${i}`);
      queue.done(item);
    }
    assertEquals(queue.length, 0);
  });
}

/** A simple model of client-go's queue, with its three sets. */
class ModelQueue {
  readonly queue: string[] = [];
  readonly dirty = new Set<string>();
  readonly processing = new Set<string>();
  shuttingDown = false;

  add(item: string): void {
    if (this.shuttingDown || this.dirty.has(item)) return;
    this.dirty.add(item);
    if (!this.processing.has(item)) this.queue.push(item);
  }

  tryGet(): string | undefined {
    const item = this.queue.shift();
    if (item !== undefined) {
      this.processing.add(item);
      this.dirty.delete(item);
    }
    return item;
  }

  done(item: string): void {
    this.processing.delete(item);
    if (this.dirty.has(item)) this.queue.push(item);
  }
}

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { delay } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { parallelizeUntil } from "../../src/extras/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

Deno.test("parallelizeUntil() processes each piece once, and no more at once than workers and chunks", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: -1, max: 8 }),
      async (workers, pieces, chunkSize) => {
        const clock = new VirtualClock();
        const done = new Array<number>(pieces).fill(0);
        let underWay = 0;
        let most = 0;
        const work = async (piece: number) => {
          most = Math.max(most, ++underWay);
          await delay(piece % 3, { clock });
          done[piece] = (done[piece] as number) + 1;
          underWay--;
        };
        await clock.run(parallelizeUntil(workers, pieces, work, { chunkSize }));
        assertEquals(done, new Array<number>(pieces).fill(1));
        assertEquals(most, Math.min(workers, Math.ceil(pieces / Math.max(1, chunkSize))));
        assertEquals(underWay, 0);
      },
    ),
    60,
  );
});

Deno.test("parallelizeUntil() gives a worker consecutive pieces", async () => {
  const order: number[] = [];
  await parallelizeUntil(2, 6, async (piece) => {
    order.push(piece);
    await Promise.resolve();
  }, { chunkSize: 3 });
  assertEquals(order, [0, 3, 1, 4, 2, 5]);
});

Deno.test("parallelizeUntil() processes every piece whatever the chunk size", async () => {
  for (const chunkSize of [undefined, NaN, -Infinity, 0, 0.5, 2.7, Infinity]) {
    const done: number[] = [];
    await parallelizeUntil(2, 3, (piece) => void done.push(piece), { chunkSize });
    assertEquals(done.toSorted(), [0, 1, 2]);
  }
  await parallelizeUntil(2, 0, () => {}, { chunkSize: 5 });
});

Deno.test("parallelizeUntil() stops between pieces when aborted, and does not reject", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const done: number[] = [];
  const work = async (piece: number) => {
    await delay(10, { clock });
    if (piece === 2) controller.abort();
    done.push(piece);
  };
  await clock.run(parallelizeUntil(2, 100, work, { chunkSize: 10, signal: controller.signal }));
  assert(done.length <= 6, `${done}`);
  await clock.advance(1000);
  assert(done.length <= 6, "no piece is processed afterwards");
});

Deno.test("parallelizeUntil() with an aborted signal does nothing", async () => {
  await parallelizeUntil(2, 5, () => {
    throw new Error("unreachable");
  }, { signal: AbortSignal.abort() });
});

Deno.test("parallelizeUntil() tries every piece, then rejects with the first error", async () => {
  const tried: number[] = [];
  const error = new Error("piece 1");
  const rejected = await assertRejects(() =>
    parallelizeUntil(2, 6, (piece) => {
      tried.push(piece);
      if (piece === 1) throw error;
      return piece === 3 ? Promise.reject(new Error("piece 3")) : undefined;
    })
  );
  assertStrictEquals(rejected, error);
  assertEquals(tried.toSorted(), [0, 1, 2, 3, 4, 5]);
});

Deno.test("parallelizeUntil() rejects invalid numbers of workers and pieces", async () => {
  await assertRejects(() => parallelizeUntil(0, 1, () => {}), RangeError, "workers");
  await assertRejects(() => parallelizeUntil(1.5, 1, () => {}), RangeError, "workers");
  await assertRejects(() => parallelizeUntil(1, -1, () => {}), RangeError, "pieces");
});

import { assertEquals, assertRejects } from "@std/assert";
import { Slots } from "../../src/logs/slots.ts";

Deno.test("Slots gives out no more than there are, in the order of the calls", async () => {
  const slots = new Slots(2);
  const { signal } = new AbortController();
  assertEquals(slots.areTaken, false);
  const first = await slots.take(signal);
  assertEquals(slots.areTaken, false);
  const second = await slots.take(signal);
  assertEquals(slots.areTaken, true);
  const order: number[] = [];
  const waiting = [3, 4, 5].map(async (number) => {
    const give = await slots.take(signal);
    order.push(number);
    return give;
  });
  first();
  const third = await waiting[0]!;
  assertEquals([order, slots.areTaken], [[3], true]);
  second();
  third();
  const gives = await Promise.all(waiting.slice(1));
  assertEquals([order, slots.areTaken], [[3, 4, 5], true]);
  gives[0]!();
  assertEquals(slots.areTaken, false);
  gives[1]!();
  await slots.take(signal);
  assertEquals(slots.areTaken, false);
  await slots.take(signal);
  assertEquals(slots.areTaken, true);
});

Deno.test("Slots forgets a caller whose signal aborts while it waits", async () => {
  const slots = new Slots(1);
  const stop = new AbortController();
  const give = await slots.take(stop.signal);
  const waiting = assertRejects(() => slots.take(stop.signal), Error, "stopped");
  const next = slots.take(new AbortController().signal);
  assertEquals(slots.waiting, 2);
  stop.abort(new Error("stopped"));
  // The slot is still taken.
  await waiting;
  assertEquals(slots.waiting, 1);
  give();
  (await next)();
  assertEquals([slots.areTaken, slots.waiting], [false, 0]);
  await assertRejects(() => slots.take(stop.signal), Error, "stopped");
  assertEquals(slots.areTaken, false);
});

import { assertEquals, assertRejects } from "@std/assert";
import { VirtualClock } from "../../src/testing/mod.ts";

Deno.test("VirtualClock.advance() fires timers in the order they are due, then set", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("b"), 20);
  clock.setTimer(() => fired.push("a1"), 10);
  clock.setTimer(() => fired.push("a2"), 10);
  await clock.advance(20);
  assertEquals(fired, ["a1", "a2", "b"]);
  assertEquals([clock.now(), clock.wallNow()], [20, Date.UTC(2026, 0, 1) + 20]);
});

Deno.test("VirtualClock.advance() fires timers that another timer sets, if they are due in time", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  const again = () => {
    fired.push(clock.now());
    Promise.resolve().then(() => clock.setTimer(again, 10));
  };
  clock.setTimer(again, 10);
  await clock.advance(35);
  assertEquals(fired, [10, 20, 30]);
  assertEquals(clock.pendingTimers, 1);
});

Deno.test("VirtualClock lets streams settle between two timers", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  (async () => {
    for await (const chunk of readable.pipeThrough(new TransformStream())) seen.push(chunk);
  })();
  clock.setTimer(() => writer.write("x"), 1);
  clock.setTimer(() => seen.push("second timer"), 2);
  await clock.advance(2);
  assertEquals(seen, ["x", "second timer"]);
  await writer.close();
});

Deno.test("VirtualClock timers can be cancelled, even twice", async () => {
  const clock = new VirtualClock();
  let fired = 0;
  const timer = clock.setTimer(() => fired++, 5);
  timer.cancel();
  timer.cancel();
  await clock.advance(10);
  assertEquals(fired, 0);
});

Deno.test("VirtualClock.run() advances until the promise settles, and throws when no timer is left", async () => {
  const clock = new VirtualClock();
  const late = new Promise<string>((resolve) => clock.setTimer(() => resolve("done"), 3_600_000));
  assertEquals(await clock.run(late), "done");
  assertEquals(clock.now(), 3_600_000);
  await assertRejects(() => clock.run(new Promise(() => {})), Error, "no timer is set");
});

Deno.test("VirtualClock fires what is due now by itself, and nothing else", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("later"), 1);
  await new Promise<void>((resolve) => {
    clock.setTimer(() => {
      fired.push("first");
      clock.setTimer(() => fired.push("second"), 0);
      clock.setTimer(resolve, -5);
    }, 0);
  });
  assertEquals(fired, ["first", "second"]);
  const cancelled = clock.setTimer(() => fired.push("cancelled"), 0);
  cancelled.cancel();
  await clock.settle();
  assertEquals([fired, clock.pendingTimers], [["first", "second"], 1]);
});

Deno.test("VirtualClock leaves what is due to whoever moves it, and fires it when that one is done", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.setTimer(() => {
    resolve();
    clock.setTimer(() => fired.push("after run()"), 0);
  }, 10);
  await clock.run(promise);
  await clock.settle();
  assertEquals(fired, ["after run()"]);
});

Deno.test("VirtualClock.run() throws at its time limit", async () => {
  const clock = new VirtualClock();
  const tick = () => clock.setTimer(tick, 10);
  tick();
  await assertRejects(() => clock.run(new Promise(() => {}), 100), Error, "after 100 ms");
});

import { assertEquals, assertThrows } from "@std/assert";
import { delay, realClock } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

for (const delayMs of [0, 1]) {
  Deno.test(`realClock.setTimer(${delayMs}) calls back once, in order, and not before it has returned`, async () => {
    const calls: string[] = [];
    const done = Promise.withResolvers<void>();
    realClock.setTimer(() => calls.push("first"), delayMs);
    realClock.setTimer(() => calls.push("cancelled"), delayMs).cancel();
    realClock.setTimer(() => {
      calls.push("last");
      done.resolve();
    }, delayMs);
    calls.push("set");
    await Promise.resolve();
    assertEquals(calls, ["set"]);
    await done.promise;
    await delay(0);
    assertEquals(calls, ["set", "first", "last"]);
  });
}

Deno.test("realClock: a timer that is cancelled after it fired does nothing", async () => {
  let calls = 0;
  const timer = realClock.setTimer(() => calls++, 0);
  await delay(0);
  timer.cancel();
  assertEquals(calls, 1);
});

for (const delay of [NaN, "soon", {}, undefined, null] as number[]) {
  Deno.test(`no clock sets a timer of ${JSON.stringify(delay) ?? "undefined"} ${typeof delay}`, () => {
    for (const clock of [realClock, new VirtualClock()]) {
      assertThrows(() => clock.setTimer(() => {}, delay), RangeError, "must be a number");
    }
  });
}

import { assertEquals, assertRejects } from "@std/assert";
import { abortable, delay, LinkedAbort, onAbort } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

Deno.test("delay() resolves when its time has passed, not before", async () => {
  const clock = new VirtualClock();
  let done = false;
  delay(1000, { clock }).then(() => done = true);
  await clock.advance(999);
  assertEquals(done, false);
  await clock.advance(1);
  assertEquals(done, true);
});

Deno.test("delay() rejects with the signal's reason and cancels its timer", async () => {
  const clock = new VirtualClock();
  const abort = new AbortController();
  const waiting = delay(1000, { clock, signal: abort.signal });
  abort.abort(new Error("enough"));
  await assertRejects(() => waiting, Error, "enough");
  assertEquals(clock.pendingTimers, 0);
  await assertRejects(() => delay(1, { clock, signal: abort.signal }), Error, "enough");
});

Deno.test("onAbort() calls back once, immediately if already aborted, and never after its release", () => {
  const abort = new AbortController();
  const calls: unknown[] = [];
  const release = onAbort(abort.signal, () => calls.push("released"));
  release();
  onAbort(abort.signal, (reason) => calls.push(reason));
  abort.abort("r");
  onAbort(abort.signal, (reason) => calls.push(reason));
  assertEquals(calls, ["r", "r"]);
});

Deno.test("LinkedAbort aborts with its parent until it is released, and never aborts its parent", () => {
  const parent = new AbortController();
  const child = new LinkedAbort(parent.signal);
  const released = new LinkedAbort(parent.signal);
  const aborted = new LinkedAbort(parent.signal);
  released.release();
  aborted.abort("own");
  assertEquals([child.signal.aborted, parent.signal.aborted], [false, false]);
  parent.abort("parent");
  assertEquals([child.signal.reason, released.signal.aborted, aborted.signal.reason], [
    "parent",
    false,
    "own",
  ]);
});

Deno.test("abortable() settles with the promise or the signal, whichever comes first", async () => {
  const abort = new AbortController();
  const slow = Promise.withResolvers<number>();
  const waiting = abortable(slow.promise, abort.signal);
  assertEquals(await abortable(Promise.resolve(1), abort.signal), 1);
  abort.abort(new Error("stop"));
  await assertRejects(() => waiting, Error, "stop");
});

import { assertEquals, assertRejects } from "@std/assert";
import { type BackoffOptions, exponentialBackoff } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

/** Returns the times of the calls of the condition, the outcome and the time of the end. */
async function times(backoff: BackoffOptions, holdsAt = Infinity) {
  const clock = new VirtualClock();
  const asked: number[] = [];
  const ending = await clock.run(
    exponentialBackoff(() => asked.push(clock.now()) >= holdsAt, { backoff, clock })
      .then(() => "held", (error) => error.name),
  );
  return [asked, ending, clock.now()];
}

Deno.test("exponentialBackoff() calls the condition once per step and does not wait after the last call", async () => {
  assertEquals(await times({ durationMs: 10, factor: 2, steps: 3 }), [
    [0, 10, 30],
    "TimeoutError",
    30,
  ]);
});

Deno.test("exponentialBackoff() ends when the condition returns true", async () => {
  assertEquals(await times({ durationMs: 10, factor: 2, steps: 9 }, 2), [[0, 10], "held", 10]);
});

Deno.test("exponentialBackoff() with no steps does not call the condition", async () => {
  assertEquals(await times({ durationMs: 10 }), [[], "TimeoutError", 0]);
});

Deno.test("exponentialBackoff() ends if the next delay would exceed the cap", async () => {
  const capped = { durationMs: 10, factor: 10, steps: 9, capMs: 50 };
  assertEquals(await times(capped), [[0], "TimeoutError", 10]);
});

Deno.test("exponentialBackoff() rejects with the error of the condition", async () => {
  const failing = () => Promise.reject(new RangeError("no"));
  const backoff = { durationMs: 1, steps: 3 };
  await assertRejects(() => exponentialBackoff(failing, { backoff }), RangeError);
});

Deno.test("exponentialBackoff() with infinite steps calls the condition until it returns true", async () => {
  const endless = { durationMs: 10, factor: 2, steps: Infinity };
  assertEquals(await times(endless, 4), [[0, 10, 30, 70], "held", 70]);
});

Deno.test("exponentialBackoff() rejects an invalid backoff before it calls the condition", async () => {
  let asked = 0;
  const condition = () => ++asked > 0;
  await assertRejects(
    () => exponentialBackoff(condition, { backoff: { durationMs: NaN, steps: 3 } }),
    RangeError,
    "durationMs",
  );
  assertEquals(asked, 0);
});

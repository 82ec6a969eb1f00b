import { assertEquals, assertRejects } from "@std/assert";
import { type BackoffOptions, exponentialBackoff } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

/** When the condition was asked, and how it ended. */
async function times(backoff: BackoffOptions, holdsAt = Infinity) {
  const clock = new VirtualClock();
  const asked: number[] = [];
  const ending = await clock.run(
    exponentialBackoff(() => asked.push(clock.now()) >= holdsAt, { backoff, clock })
      .then(() => "held", (error) => error.name),
  );
  return [asked, ending, clock.now()];
}

Deno.test("exponentialBackoff() asks as often as there are steps and does not wait after the last", async () => {
  assertEquals(await times({ durationMs: 10, factor: 2, steps: 3 }), [
    [0, 10, 30],
    "TimeoutError",
    30,
  ]);
});

Deno.test("exponentialBackoff() ends when the condition holds", async () => {
  assertEquals(await times({ durationMs: 10, factor: 2, steps: 9 }, 2), [[0, 10], "held", 10]);
});

Deno.test("exponentialBackoff() with no steps does not ask at all", async () => {
  assertEquals(await times({ durationMs: 10 }), [[], "TimeoutError", 0]);
});

Deno.test("exponentialBackoff() is over once a delay has reached the cap", async () => {
  const capped = { durationMs: 10, factor: 10, steps: 9, capMs: 50 };
  assertEquals(await times(capped), [[0], "TimeoutError", 10]);
});

Deno.test("exponentialBackoff() ends with what the condition throws", async () => {
  const failing = () => Promise.reject(new RangeError("no"));
  const backoff = { durationMs: 1, steps: 3 };
  await assertRejects(() => exponentialBackoff(failing, { backoff }), RangeError);
});

Deno.test("exponentialBackoff() with endless steps asks until the condition holds", async () => {
  const endless = { durationMs: 10, factor: 2, steps: Infinity };
  assertEquals(await times(endless, 4), [[0, 10, 30, 70], "held", 70]);
});

Deno.test("exponentialBackoff() refuses a backoff that no clock can keep", async () => {
  let asked = 0;
  const condition = () => ++asked > 0;
  await assertRejects(
    () => exponentialBackoff(condition, { backoff: { durationMs: NaN, steps: 3 } }),
    RangeError,
    "durationMs",
  );
  assertEquals(asked, 0);
});

import { assert, assertEquals, assertThrows } from "@std/assert";
import { Backoff, type BackoffOptions, ResettingBackoff } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

const reflector = { durationMs: 800, factor: 2, steps: 38, capMs: 30_000 };
const steps = (backoff: { step(): number }, count: number) =>
  Array.from({ length: count }, () => backoff.step());

Deno.test("Backoff.step() grows by the factor up to the cap", () => {
  assertEquals(steps(new Backoff(reflector), 9), [
    800,
    1600,
    3200,
    6400,
    12800,
    25600,
    30000,
    30000,
    30000,
  ]);
});

Deno.test("Backoff.step() without growth steps stays at the first delay", () => {
  assertEquals(steps(new Backoff({ durationMs: 5, factor: 3 }), 3), [5, 5, 5]);
});

Deno.test("Backoff.step() stops growing after its growth steps", () => {
  const backoff = new Backoff({ durationMs: 10, factor: 5, steps: 2 });
  assertEquals(steps(backoff, 4), [10, 50, 250, 250]);
  assertEquals(backoff.steps, 0);
});

Deno.test("Backoff.step() jitters each delay within [d, d + jitter * d) without compounding", () => {
  const high = new Backoff({ ...reflector, jitter: 1 }, { next: () => 0.5 });
  assertEquals(steps(high, 3), [1200, 2400, 4800]);
});

Deno.test("ResettingBackoff restarts two minutes after its last start, however often it was used", async () => {
  const clock = new VirtualClock();
  const backoff = new ResettingBackoff(reflector, 120_000, { clock });
  const delays: number[] = [];
  for (let i = 0; i < 12; i++) {
    const delayMs = backoff.step();
    delays.push(delayMs);
    await clock.advance(delayMs);
  }
  assertEquals(delays.slice(0, 9), [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000]);
  assert(delays.slice(9).includes(800), `no restart in ${delays}`);
});

for (
  const [options, message] of [
    [{ durationMs: NaN }, "durationMs must be a finite number"],
    [{ durationMs: -1 }, "durationMs must not be negative: received -1"],
    [{ durationMs: Infinity }, "durationMs must be a finite number"],
    [{ durationMs: "5" as never }, "durationMs must be a finite number"],
    [{ durationMs: 1, factor: -2 }, "factor must be a finite number of at least 0: received -2"],
    [{ durationMs: 1, factor: Infinity }, "factor must be a finite number"],
    [{ durationMs: 1, jitter: NaN }, "jitter must be a finite number of at least 0: received NaN"],
    [{ durationMs: 1, jitter: -0.1 }, "jitter must be a finite number"],
    [{ durationMs: 1, steps: -1 }, "steps must be a whole number of at least 0, or Infinity"],
    [{ durationMs: 1, steps: 1.5 }, "steps must be a whole number"],
    [{ durationMs: 1, steps: NaN }, "steps must be a whole number"],
    [{ durationMs: 1, capMs: -1 }, "capMs must not be negative"],
    [{ durationMs: 1, capMs: NaN }, "capMs must be a finite number"],
  ] satisfies [BackoffOptions, string][]
) {
  Deno.test(`Backoff and ResettingBackoff reject ${Object.entries(options).join(" ")}`, () => {
    assertThrows(() => new Backoff(options), RangeError, message);
    assertThrows(() => new ResettingBackoff(options, 1000), RangeError, message);
  });
}

Deno.test("ResettingBackoff rejects an invalid reset time", () => {
  for (const resetAfterMs of [NaN, -1]) {
    assertThrows(() => new ResettingBackoff(reflector, resetAfterMs), RangeError, "resetAfterMs");
  }
});

Deno.test("Backoff treats undefined options as not set", () => {
  const options = { factor: undefined, jitter: undefined, steps: undefined, capMs: undefined };
  assertEquals(steps(new Backoff({ durationMs: 5, ...options }), 2), [5, 5]);
});

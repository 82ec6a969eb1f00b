import { assert, assertEquals } from "@std/assert";
import { type Clock, TurnBudget } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

/** Returns a clock that counts its readings, and a budget on it. */
function countingClock() {
  const clock = { nowMs: 0, readings: 0 };
  const real: Clock = {
    now: () => {
      clock.readings++;
      return clock.nowMs;
    },
    wallNow: () => 0,
    setTimer: () => ({ cancel() {} }),
  };
  return { clock, budget: new TurnBudget(real) };
}

/** Returns the number of steps of `stepMs` milliseconds in one turn. */
function stepsOf(stepMs: (step: number) => number): number {
  const { clock, budget } = countingClock();
  let steps = 0;
  while (!budget.isSpent()) clock.nowMs += stepMs(steps++);
  return steps;
}

Deno.test("TurnBudget ends a turn of slow steps with the step that reaches 10 ms", () => {
  assertEquals([1, 3, 4, 5, 9, 10, 25].map((ms) => stepsOf(() => ms)), [10, 4, 3, 2, 2, 1, 1]);
});

Deno.test("TurnBudget ends a turn of fast steps after 500 steps, and rarely reads the clock", () => {
  assertEquals(stepsOf(() => 0), 500);
  const { clock, budget } = countingClock();
  while (!budget.isSpent());
  assert(clock.readings < 80, `${clock.readings} readings`);
});

Deno.test("TurnBudget notices within eight steps that steps have become slow", () => {
  const steps = stepsOf((step) => step < 100 ? 0 : 5);
  assert(steps > 100 && steps <= 110, `${steps} steps`);
});

Deno.test("TurnBudget is full again after a turn", async () => {
  const { clock, budget } = countingClock();
  clock.nowMs = 10;
  assert(!budget.isSpent(), "the first step of a turn never has to wait");
  assert(budget.isSpent());
  budget.restart();
  assert(!budget.isSpent());

  const virtual = new VirtualClock();
  const renewed = new TurnBudget(virtual);
  for (let i = 0; i < 500; i++) assert(!renewed.isSpent());
  assert(renewed.isSpent());
  await virtual.run(renewed.renew());
  assert(!renewed.isSpent());
});

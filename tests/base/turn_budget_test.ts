import { assert, assertEquals } from "@std/assert";
import { type Clock, TurnBudget } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

/** A clock that counts how often it is looked at. */
function countingClock() {
  const clock = { nowMs: 0, looks: 0 };
  const real: Clock = {
    now: () => {
      clock.looks++;
      return clock.nowMs;
    },
    wallNow: () => 0,
    setTimer: () => ({ cancel() {} }),
  };
  return { clock, budget: new TurnBudget(real) };
}

/** How many steps of `stepMs` go into one turn. */
function stepsOf(stepMs: (step: number) => number): number {
  const { clock, budget } = countingClock();
  let steps = 0;
  while (!budget.isSpent()) clock.nowMs += stepMs(steps++);
  return steps;
}

Deno.test("TurnBudget ends a turn of slow steps with the one that takes it past 10 ms", () => {
  assertEquals([1, 3, 4, 5, 9, 10, 25].map((ms) => stepsOf(() => ms)), [10, 4, 3, 2, 2, 1, 1]);
});

Deno.test("TurnBudget ends a turn of fast steps after 500, and seldom looks at the clock", () => {
  assertEquals(stepsOf(() => 0), 500);
  const { clock, budget } = countingClock();
  while (!budget.isSpent());
  assert(clock.looks < 80, `${clock.looks} looks`);
});

Deno.test("TurnBudget notices within eight steps that they have become slow", () => {
  const steps = stepsOf((step) => step < 100 ? 0 : 5);
  assert(steps > 100 && steps <= 110, `${steps} steps`);
});

Deno.test("TurnBudget is full again after a turn", async () => {
  const { clock, budget } = countingClock();
  clock.nowMs = 10;
  assert(!budget.isSpent(), "the first step never belongs into another turn");
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

/** Each object is reconciled once in each period, and never many at once. */

import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { nightlyTest } from "../../support/kinds_of_tests.ts";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

const MINUTE_MS = 60_000;
const PERIOD_MS = 10 * MINUTE_MS;
const OBJECTS = 10_000;

/** Returns the largest number of times within a window, at whatever time it begins, relative to the mean. */
function highestRate(times: readonly number[], windowMs: number, meanPerMs: number): number {
  let highest = 0;
  let from = 0;
  for (let to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= windowMs) from++;
    highest = Math.max(highest, to - from + 1);
  }
  return highest / windowMs / meanPerMs;
}

nightlyTest(
  "10,000 objects are spread over their period, and a restart does not move them together",
  async () => {
    await using world = await widgetWorld();
    const status = { observedGeneration: 1 };
    for (let i = 0; i < OBJECTS; i++) {
      const metadata = { name: `w${i}`, namespace };
      await world.client.create(Widgets, { metadata, spec: { size: 1 } });
      await world.client.patchStatus(Widgets, `w${i}`, { status }, { namespace });
    }
    const meanPerMs = OBJECTS / PERIOD_MS;
    const times = new Map<string, number>();
    for (const restart of [0, 1]) {
      const all: number[] = [];
      const counts = new Map<string, number>();
      const moved: number[] = [];
      const manager = world.manager({ freezeObjects: false });
      manager.controller(Widgets, { every: { ms: PERIOD_MS } })
        .reconcile(({ clock, key }) => {
          const now = clock.now();
          all.push(now);
          counts.set(key, (counts.get(key) ?? 0) + 1);
          const before = times.get(key);
          if (before !== undefined) moved.push((now - before) % PERIOD_MS);
          times.set(key, now);
        });
      world.start(manager);
      await world.pass(2 * PERIOD_MS);
      await manager[Symbol.asyncDispose]();
      assertEquals(new Set(counts.values()), new Set([2]), "each object twice in two periods");
      const highest = highestRate(all, MINUTE_MS, meanPerMs);
      assert(highest <= 1.2, `${highest} times the mean, in the life ${restart + 1}`);
      assert(moved.length > 0);
      assert(moved.every((ms) => Math.min(ms, PERIOD_MS - ms) < 10), "each keeps its own time");
      await world.pass(7 * MINUTE_MS / 3);
    }
  },
);

Deno.test("every reconciles old and new objects, not deleted ones, and each at its own time", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets, { every: { ms: 10_000 } }).reconcile(({ name, causes }) => {
    seen.push(`${name} ${causes.map(({ why }) => why)}`);
  });
  await world.widget("a");
  world.start(manager);
  await world.pass(100);
  await world.widget("b");
  await world.pass(100);
  seen.length = 0;
  await world.pass(20_000);
  assertEquals(seen.toSorted(), ["a resync", "a resync", "b resync", "b resync"]);
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.widget("c");
  await world.pass(100);
  seen.length = 0;
  await world.pass(10_000);
  assertEquals(seen.toSorted(), ["b resync", "c resync"]);
});

Deno.test("a controller with a period reconciles at once what the status does not show as done", async () => {
  await using world = await widgetWorld();
  for (const name of ["new", "changed", "done", "resumed", "deleted"]) await world.widget(name);
  const { client } = world;
  const conditions = [{
    type: "Paused",
    status: "True" as const,
    reason: "PausedByAnnotation",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  }];
  for (const name of ["changed", "done", "resumed", "deleted"]) {
    const status = { observedGeneration: 1, ...(name === "resumed" && { conditions }) };
    await world.do(client.patchStatus(Widgets, name, { status }, { namespace }));
  }
  await world.do(client.patch(Widgets, "changed", { spec: { size: 2 } }, { namespace }));
  await world.do(
    client.patch(Widgets, "deleted", { metadata: { finalizers: ["acme.io/x"] } }, { namespace }),
  );
  await world.do(client.delete(Widgets, "deleted", { namespace }));
  const config = { metadata: { name: "c", namespace } };
  await world.do(client.create(ConfigMaps, config));
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets, { every: { ms: 3_600_000 } })
    .watches(ConfigMaps, { map: () => ["default/done", "default/changed"] })
    .finalizer("acme.io/x", { cleanup: ({ name }) => void seen.push(`cleanup of ${name}`) })
    .reconcile(({ name }) => void seen.push(name));
  world.start(manager);
  await world.pass(1000);
  assertEquals(seen.toSorted(), ["changed", "cleanup of deleted", "new", "resumed"]);
  await world.pass(3_600_000);
  assert(seen.includes("done"));
});

Deno.test("the jitter of every delays each time by up to that part of the period", async () => {
  await using world = await widgetWorld();
  for (let i = 0; i < 20; i++) await world.widget(`w${i}`);
  const manager = world.manager({ random: { next: () => 0.5 } });
  const times = new Map<string, number[]>();
  manager.controller(Widgets, { every: { ms: 100_000, jitter: 0.5 } }).reconcile(
    ({ causes, clock, key }) => {
      if (causes.every(({ why }) => why !== "resync")) return;
      times.set(key, [...times.get(key) ?? [], clock.wallNow()]);
    },
  );
  world.start(manager);
  await world.pass(1_000_000);
  for (const [, all] of times) {
    assert(all.length >= 9, "once in each period");
    for (let i = 1; i < all.length; i++) assertAlmostEquals(all[i]! - all[i - 1]!, 100_000, 10);
  }
  assertEquals(times.size, 20);
});

Deno.test("every follows the time of day, also when it is set", async () => {
  await using world = await widgetWorld();
  await world.widget("a");
  const { clock } = world;
  let setByMs = 0;
  const manager = world.manager({
    clock: {
      now: () => clock.now(),
      wallNow: () => clock.wallNow() + setByMs,
      setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
    },
  });
  const wall: number[] = [];
  manager.controller(Widgets, { every: { ms: 3_600_000 } }).reconcile(({ clock }) => {
    wall.push(clock.wallNow() % 3_600_000);
  });
  world.start(manager);
  await world.pass(4 * 3_600_000);
  const [, phase = -1, ...others] = wall.splice(0);
  assertEquals(others.length, 3);
  for (const other of others) assertAlmostEquals(other, phase, 10);
  for (const byMs of [-2_000_000, 1_000_000, 90 * 24 * 3_600_000]) {
    setByMs += byMs;
    await world.pass(2 * 3_600_000);
    wall.length = 0;
    await world.pass(3 * 3_600_000);
    assertEquals(wall.length, 3);
    for (const other of wall) assertAlmostEquals(other, phase, 10);
  }
});

Deno.test("every refuses options that it cannot keep", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  for (
    const [every, words] of [
      [{}, "every.ms is a period in milliseconds, from a second to a year"],
      [{ ms: 0 }, "every.ms is a period"],
      [{ ms: NaN }, "every.ms is a period"],
      [{ ms: Infinity }, "every.ms is a period"],
      [{ ms: 10 }, "every.ms is a period"],
      [{ ms: "600000" }, "every.ms is a period"],
      [{ ms: 1000, jitter: 2 }, "every.jitter is a fraction of the period, from 0 to 1"],
      [{ ms: 1000, jitter: NaN }, "every.jitter is a fraction"],
      [{ ms: 1000, firstList: "later" }, 'every.firstList must be one of "now", "due"'],
      [{ ms: 1000, phase: 1 }, 'every has no option "phase"'],
      [600_000, "every takes an object with options"],
    ] as const
  ) {
    assertThrows(
      () => manager.controller(Widgets, { every: every as never }),
      Error,
      words,
    );
  }
});

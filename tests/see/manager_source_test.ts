import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { StatusError } from "@kubeloop/controller";
import { StoryBook } from "@kubeloop/controller/operator";
import { VirtualClock } from "@kubeloop/testing";
import { ManagerSource, type ObservedWatch } from "../../src/see/mod.ts";
import { controllerOf, managerOf, watchOf } from "./_observed.ts";

/** Returns a source with one watch, which the test changes. */
function withWatch() {
  const clock = new VirtualClock();
  let watch = watchOf();
  const source = new ManagerSource(managerOf({ clock, watches: () => [watch] }));
  const look = (parts: Partial<ObservedWatch> = {}) => {
    watch = watchOf(parts);
    const { attention, watches } = source.state();
    return { attention, view: watches[0]! };
  };
  return { clock, look, source };
}

Deno.test("a watch has its rate, its silence and its restarts", async () => {
  const { clock, look } = withWatch();
  const first = look({ events: 1_000 }).view;
  assertEquals([first.eventsPerSecond, first.silentMs, first.reconnects], [0, undefined, 0]);
  await clock.advance(2_000);
  const busy = look({ events: 1_100, lagMs: 12.34 }).view;
  assertEquals([busy.eventsPerSecond, busy.silentMs, busy.lagMs], [50, 0, 12.3]);
  await clock.advance(4_000);
  const quiet = look({ events: 1_100, lists: 2, watches: 3 }).view;
  assertEquals([quiet.eventsPerSecond, quiet.silentMs, quiet.reconnects], [0, 0, 2]);
  await clock.advance(20_000);
  const silent = look({ events: 1_100, lists: 2, watches: 3 }).view;
  assertEquals([silent.eventsPerSecond, silent.silentMs], [0, 20_000]);
});

Deno.test("a watch that fails is listed after three seconds, and its error is shown for ten minutes after", async () => {
  const { clock, look } = withWatch();
  const lastError = new Error("the connection is gone");
  const failing = { phase: "backing-off" as const, lastError, lastErrorTimeMs: clock.wallNow() };
  look();
  assertEquals(look(failing).attention, []);
  assertEquals(look({ phase: "backing-off" }).attention, [], "a pause is not a failure");
  look(failing);
  await clock.advance(3_000);
  const { attention: [listed], view } = look(failing);
  assertEquals([listed?.kind, listed?.watch, listed?.since], [
    "watch_failing",
    "widgets.acme.io",
    "2026-01-01T00:00:00.000Z",
  ]);
  assertEquals(view.problem?.text, "the connection is gone");
  assertStringIncludes(view.problem?.remedy ?? "", "Check the server and the network");
  const healed = { ...failing, phase: "watching" as const };
  assertEquals(look(healed).attention, []);
  assertEquals(look(healed).view.problem?.text, "the connection is gone");
  await clock.advance(700_000);
  assertEquals(look(healed).view.problem, undefined);
});

Deno.test("a failure that ended while no page was open is not counted", async () => {
  const { clock, look, source } = withWatch();
  const failing = { phase: "backing-off" as const, lastError: new Error("gone") };
  const close = source.subscribe(() => {});
  look(failing);
  close();
  await clock.advance(3_600_000);
  source.subscribe(() => {});
  assertEquals(look(failing).attention, [], "it may have begun a moment ago");
  await clock.advance(3_000);
  assertEquals(look(failing).attention.map(({ since }) => since), ["2026-01-01T01:00:00.000Z"]);
});

Deno.test("a watch of a kind that is gone names the missing definition, at once", () => {
  const { clock, look } = withWatch();
  const lastError = new StatusError({
    code: 404,
    reason: "NotFound",
    message: "404 page not found",
  });
  const { attention: [listed], view } = look({
    phase: "backing-off",
    lastError,
    lastErrorTimeMs: clock.wallNow(),
  });
  assertEquals([listed?.kind, view.phase], ["definition_missing", "retrying"]);
});

Deno.test("a controller has its rates, which begin anew after a restart of its counters", async () => {
  const clock = new VirtualClock();
  let reconciles = 0;
  const load = controllerOf().load();
  const controllers = [{ load: () => ({ ...load, reconciles, errors: reconciles / 10 }) }];
  const source = new ManagerSource(managerOf({ clock, controllers }));
  const rates = () => {
    const [view] = source.state().controllers;
    return [view?.reconcilesPerSecond, view?.errorsPerSecond];
  };
  assertEquals(rates(), [0, 0]);
  for (let i = 0; i < 20; i++) {
    reconciles += 500;
    await clock.advance(500);
    rates();
  }
  assertEquals(rates(), [1_000, 100]);
  reconciles = 0;
  assertEquals(rates(), [0, 0]);
});

Deno.test("100,000 failing keys with stories cost a page a bounded answer", () => {
  const clock = new VirtualClock();
  const stories = new StoryBook({ clock });
  const keys = Array.from({ length: 100_000 }, (_, i) => `default/w${i}`);
  for (const key of keys) {
    const taken = { causes: [], moreCauses: 0, queuedMs: 0 };
    stories.begin({ controller: "widget", key, taken }).end({ result: "error", error: "no disk" });
  }
  let wanted = 0;
  const source = new ManagerSource(managerOf({
    clock,
    stories,
    controllers: Array.from({ length: 30 }, (_, i) => ({
      name: i === 0 ? "widget" : `widget-${i}`,
      keys: () => keys,
      troubles: (limit) => {
        wanted = limit;
        return keys.slice(0, limit).map((key) => ({
          kind: "backoff" as const,
          key,
          failures: 5,
          isGivenUp: false,
          error: "x".repeat(10_000),
          sinceMs: 0,
        }));
      },
    })),
  }));
  const state = source.state();
  assertEquals([state.attention.length, wanted], [200, 20]);
  assert(JSON.stringify(state).length < 250_000, `${JSON.stringify(state).length} characters`);
  assert(state.notes?.[0]?.endsWith("older stories were dropped"), `${state.notes}`);
  const found = source.keys({ limit: 100, controller: "widget" });
  assertEquals([found.keys.length, found.keys[0]?.key], [100, "default/w0"]);
  assertEquals(
    found.keys[20]?.key,
    "default/w99999",
    "the newest story follows what needs attention",
  );
  const searched = source.keys({ text: "w9999", limit: 1_000, controller: "widget" });
  assertEquals([searched.total, searched.keys.length], [11, 11]);
  assert(stories.snapshot().bytes <= 2 ** 20);
});

Deno.test("a source tells its manager when the first page opens and the last one closes", async () => {
  const clock = new VirtualClock();
  const told: boolean[] = [];
  const source = new ManagerSource(managerOf({ clock, watched: (is) => told.push(is) }));
  let changes = 0;
  const changed = () => changes++;
  const first = source.subscribe(changed);
  const second = source.subscribe(changed);
  await clock.advance(1_000);
  assertEquals([told, changes], [[true], 4]);
  first();
  first();
  await clock.advance(500);
  assertEquals([told, changes], [[true], 5]);
  second();
  await clock.advance(5_000);
  assertEquals([told, changes, clock.pendingTimers], [[true, false], 5, 0]);
});

Deno.test("ManagerSource.keys() finds the key of a text among any number of longer ones, and counts all that it lists", () => {
  const keys = Array.from({ length: 1_000 }, (_, i) => `default/web-${1_000 + i}`);
  const pause = (key: string) => key === "default/web-1" ? "paused" : undefined;
  const source = new ManagerSource(managerOf({
    controllers: [{ keys: () => [...keys, "default/web-1"], pauseOf: pause }],
  }));
  const { keys: found } = source.keys({ text: "default/web-1", limit: 100 });
  assertEquals([found.length, found.at(-1)?.key, found.at(-1)?.paused], [
    101,
    "default/web-1",
    "paused",
  ]);
  const paused = new ManagerSource(managerOf({
    controllers: [{ troubles: () => [{ kind: "paused", key: "default/a", why: "by a person" }] }],
  }));
  assertEquals(paused.keys({ limit: 10 }).total, 1);
});

Deno.test("ManagerSource.keys() tells which objects are gone", () => {
  const clock = new VirtualClock();
  const stories = new StoryBook({ clock });
  for (const key of ["default/a", "default/b"]) {
    const taken = { causes: [], moreCauses: 0, queuedMs: 0 };
    stories.begin({ controller: "widget", key, taken }).end({ result: "success" });
  }
  const hasObject = (key: string) => key === "default/a";
  const source = new ManagerSource(managerOf({ clock, stories, controllers: [{ hasObject }] }));
  const { keys } = source.keys({ limit: 10 });
  assertEquals(keys.map(({ isGone, key }) => [key, isGone]), [
    ["default/b", true],
    ["default/a", undefined],
  ]);
});

import { assertEquals, assertThrows } from "@std/assert";
import { deepFreeze, SingleFileTracker } from "../../../src/cache/mod.ts";
import { AsyncTracker, Lazy } from "../../../src/extras/mod.ts";

const trackers = {
  SingleFileTracker(upstream: () => boolean) {
    return new SingleFileTracker(upstream);
  },
  AsyncTracker(upstream: () => boolean) {
    const tracker = new AsyncTracker<string>(upstream);
    return {
      start: () => tracker.start("key"),
      finished: () => tracker.finished("key"),
      hasSynced: () => tracker.hasSynced(),
    };
  },
};

for (const [name, make] of Object.entries(trackers)) {
  Deno.test(`${name} has synced once the source has synced and all started items are finished`, () => {
    let upstream = false;
    const tracker = make(() => upstream);
    tracker.start();
    tracker.finished();
    assertEquals(tracker.hasSynced(), false);
    upstream = true;
    assertEquals(tracker.hasSynced(), true);
  });

  Deno.test(`${name} stays synced when further items start`, () => {
    let upstream = true;
    for (const looks of [true, false]) {
      const tracker = make(() => upstream);
      tracker.start();
      tracker.finished();
      if (looks) assertEquals(tracker.hasSynced(), true);
      tracker.start();
      assertEquals(tracker.hasSynced(), true);
      upstream = false;
      assertEquals(tracker.hasSynced(), true);
      upstream = true;
    }
  });
}

Deno.test("SingleFileTracker counts its items", () => {
  const tracker = new SingleFileTracker(() => true);
  for (let i = 0; i < 100; i++) tracker.start();
  for (let i = 0; i < 99; i++) tracker.finished();
  assertEquals(tracker.hasSynced(), false);
  tracker.finished();
  assertEquals(tracker.hasSynced(), true);
});

Deno.test("SingleFileTracker.finished() throws without start(), and the tracker counts as synced", () => {
  const tracker = new SingleFileTracker(() => true);
  assertThrows(() => tracker.finished(), RangeError, "negative counter");
  assertEquals(tracker.hasSynced(), true);
  for (let i = 0; i < 3; i++) tracker.start();
  assertEquals(tracker.hasSynced(), true, "it stays synced, as in client-go 0.37");
});

Deno.test("AsyncTracker tracks each key, and accepts finished() without start()", () => {
  const tracker = new AsyncTracker<number>(() => true);
  tracker.finished(9);
  for (const key of [1, 2, 2, 3]) tracker.start(key);
  for (const key of [3, 2]) tracker.finished(key);
  assertEquals(tracker.hasSynced(), false);
  tracker.finished(1);
  assertEquals(tracker.hasSynced(), true);
});

Deno.test("Lazy evaluates on demand, and only once until it is notified", () => {
  let runs = 0;
  const lazy = new Lazy(() => ++runs);
  assertEquals(runs, 0);
  assertEquals([lazy.get(), lazy.get()], [1, 1]);
  lazy.notify();
  lazy.notify();
  assertEquals(runs, 1);
  assertEquals([lazy.get(), lazy.get()], [2, 2]);
});

Deno.test("Lazy caches undefined, but not an error", () => {
  let runs = 0;
  const nothing = new Lazy(() => void runs++);
  nothing.get();
  nothing.get();
  assertEquals(runs, 1);

  let broken = true;
  const lazy = new Lazy(() => {
    if (broken) throw new Error("Not yet");
    return "value";
  });
  assertThrows(() => lazy.get(), Error, "Not yet");
  broken = false;
  assertEquals(lazy.get(), "value");
});

Deno.test("Lazy does not cache a value that is out of date before it is computed", () => {
  let runs = 0;
  const lazy: Lazy<number> = new Lazy(() => {
    if (++runs === 1) lazy.notify();
    return runs;
  });
  assertEquals(lazy.get(), 1);
  assertEquals(lazy.get(), 2);
});

Deno.test("deepFreeze() freezes an object recursively, and accepts cycles, bytes and primitives", () => {
  const cyclic: Record<string, unknown> = {
    list: [{ a: 1 }],
    none: null,
    bytes: new Uint8Array(2),
  };
  cyclic.self = cyclic;
  deepFreeze(cyclic);
  assertThrows(() => (cyclic.list as { a: number }[])[0]!.a = 2, TypeError);
  assertThrows(() => (cyclic.list as unknown[]).push(1), TypeError);
  assertEquals(deepFreeze("text"), "text");
  assertEquals(deepFreeze(undefined), undefined);
});

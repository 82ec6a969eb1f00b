import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import type { DeletedFinalStateUnknown } from "../../../src/cache/mod.ts";
import type { Cached, Pod } from "../../../src/types/mod.ts";
import { informerTest, RecordingHandler } from "./_informer_harness.ts";
import { pod } from "../reflector/_scripted_source.ts";

informerTest(
  "SharedInformer notifies handlers of the initial list, changes and deletions after it has updated the cache",
  async (harness, mode) => {
    await using t = harness();
    const handler = new RecordingHandler();
    t.informer.addEventHandler(handler);
    const inCache: unknown[] = [];
    const cached = (obj: Cached<Pod>) => t.informer.indexer.get(obj);
    t.informer.addEventHandler({
      onAdd(obj) {
        if (mode.keeps === "parsed") assertStrictEquals(cached(obj), obj);
        inCache.push(cached(obj));
      },
      onDelete: (obj) => void inCache.push(cached(obj as Cached<Pod>)),
    });
    t.source.add(pod("a", ""));
    await t.start();
    t.source.add(pod("b", ""));
    t.source.modify(pod("a", ""));
    t.source.delete(pod("b", ""));
    await t.clock.advance(0);
    assertEquals(handler.lines, ["add a initially", "add b", "update a 1→3", "delete b"]);
    // In protobuf, an object has its type and the fields that are always encoded.
    const versions = (pods: unknown[]) => pods.map((one) => (one as Pod | undefined)?.metadata);
    assertEquals(versions(inCache), versions([pod("a", "1"), pod("b", "2"), undefined]));
  },
);

informerTest(
  "SharedInformer notifies handlers of a missed deletion with a tombstone",
  async (harness) => {
    await using t = harness();
    const handler = new RecordingHandler();
    let tombstone: DeletedFinalStateUnknown<Pod> | undefined;
    t.informer.addEventHandler(handler);
    t.informer.addEventHandler({ onDelete: (obj) => void (tombstone = obj as typeof tombstone) });
    t.source.add(pod("a", ""));
    await t.start(1_000);
    handler.take();
    t.source.deleteDropWatch(pod("a", ""));
    t.source.addDropWatch(pod("b", ""));
    t.source.resetWatch();
    await t.clock.advance(5_000);
    assertEquals(handler.lines.sort(), ["add b", "delete a unseen"]);
    assertEquals(tombstone?.key, "x/a");
    assertEquals(tombstone?.obj?.metadata.resourceVersion, "1");
  },
);

informerTest(
  "SharedInformer reports a missed deletion and recreation as one update with another uid",
  async (harness) => {
    await using t = harness();
    const uids: string[] = [];
    t.informer.addEventHandler({
      onUpdate: (old, obj) => void uids.push(`${old.metadata.uid}→${obj.metadata.uid}`),
      onDelete: () => void uids.push("deleted"),
    });
    const withUid = (uid: string) => ({ metadata: { ...pod("a", "").metadata, uid } });
    t.source.add(withUid("1"));
    await t.start(1_000);
    t.source.deleteDropWatch(withUid("1"));
    t.source.addDropWatch(withUid("2"));
    t.source.resetWatch();
    await t.clock.advance(5_000);
    assertEquals(uids, ["1→2"]);
  },
);

informerTest(
  "SharedInformer first notifies a late handler of every cached object, as initial",
  async (harness) => {
    await using t = harness();
    t.source.add(pod("a", ""));
    t.source.add(pod("b", ""));
    await t.start();
    const late = new RecordingHandler();
    const registration = t.informer.addEventHandler(late);
    assertEquals(registration.hasSynced(), false);
    assertEquals(late.lines, [], "no call from within addEventHandler()");
    t.source.modify(pod("a", ""));
    await t.clock.advance(0);
    assertEquals(late.lines, ["add a initially", "add b initially", "update a 1→3"]);
    assertEquals(registration.hasSynced(), true);
  },
);

informerTest(
  "SharedInformer registrations sync independently, when their handler has handled the initial objects",
  async (harness) => {
    await using t = harness();
    const gate = Promise.withResolvers<void>();
    const quick = t.informer.addEventHandler({});
    const slow = t.informer.addEventHandler({ onAdd: () => gate.promise });
    t.source.add(pod("a", ""));
    const waiting = slow.whenSynced();
    await t.start();
    assertEquals([t.informer.hasSynced(), quick.hasSynced(), slow.hasSynced()], [
      true,
      true,
      false,
    ]);
    assertEquals(slow.whyNotSynced(), "0 notifications are waiting for the handler");
    gate.resolve();
    await waiting;
    assertEquals(slow.hasSynced(), true);
  },
);

informerTest(
  "SharedInformer registrations sync at once with an empty list, and also if the handler throws",
  async (harness) => {
    await using empty = harness();
    const first = empty.informer.addEventHandler({});
    const waiting = first.whenSynced();
    await empty.start();
    await waiting;
    assertEquals(first.hasSynced(), true);

    await using t = harness();
    t.source.add(pod("a", ""));
    const throwing = t.informer.addEventHandler({
      onAdd: () => {
        throw new Error("no luck");
      },
    });
    const rejecting = t.informer.addEventHandler({
      onAdd: () => Promise.reject(new Error("none")),
    });
    await t.start();
    assertEquals([throwing.hasSynced(), rejecting.hasSynced()], [true, true]);
  },
);

informerTest(
  "SharedInformer continues without a pause after a handler throws or rejects",
  async (harness) => {
    await using t = harness();
    const seen: string[] = [];
    const registration = t.informer.addEventHandler({
      onAdd(obj) {
        seen.push(obj.metadata.name ?? "");
        if (obj.metadata.name === "a") throw new Error("sync trouble");
        return obj.metadata.name === "b" ? Promise.reject(new Error("async trouble")) : undefined;
      },
    });
    await t.start();
    for (const name of ["a", "b", "c"]) t.source.add(pod(name, ""));
    await t.clock.advance(0);
    assertEquals(seen, ["a", "b", "c"]);
    const { errors, delivered, pending } = registration.snapshot();
    assertEquals({ errors, delivered, pending }, { errors: 2, delivered: 3, pending: 0 });
    const log = t.logger.lines.join("\n");
    assertStringIncludes(log, "pods handler 1 failed: sync trouble");
    assertStringIncludes(log, "pods handler 1 failed: async trouble");
  },
);

informerTest(
  "SharedInformer continues after a handler whose error or result cannot be inspected",
  async (harness) => {
    await using t = harness();
    const seen: string[] = [];
    const registration = t.informer.addEventHandler({
      onAdd(obj) {
        seen.push(obj.metadata.name ?? "");
        if (obj.metadata.name === "a") throw Object.create(null);
        return Object.defineProperty({}, "then", {
          get() {
            throw new Error("no promise");
          },
        }) as Promise<void>;
      },
    });
    await t.start();
    for (const name of ["a", "b", "c"]) t.source.add(pod(name, ""));
    await t.clock.advance(0);
    assertEquals(seen, ["a", "b", "c"]);
    assertEquals(registration.snapshot().errors, 3);
  },
);

informerTest(
  "SharedInformer calls an asynchronous handler in order, one call at a time, without delaying others",
  async (harness) => {
    await using t = harness();
    const slow: string[] = [];
    let calls = 0;
    let overlapping = false;
    t.informer.addEventHandler({
      async onAdd(obj) {
        overlapping ||= ++calls > 1;
        await new Promise<void>((resolve) => t.clock.setTimer(resolve, 100));
        slow.push(obj.metadata.name ?? "");
        calls--;
      },
    });
    const quick = new RecordingHandler();
    t.informer.addEventHandler(quick);
    await t.start();
    for (const name of ["a", "b", "c"]) t.source.add(pod(name, ""));
    await t.clock.advance(50);
    assertEquals(quick.lines, ["add a", "add b", "add c"]);
    assertEquals(t.informer.indexer.size, 3);
    assertEquals(t.informer.snapshot().handlers[0]?.pending, 2);
    await t.clock.advance(250);
    assertEquals(slow, ["a", "b", "c"]);
    assertEquals(overlapping, false);
  },
);

informerTest(
  "SharedInformer.removeEventHandler() drops pending notifications, and lets a started call finish",
  async (harness) => {
    await using t = harness();
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const registration = t.informer.addEventHandler({
      async onAdd(obj) {
        await gate.promise;
        seen.push(obj.metadata.name ?? "");
      },
    });
    await t.start();
    for (const name of ["a", "b", "c", "d", "e"]) t.source.add(pod(name, ""));
    await t.clock.advance(0);
    t.informer.removeEventHandler(registration);
    t.source.add(pod("f", ""));
    gate.resolve();
    await t.clock.advance(1_000);
    assertEquals(seen, ["a"]);
    assertEquals(t.informer.snapshot().handlers, []);
  },
);

informerTest(
  "SharedInformer.removeEventHandler() ignores handlers that are not registered",
  async (harness) => {
    await using t = harness();
    await using other = harness();
    const registration = t.informer.addEventHandler({});
    t.informer.removeEventHandler(registration);
    t.informer.removeEventHandler(registration);
    t.informer.removeEventHandler(other.informer.addEventHandler({}));
    t.informer.removeEventHandler({} as never);
    await t.informer.shutDownEventHandler(registration);
    assertEquals(other.informer.snapshot().handlers.length, 1);
    await assertRejects(() => registration.whenSynced(), Error, "was stopped before it had synced");
  },
);

informerTest(
  "SharedInformer accepts a handler twice, and removes only the given registration",
  async (harness) => {
    await using t = harness();
    const handler = new RecordingHandler();
    const first = t.informer.addEventHandler(handler);
    t.informer.addEventHandler(handler);
    await t.start();
    t.source.add(pod("a", ""));
    await t.clock.advance(0);
    assertEquals(handler.take(), ["add a", "add a"]);
    t.informer.removeEventHandler(first);
    t.source.add(pod("b", ""));
    await t.clock.advance(0);
    assertEquals(handler.take(), ["add b"]);
  },
);

informerTest(
  "SharedInformer.shutDownEventHandler() waits for a started call",
  async (harness) => {
    await using t = harness();
    const gate = Promise.withResolvers<void>();
    const registration = t.informer.addEventHandler({ onAdd: () => gate.promise });
    await t.start();
    t.source.add(pod("a", ""));
    await t.clock.advance(0);
    let isDown = false;
    const down = t.informer.shutDownEventHandler(registration).then(() => isDown = true);
    await t.clock.advance(1_000);
    assertEquals(isDown, false);
    gate.resolve();
    await down;
  },
);

informerTest(
  "SharedInformer.run() waits for the last call of a removed handler",
  async (harness) => {
    await using t = harness();
    const gate = Promise.withResolvers<void>();
    const registration = t.informer.addEventHandler({ onAdd: () => gate.promise });
    await t.start();
    t.source.add(pod("a", ""));
    await t.clock.advance(0);
    t.informer.removeEventHandler(registration);
    t.abort();
    let hasEnded = false;
    t.running?.then(() => hasEnded = true);
    await t.clock.advance(10_000);
    assertEquals(hasEnded, false);
    gate.resolve();
    await t.clock.advance(0);
    assertEquals(hasEnded, true);
  },
);

informerTest(
  "SharedInformer.shutDownEventHandler() refuses to wait for the handler that calls it",
  async (harness) => {
    await using t = harness();
    let outcome: Promise<unknown> | undefined;
    const registration = t.informer.addEventHandler({
      onAdd: () => void (outcome = t.informer.shutDownEventHandler(registration).catch((e) => e)),
    });
    await t.start();
    t.source.add(pod("a", ""));
    await t.clock.advance(0);
    assertStringIncludes(String(await outcome), "from within the handler");
  },
);

informerTest("SharedInformer delivers in bounded batches", async (harness) => {
  await using t = harness();
  let inARow = 0;
  let longest = 0;
  const setTimer = t.clock.setTimer.bind(t.clock);
  t.clock.setTimer = (callback, delayMs) => {
    if (delayMs === 0) inARow = 0;
    return setTimer(callback, delayMs);
  };
  for (let i = 0; i < 1_200; i++) t.source.add(pod(`p${i}`, ""));
  await t.start();
  let seen = 0;
  t.informer.addEventHandler({
    onAdd() {
      seen++;
      longest = Math.max(longest, ++inARow);
    },
  });
  await t.clock.advance(0);
  assertEquals(seen, 1_200);
  assert(longest <= 500, `${longest} in a row`);
});

informerTest(
  "SharedInformer lets the event loop turn while a handler is slow",
  async (harness) => {
    await using t = harness();
    let inARow = 0;
    let longest = 0;
    const { now, setTimer } = t.clock;
    let busyMs = 0;
    t.clock.now = () => now.call(t.clock) + busyMs;
    t.clock.setTimer = (callback, delayMs) => {
      if (delayMs === 0) inARow = 0;
      return setTimer.call(t.clock, callback, delayMs);
    };
    t.informer.addEventHandler({
      onAdd() {
        busyMs += 4;
        longest = Math.max(longest, ++inARow);
      },
    });
    for (let i = 0; i < 20; i++) t.source.add(pod(`p${i}`, ""));
    await t.start();
    assertEquals(longest, 3, "three calls of 4 ms exceed the 10 ms of a turn");
  },
);

informerTest(
  "SharedInformer warns about a slow handler at 10,000 pending notifications and at every doubling",
  async (harness) => {
    await using t = harness();
    const gate = Promise.withResolvers<void>();
    t.informer.addEventHandler({ onAdd: () => gate.promise });
    for (let i = 0; i < 20_001; i++) t.source.add(pod(`p${i}`, ""));
    await t.start(1_000);
    const warnings = t.logger.lines.filter((line) => line.startsWith("warn"));
    assertEquals(warnings, [
      "warn pods handler 1: 10000 notifications are waiting: the handler is too slow",
      "warn pods handler 1: 20000 notifications are waiting: the handler is too slow",
    ]);
    assertEquals(t.informer.snapshot().handlers[0]?.pending, 20_000);
    gate.resolve();
  },
);

/** Watches that deliver their events in batches. */

import { assertEquals } from "@std/assert";
import type { BatchedWatch, Pod, WatchEvent } from "../../../src/types/mod.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import { added, errorEvent, initialEventsEnd, modified, pod, Stream } from "./_scripted_source.ts";

/** Returns a watch that delivers `batches`, then ends or stays open. */
function batched(batches: WatchEvent<Pod>[][], staysOpen = false): () => BatchedWatch<Pod> {
  return () => {
    const open = new Stream();
    return {
      [Symbol.asyncIterator]: () => {
        throw new Error("A reflector must read batches if the watch has them");
      },
      async *batches() {
        yield* batches;
        if (staysOpen) { for await (const event of open) yield [event]; }
      },
    };
  };
}

Deno.test("Reflector handles the events of a batch one by one, and empty batches", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [
    batched([[added(pod("a", "11")), added(pod("b", "12"))], [], [modified(pod("a", "13"))]]),
    () => new Stream(),
  ];
  await t.start();
  assertEquals(t.store.calls, ["replace  @10", "add a", "add b", "update a"]);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 13"]);
  assertEquals(t.reflector.snapshot().events, 3);
});

Deno.test("Reflector continues in the middle of the batch that ends a streaming list", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const batch = [added(pod("a", "5")), initialEventsEnd("10"), modified(pod("a", "11"))];
  t.source.watches = [batched([batch, [modified(pod("a", "12"))]], true)];
  await t.start();
  assertEquals(t.store.calls, ["replace a @10", "update a", "update a"]);
  assertEquals(t.reflector.lastSyncResourceVersion(), "12");
  assertEquals(t.source.asked.length, 1);
});

Deno.test("Reflector drops the events that follow an ERROR event in its batch", async () => {
  await using t = new ReflectorHarness();
  const batch = [added(pod("a", "11")), errorEvent(410, "Expired"), added(pod("b", "12"))];
  t.source.watches = [batched([batch]), () => new Stream()];
  await t.start(800);
  assertEquals(t.store.calls, ["replace  @10", "add a", "replace  @10"]);
  assertEquals(t.source.log, ["list 0", "watch 10", "list 11", "watch 10"]);
});

Deno.test("Reflector drops the rest of a batch if it is stopped in the middle", async () => {
  const t = new ReflectorHarness();
  t.source.watches = [batched([[added(pod("a", "11")), added(pod("b", "12"))]], true)];
  t.store.refuse = (call) => {
    if (call === "add a") t.abort();
    return false;
  };
  await t.start();
  await t.stop();
  assertEquals(t.store.calls, ["replace  @10", "add a"]);
});

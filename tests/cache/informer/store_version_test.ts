/** `indexer.lastStoreSyncResourceVersion()` answers whether the cache holds a write. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { StoreVersion } from "../../../src/cache/informer/store_version.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import {
  added,
  bookmark,
  listOf,
  modified,
  pod,
  ScriptedSource,
  Stream,
} from "../reflector/_scripted_source.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

/** An informer on a scripted server, whose first list and watch are given. */
function world() {
  const clock = new VirtualClock();
  const source = new ScriptedSource(clock);
  const stream = new Stream();
  source.lists = [() => listOf("10", pod("a", "3"))];
  source.watches = [() => Promise.resolve(stream)];
  const logger = new RecordingLogger();
  const pods = new SharedInformer(source, { clock, logger, name: "pods" });
  const stop = new AbortController();
  const version = () => pods.indexer.lastStoreSyncResourceVersion();
  const start = async () => {
    const running = pods.run({ signal: stop.signal });
    await clock.settle();
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        await clock.run(running);
      },
    };
  };
  return { clock, source, stream, logger, pods, version, start };
}

Deno.test("The store's resource version is that of the list, then of events and bookmarks", async () => {
  const { clock, stream, version, start } = world();
  assertEquals(version(), "");
  await using _running = await start();
  assertEquals(version(), "10", "not that of the last object");
  stream.send(added(pod("b", "12")));
  await clock.settle();
  assertEquals(version(), "12");
  stream.send(bookmark("40"));
  await clock.settle();
  assertEquals(version(), "40");
});

Deno.test("The store's resource version is never ahead of what handlers find in the store", async () => {
  const { clock, stream, pods, version, start } = world();
  const seen: string[] = [];
  const note = (obj: { metadata: { name: string; resourceVersion: string } }) =>
    void seen.push(`${obj.metadata.name}@${obj.metadata.resourceVersion} ${version()}`);
  pods.addEventHandler({ onAdd: note, onUpdate: (_old, obj) => note(obj) });
  const inStore: string[] = [];
  pods.addIndexers({
    spy: (obj) => {
      inStore.push(`${obj.metadata.resourceVersion} ${version()}`);
      return [];
    },
  });
  await using _running = await start();
  stream.send(added(pod("b", "11")), modified(pod("a", "12")), bookmark("20"));
  await clock.settle();
  assertEquals(inStore, ["3 ", "11 10", "12 11"], "while the store is written to");
  assertEquals(seen.at(-1), "a@12 12");
  assertEquals(version(), "20");
});

Deno.test("The store's resource version does not go back: it is empty until it is newer than ever", async () => {
  const { clock, source, stream, version, start } = world();
  await using _running = await start();
  const second = new Stream();
  source.lists = [() => listOf("4", pod("a", "3"))];
  source.watches = [() => Promise.resolve(second)];
  stream.fail(Object.assign(new Error("gone"), { code: 410, reason: "Expired" }));
  await clock.advance(60_000);
  assert(source.asked.filter(({ verb }) => verb === "list").length > 1);
  assertEquals(version(), "", "the server was restored from a backup");
  second.send(bookmark("9"));
  await clock.settle();
  assertEquals(version(), "");
  second.send(bookmark("10"));
  await clock.settle();
  assertEquals(version(), "10");
});

Deno.test("The store's resource version is empty after a change that the store refused, until the next list", async () => {
  const { clock, source, stream, pods, version, start } = world();
  await using _running = await start();
  // Without a name it has no key.
  const nameless = { metadata: { namespace: "x", resourceVersion: "13" } } as ReturnType<
    typeof pod
  >;
  stream.send(modified(nameless), added(pod("b", "14")), bookmark("20"));
  await clock.settle();
  assertEquals(version(), "", "what was lost may be a");
  assertEquals(pods.indexer.getByKey("x/a")?.metadata.resourceVersion, "3");
  source.lists = [() => listOf("30", pod("a", "21"), pod("b", "14"))];
  source.watches = [() => Promise.resolve(new Stream())];
  stream.fail(Object.assign(new Error("gone"), { code: 410, reason: "Expired" }));
  await clock.advance(60_000);
  assertEquals(version(), "30");
});

Deno.test("The store's resource version is empty if the cache refused an object of a list, until the next list", async () => {
  const { clock, source, stream, pods, version, start } = world();
  const many = Array.from({ length: 2_000 }, (_, i) => pod(`p${i}`, "3"));
  let isRefused = true;
  pods.addIndexers({
    picky: (obj) => {
      if (isRefused && obj.metadata.name === "p7") throw new Error("Cannot index p7");
      return [];
    },
  });
  source.lists = [() => listOf("10", ...many)];
  await using _running = await start();
  assertEquals([pods.indexer.size, version()], [1_999, ""], "the others are cached");
  isRefused = false;
  source.lists = [() => listOf("30", ...many)];
  source.watches = [() => Promise.resolve(new Stream())];
  stream.fail(Object.assign(new Error("gone"), { code: 410, reason: "Expired" }));
  await clock.advance(60_000);
  assertEquals([pods.indexer.size, version()], [2_000, "30"]);
});

Deno.test("StoreVersion is never ahead of the store, never goes back, and arrives", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("event" as const), key }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("pop" as const), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("read" as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("bookmark" as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("list" as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("lose" as const), key }) },
  );
  assertProperty(fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
    const version = new StoreVersion();
    /** The queue: for each key the versions of its changes that are not in the store yet. */
    const queue = new Map<string, number[]>();
    /** Changes that will never be in the store, until a list is. */
    let lost: number[] = [];
    let [reached, newest] = [0, 0];
    const reachedVersion = () => reached === 0 ? "" : String(reached);
    const read = () => Number(version.read(queue.size, reachedVersion()));
    const check = () => {
      const value = read();
      if (value === 0) return;
      assert(value >= newest, `went back from ${newest} to ${value}`);
      newest = value;
      for (const changes of [...queue.values(), lost]) {
        for (const change of changes) assert(change > value, `${change} is missing at ${value}`);
      }
    };
    const pop = () => {
      const [first] = queue.keys();
      if (first === undefined) return;
      queue.delete(first);
      version.popped(queue.size, reachedVersion());
    };
    const put = (key: string) => queue.set(key, [...queue.get(key) ?? [], reached]);
    for (const { do: what, key } of steps) {
      if (what === "event") {
        reached++;
        put(key);
      } else if (what === "pop") pop();
      else if (what === "bookmark") reached++;
      else if (what === "lose") {
        lost.push(++reached);
        version.lost();
      } else if (what === "list") {
        reached++;
        for (const listed of ["a", "b", "c", "d"]) put(listed);
        // The list has what was lost: it is now on its way in the queue.
        lost = [];
        version.listed(queue.size, String(reached));
      }
      if (what === "read") check();
    }
    check();
    while (queue.size > 0) {
      pop();
      check();
    }
    assertEquals(read(), lost.length > 0 ? 0 : reached);
  }));
});

Deno.test("An object whose transform fails is cached as the server sent it, and logged", async () => {
  const { clock, stream, pods, start } = world();
  pods.setTransform((obj) => {
    if (obj.metadata.resourceVersion === "13") throw new Error("no");
    return obj;
  });
  await using _running = await start();
  stream.send(modified(pod("a", "13")), added(pod("b", "14")));
  await clock.settle();
  assertEquals(pods.indexer.getByKey("x/a")?.metadata.resourceVersion, "13");
  assertEquals(pods.indexer.getByKey("x/b")?.metadata.resourceVersion, "14");
});

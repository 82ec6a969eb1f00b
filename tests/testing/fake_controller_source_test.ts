import { assertEquals, assertRejects } from "@std/assert";
import { FakeControllerSource } from "../../src/testing/mod.ts";
import { isExpired, type Pod, type WatchEvent } from "../../src/types/mod.ts";

function pod(name: string, uid = "1"): Pod {
  return { metadata: { namespace: "x", name, uid } };
}

/** Returns the next `count` events of a watch, in short form. */
async function read(watch: AsyncIterator<WatchEvent<Pod>>, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const { done, value } = await watch.next();
    if (done) return [...lines, "end"];
    const { metadata } = value.object as Pod;
    lines.push(`${value.type} ${metadata.name} ${metadata.resourceVersion}`);
  }
  return lines;
}

Deno.test("FakeControllerSource increments its resource version with each change", async () => {
  const source = new FakeControllerSource<Pod>();
  assertEquals(await source.list(), { metadata: { resourceVersion: "0" }, items: [] });
  source.add(pod("b"));
  source.add(pod("a"));
  source.modify(pod("b"));
  source.delete(pod("c"));
  const { metadata, items } = await source.list();
  assertEquals(metadata.resourceVersion, "4");
  assertEquals(items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`), [
    "a@2",
    "b@3",
  ]);
});

Deno.test("FakeControllerSource distinguishes objects by namespace, name and uid", async () => {
  const source = new FakeControllerSource<Pod>();
  source.add(pod("a", "1"));
  source.add(pod("a", "2"));
  source.add({ metadata: { namespace: "y", name: "a", uid: "1" } });
  assertEquals((await source.list()).items.length, 3);
  source.delete(pod("a", "1"));
  assertEquals((await source.list()).items.length, 2);
});

Deno.test("FakeControllerSource.watch() replays events from any version, then sends live events", async () => {
  const source = new FakeControllerSource<Pod>();
  source.add(pod("a"));
  source.modify(pod("a"));
  source.delete(pod("a"));
  const story = ["ADDED a 1", "MODIFIED a 2", "DELETED a 3"];
  for (const version of [0, 1, 2, 3]) {
    const watch = await source.watch({ resourceVersion: String(version) });
    source.add(pod("b"));
    const live = `ADDED b ${4 + version}`;
    const missed = Array.from({ length: version }, (_, i) => `ADDED b ${4 + i}`);
    assertEquals(await read(watch, 4), [...story.slice(version), ...missed, live].slice(0, 4));
  }
  assertEquals(await read(await source.watch({}), 1), ["ADDED a 1"]);
});

Deno.test("FakeControllerSource.watch() rejects future and invalid resource versions", async () => {
  const source = new FakeControllerSource<Pod>();
  await assertRejects(
    () => source.watch({ resourceVersion: "1" }),
    RangeError,
    "resourceVersion 1",
  );
  await assertRejects(
    () => source.watch({ resourceVersion: "x" }),
    RangeError,
    "resourceVersion x",
  );
});

Deno.test("FakeControllerSource copies the objects that it takes and returns", async () => {
  const source = new FakeControllerSource<Pod>();
  const original = pod("a");
  source.add(original);
  assertEquals(original.metadata.resourceVersion, undefined);
  original.metadata.name = "changed";
  const first = (await source.list()).items[0] as Pod;
  first.metadata.name = "changed";
  assertEquals((await source.list()).items[0]?.metadata.name, "a");
  const watched = (await (await source.watch({})).next()).value.object;
  watched.metadata.name = "changed";
  assertEquals(await read(await source.watch({}), 1), ["ADDED a 1"]);
});

Deno.test("FakeControllerSource can change objects without an event for open watches", async () => {
  const source = new FakeControllerSource<Pod>();
  const watch = await source.watch({});
  source.addDropWatch(pod("a"));
  source.modifyDropWatch(pod("a"));
  source.deleteDropWatch(pod("a"));
  source.add(pod("b"));
  assertEquals(await read(watch, 1), ["ADDED b 4"]);
  assertEquals((await read(await source.watch({}), 3)).length, 3, "later watches catch up on them");
});

Deno.test("FakeControllerSource.change() sends events to open watches with a probability", async () => {
  const draws = [0.2, 0.8];
  const source = new FakeControllerSource<Pod>({ random: { next: () => draws.shift() ?? 0 } });
  const watch = await source.watch({});
  source.change({ type: "ADDED", object: pod("a") }, 0.5);
  source.change({ type: "ADDED", object: pod("b") }, 0.5);
  source.add(pod("c"));
  assertEquals(await read(watch, 2), ["ADDED a 1", "ADDED c 3"]);
});

Deno.test("FakeControllerSource.resetWatch() ends watches and discards past events", async () => {
  const source = new FakeControllerSource<Pod>();
  source.add(pod("a"));
  const watch = await source.watch({});
  source.resetWatch();
  assertEquals(await read(watch, 2), ["ADDED a 1", "end"]);
  assertEquals(isExpired(await assertRejects(() => source.watch({ resourceVersion: "0" }))), true);
  const live = await source.watch({ resourceVersion: "1" });
  source.add(pod("b"));
  assertEquals(await read(live, 1), ["ADDED b 2"]);
  assertEquals(await read(await source.watch({ resourceVersion: "1" }), 1), ["ADDED b 2"]);
});

Deno.test("FakeControllerSource fails with the errors that were set", async () => {
  const source = new FakeControllerSource<Pod>();
  source.listError = new Error("no list");
  source.watchError = new Error("no watch");
  await assertRejects(() => source.list(), Error, "no list");
  await assertRejects(() => source.watch({}), Error, "no watch");
  source.listError = source.watchError = undefined;
  await source.list();
});

Deno.test("FakeControllerSource ends watches on abort, return(), dropWatches() and shutdown()", async () => {
  const source = new FakeControllerSource<Pod>();
  const stop = new AbortController();
  const bySignal = await source.watch({}, { signal: stop.signal });
  const pending = bySignal.next();
  stop.abort();
  assertEquals(await pending, { done: true, value: undefined });
  const byReturn = await source.watch({});
  await byReturn.return?.();
  assertEquals(await read(byReturn, 1), ["end"]);
  assertEquals(await read(await source.watch({}, { signal: AbortSignal.abort() }), 1), ["end"]);
  const dropped = await source.watch({});
  assertEquals(source.watchCount, 1);
  source.dropWatches();
  source.add(pod("a"));
  assertEquals(await read(dropped, 1), ["end"]);
  source.shutdown();
  assertEquals(await read(await source.watch({}), 2), ["ADDED a 1", "end"]);
  assertEquals(source.watchCount, 0);
});

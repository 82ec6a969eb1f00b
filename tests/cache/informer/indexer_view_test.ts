/** Users of an informer cannot change its cache: neither by its types nor from plain JavaScript. */

import { assert, assertEquals } from "@std/assert";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";
import { informerTest } from "./_informer_harness.ts";
import { pod } from "../reflector/_scripted_source.ts";

informerTest("SharedInformer.indexer has no writers, not even for JavaScript", async (harness) => {
  await using t = harness();
  t.source.add(pod("a", ""));
  await t.start();
  for (const writer of ["add", "update", "delete", "replace", "addIndexers"]) {
    assert(!(writer in t.informer.indexer), writer);
  }
  assertEquals(t.informer.indexer.listKeys(), ["x/a"]);
});

Deno.test("SharedInformer gives readonly objects, and nothing to write to its cache with", () => {
  const pods = new SharedInformer<Pod>(new FakeControllerSource<Pod>(), {
    clock: new VirtualClock(),
  });
  const never = () => {
    // @ts-expect-error: a view has no writers.
    pods.indexer.replace([], "0");
    // @ts-expect-error: a view has no writers.
    pods.indexer.add({ metadata: { name: "a" } });
    const cached = pods.indexer.getByKey("x/a");
    if (cached === undefined) return;
    // @ts-expect-error: objects of the cache are shared.
    cached.metadata.labels = {};
    // @ts-expect-error: at any depth.
    (cached.metadata.labels ?? {}).x = "y";
    // @ts-expect-error: arrays as well.
    cached.spec?.containers.push({ name: "main" });
    // @ts-expect-error: code that wants to change a Pod does not get a cached one.
    const own: Pod = cached;
    // A stored object has a name, a uid and a version.
    const certain: [string, string, string] = [
      cached.metadata.name,
      cached.metadata.uid,
      cached.metadata.resourceVersion,
    ];
    return [own, certain];
  };
  pods.addEventHandler({
    // @ts-expect-error: what handlers get is readonly too.
    onAdd: (obj) => void (obj.metadata.name = "b"),
    onUpdate: (_old, obj) => void obj.metadata.name.length,
  });
  assertEquals(typeof never, "function");
});

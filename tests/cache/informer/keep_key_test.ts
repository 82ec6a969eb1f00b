/** A transform that renames objects: the cache stays equal to the server, and the change is logged and counted. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { informerTest, RecordingHandler } from "./_informer_harness.ts";
import { pod } from "../reflector/_scripted_source.ts";
import type { Pod } from "../../../src/types/mod.ts";

const RENAMES: Readonly<Record<string, (obj: Pod) => Pod>> = {
  "another name": (obj) => ({ ...obj, metadata: { ...obj.metadata, name: "other" } }),
  "no namespace": ({ metadata: { namespace: _, ...metadata } }) => ({ metadata }),
  "another namespace, in place": (obj) => {
    obj.metadata.namespace = "y";
    return obj;
  },
  "no metadata": () => ({}) as Pod,
  "nothing": () => undefined as unknown as Pod,
};

for (const [what, transform] of Object.entries(RENAMES)) {
  informerTest(
    `SharedInformer keeps the key of objects whose transform returns ${what}`,
    async (harness) => {
      await using t = harness({ transform });
      const handler = new RecordingHandler();
      t.informer.addEventHandler(handler);
      for (const name of ["a", "b"]) t.source.add(pod(name, ""));
      await t.start();
      assertEquals(t.informer.indexer.listKeys().sort(), ["x/a", "x/b"]);
      assertEquals(t.informer.indexer.getByKey("x/a")?.metadata.resourceVersion, "1");
      handler.take();

      t.source.delete(pod("a", ""));
      await t.clock.settle();
      assertEquals(handler.take(), ["delete a"]);
      assertEquals(t.informer.indexer.listKeys(), ["x/b"]);

      t.source.resetWatch();
      await t.clock.advance(60_000);
      assertEquals(t.informer.indexer.listKeys(), ["x/b"], "a list deletes no live object");
      assertEquals(handler.take().filter((line) => line.startsWith("delete")), []);

      const lines = t.logger.lines.filter((line) => line.startsWith("error"));
      assertEquals(lines.length, 1);
      assertStringIncludes(
        lines[0] ?? "",
        'pods: the transform changed the name or namespace of "x/',
      );
      assertEquals(t.informer.snapshot().keyChanges > 2, true);
    },
  );
}

informerTest("SharedInformer says nothing of transforms that leave keys alone", async (harness) => {
  await using t = harness({
    transform: (obj) => ({ metadata: { ...obj.metadata, annotations: { slim: "yes" } } }),
  });
  t.source.add(pod("a", ""));
  await t.start();
  assertEquals([t.informer.snapshot().keyChanges, t.logger.lines], [0, []]);
});

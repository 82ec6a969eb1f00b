/** A backup of etcd is restored under a running informer: versions go back, and the cache follows. */

import { assert, assertEquals } from "@std/assert";
import type { ConfigMap } from "../../src/types/mod.ts";
import { MINUTE_MS, Victim } from "./victim.ts";

for (const keeps of ["parsed", "bytes"] as const) {
  for (const streaming of [false, true]) {
    const how = `${keeps}, ${streaming ? "streaming" : "plain"} lists`;
    Deno.test(`an informer (${how}) follows a server that was restored from a backup`, async () => {
      const victim = new Victim(keeps, streaming);
      await victim.start();
      const restore = victim.server.backup();
      for (let i = 0; i < 200; i++) await victim.server.put("later", { v: `${i}` });
      await victim.change();
      await victim.server.clock.advance(MINUTE_MS);
      await victim.assertEqual();
      const version = Number(victim.informer.lastSyncResourceVersion());

      restore();
      await victim.server.clock.advance(10 * MINUTE_MS);
      await victim.assertEqual();
      assertEquals(victim.informer.indexer.getByKey("default/later"), undefined);
      assert(Number(victim.informer.lastSyncResourceVersion()) < version);
      assert(victim.logger.lines.some((line) => line.includes("as after a restored backup")));

      await victim.change();
      await victim.server.clock.advance(MINUTE_MS);
      await victim.assertEqual();
      victim.assertPaced();
      await victim.assertStops();
    });

    Deno.test(`an informer (${how}) follows a server whose lost resource versions now have other content`, async () => {
      const victim = new Victim(keeps, streaming);
      await victim.start();
      const restore = victim.server.backup();
      await victim.server.put("b", { v: "lost" });
      await victim.server.clock.advance(MINUTE_MS);
      const read = () => {
        const cached = victim.informer.indexer.getByKey("default/b") as ConfigMap | undefined;
        const { metadata, data } = cached ?? {};
        return { uid: metadata?.uid, version: metadata?.resourceVersion, v: data?.v };
      };
      const before = read();
      restore();
      await victim.server.put("b", { v: "restored" });
      // Watches without bookmarks say nothing of versions, so the informer lists again after a few of them.
      victim.server.behave(({ verb }) =>
        verb === "watch" ? new Response(new ReadableStream()) : undefined
      );
      await victim.server.clock.advance(10 * MINUTE_MS);
      victim.server.behave(undefined);
      await victim.assertEqual();
      assertEquals(read(), { ...before, v: "restored" });
      await victim.assertStops();
    });
  }
}

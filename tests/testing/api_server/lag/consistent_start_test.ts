/** A process that restarts on a replica that is behind sees the past, unless its start is consistent. */

import { assertEquals } from "@std/assert";
import { silentLogger } from "../../../../src/base/mod.ts";
import { SharedInformerFactory } from "../../../../src/cache/mod.ts";
import { Client } from "../../../../src/client/mod.ts";
import { ConfigMaps } from "../../../../src/types/mod.ts";
import { Cluster } from "../cluster.ts";

/** Returns the names that an informer shows right after its start, and a minute later. */
async function shown(consistentStart: boolean, streaming: boolean): Promise<string[][]> {
  await using cluster = new Cluster();
  const { clock, server } = cluster;
  await cluster.configMap("old");
  const at = server.resourceVersion;
  await cluster.call("DELETE", Cluster.path("configmaps", "old"));
  await cluster.configMap("new");
  const lag = server.lag.freeze({ at });
  if (!streaming) {
    server.faults.fail(422, { when: ({ url }) => url.searchParams.has("sendInitialEvents") });
  }

  await using client = new Client({ ...server.clientOptions, logger: silentLogger });
  const factory = new SharedInformerFactory(client, { consistentStart });
  const informer = factory.informer(ConfigMaps);
  factory.start();
  const names: string[][] = [];
  const keys = () => informer.indexer.listKeys().filter((key) => key.startsWith("default/"));
  await clock.advance(2000);
  names.push(keys().map((key) => key.replace("default/", "")));
  lag.release();
  await clock.advance(60_000);
  names.push(keys().map((key) => key.replace("default/", "")));
  await clock.run(factory.shutdown());
  return names;
}

Deno.test("an informer without streaming lists starts on old knowledge", async () => {
  assertEquals(await shown(false, false), [["old"], ["new"]]);
});

Deno.test("a consistent start never shows old knowledge", async () => {
  assertEquals(await shown(true, false), [["new"], ["new"]]);
});

Deno.test("a streaming list waits for the cache to catch up", async () => {
  assertEquals(await shown(false, true), [[], ["new"]]);
});

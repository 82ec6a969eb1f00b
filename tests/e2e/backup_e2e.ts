import { assert, assertEquals } from "@std/assert";
import { ConfigMaps, type Logger, SharedInformer, waitForCacheSync } from "@kubeloop/controller";
import { silentLogger } from "@kubeloop/controller/base";
import { eventually, World } from "./world.ts";

const logger: Logger = {
  ...silentLogger,
  info: (message) => console.log(message),
  warn: (message) => console.log(message),
};

Deno.test("informers follow a real API server whose etcd was restored from a backup", async () => {
  await using world = await World.create();
  const { client, cluster, namespace } = world;
  if (cluster === undefined) {
    return console.log("skipped: the cluster of KUBELOOP_E2E_KUBECONFIG must not be broken");
  }
  const call = { namespace };
  const put = (name: string) => client.create(ConfigMaps, { metadata: { name } }, call);
  // Silence is noticed after a second here, not after 65.
  const options = { resource: ConfigMaps, logger, watchIdleLimitMs: 1_000 };
  const informers = [true, false].flatMap((keepParsed) =>
    [true, false].map((isWatchListSemanticsUnsupported) => {
      const source = client.listerWatcher(ConfigMaps, call);
      return new SharedInformer({ ...source, isWatchListSemanticsUnsupported }, {
        ...options,
        keepParsed,
      });
    })
  );
  const stop = new AbortController();
  const running = informers.map((informer) => informer.run({ signal: stop.signal }));
  try {
    await put("kept");
    await put("deleted-later");
    await waitForCacheSync({ timeoutMs: 30_000 }, ...informers);
    const restore = await cluster.backup();
    await client.delete(ConfigMaps, "deleted-later", call);
    for (let i = 0; i < 50; i++) await put(`lost-${i}`);
    const last = await put("lost");
    for (const informer of informers) {
      await eventually(
        "the cache has the newest object",
        () => Promise.resolve(informer.indexer.getByKey(`${namespace}/lost`) !== undefined),
      );
    }
    await restore();
    for (const informer of informers) {
      await world.cacheEqualsCluster(informer.indexer, ConfigMaps);
      assertEquals(informer.indexer.getByKey(`${namespace}/lost`), undefined);
      assert(informer.indexer.getByKey(`${namespace}/deleted-later`) !== undefined);
      assert(Number(informer.lastSyncResourceVersion()) < Number(last.metadata.resourceVersion));
    }
    await put("after");
    for (const informer of informers) await world.cacheEqualsCluster(informer.indexer, ConfigMaps);
  } finally {
    stop.abort();
    await Promise.all(running);
  }
});

import { assertEquals, assertRejects } from "@std/assert";
import { Client } from "../../src/client/mod.ts";
import { SharedInformer } from "../../src/cache/mod.ts";
import { ConfigMaps } from "../../src/types/mod.ts";
import { VirtualClock } from "@kubeloop/testing";
import { field, integer } from "../protobuf/_message.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** Returns a list of ConfigMaps of which the second has a field of a future version. */
function futureList(): Uint8Array<ArrayBuffer> {
  const metadata = (name: string) =>
    field(1, [field(1, name), field(3, "default"), field(5, `uid-${name}`), field(6, "7")]);
  const data = field(2, [field(1, "k"), field(2, "v")]);
  const list = [
    field(1, [field(2, "7")]),
    field(2, [metadata("known"), data]),
    field(2, [metadata("future"), data, field(99, "what only a newer server knows"), integer(98, 3)]),
  ];
  const envelope = [field(1, [field(1, "v1"), field(2, "ConfigMapList")]), field(2, list)];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope.flat()]);
}

Deno.test("An update of a cached object that would remove fields of a newer server is refused, a patch is not", async () => {
  const clock = new VirtualClock();
  const writes: string[] = [];
  const live = {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "future", namespace: "default", uid: "uid-future", resourceVersion: "7" },
    data: { k: "v" },
    future: "what only a newer server knows",
  };
  const fetch = ({ method, url, headers }: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    if (method !== "GET") writes.push(`${method} ${pathname.split("/").at(-1)}`);
    if (searchParams.has("watch")) return new Promise(() => {});
    if (pathname.endsWith("known")) {
      return Promise.resolve(Response.json({ metadata: { name: "known", uid: "uid-known" } }));
    }
    if (!pathname.endsWith("configmaps")) return Promise.resolve(Response.json(live));
    assertEquals(headers.get("accept"), `${PROTOBUF},application/json`);
    const answer = { headers: { "content-type": PROTOBUF } };
    return Promise.resolve(new Response(futureList(), answer));
  };
  await using client = new Client({ fetch, clock });
  const informer = new SharedInformer(client.listerWatcher(ConfigMaps), {
    resource: ConfigMaps,
    useWatchList: false,
    clock,
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.run(informer.whenSynced());

  const known = informer.indexer.getByKey("default/known")!;
  const future = informer.indexer.getByKey("default/future")!;
  assertEquals([known.data, future.data], [{ k: "v" }, { k: "v" }]);
  await clock.run(client.update(ConfigMaps, { ...known, data: { k: "w" } }));
  const changed = structuredClone({ ...future, data: { k: "w" } });
  await clock.run(
    assertRejects(() => client.update(ConfigMaps, changed), TypeError, 'Cannot update ConfigMap "future"'),
  );
  await clock.run(client.patch(ConfigMaps, "future", { data: { k: "w" } }, { namespace: "default" }));
  assertEquals(writes, ["PUT known", "PATCH future"]);

  // The answer in JSON is whole.
  const whole = await clock.run(client.get(ConfigMaps, "future", { namespace: "default" }));
  await clock.run(client.update(ConfigMaps, { ...whole, data: { k: "w" } }));
  assertEquals(writes, ["PUT known", "PATCH future", "PUT future"]);
  stop.abort();
  await clock.run(running);
});

import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigMaps } from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { Cluster } from "./cluster.ts";

const DEFINITION = {
  metadata: { name: "gadgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "gadgets", kind: "Gadget" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } },
      },
    }],
  },
};

const GADGETS = "/apis/example.com/v1/namespaces/default/gadgets";

/** Creates several objects in `first`; returns a new server that starts from the state of `first`. */
async function restarted(first: Cluster): Promise<Cluster> {
  await first.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await first.call("POST", GADGETS, {
    apiVersion: "example.com/v1",
    kind: "Gadget",
    metadata: { name: "g" },
  });
  await first.configMap("a");
  await first.pod("p");
  return new Cluster({ state: first.server.state() });
}

Deno.test("state() starts another server with the same objects and resource version", async () => {
  await using first = new Cluster();
  await using second = await restarted(first);
  assertEquals(second.server.state(), first.server.state());
  assertEquals(second.server.resourceVersion, first.server.resourceVersion);
  for (const path of [GADGETS, "/api/v1/namespaces/default/pods/p", "/api/v1/namespaces"]) {
    assertEquals((await second.get(path)).json, (await first.get(path)).json);
  }
  const before = Number(second.server.resourceVersion);
  const created = await second.configMap("b");
  assertEquals(created.json.metadata.resourceVersion, String(before + 1));
  assertEquals((await second.configMap("a")).status, 409);
  assertEquals((await second.call("DELETE", `${GADGETS}/g`)).status, 200);
});

Deno.test("state() has no history: an older resource version is expired", async () => {
  await using first = new Cluster();
  const old = first.server.resourceVersion;
  await using second = await restarted(first);
  await using watch = await second.watch(`${Cluster.path("configmaps")}?resourceVersion=${old}`);
  assertEquals(watch.lines[0]?.object.code, 410);
  await using leases = await second.watch(
    `/apis/coordination.k8s.io/v1/leases?resourceVersion=${old}`,
  );
  assertEquals(leases.lines[0]?.object.code, 410);
  await using now = await second.watch(
    `${Cluster.path("configmaps")}?resourceVersion=${second.server.resourceVersion}`,
  );
  await second.configMap("b");
  await second.clock.settle();
  assertEquals(now.events, ["ADDED b"]);
});

Deno.test("state() includes roles, which the new server evaluates", async () => {
  await using first = new Cluster();
  await first.call("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "ann" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
  });
  const state = first.server.state();
  await using second = new Cluster({ state, tokens: { t: { user: "ann" } } });
  const headers = { authorization: "Bearer t" };
  assertEquals((await second.call("GET", "/api/v1/pods", undefined, headers)).status, 200);
  assertEquals((await second.call("GET", "/api/v1/secrets", undefined, headers)).status, 403);
});

Deno.test("ApiServer rejects an invalid state", async () => {
  await using cluster = new Cluster();
  const { resourceVersion, objects } = cluster.server.state();
  const texts: [string, string][] = [
    ["configmaps", "{"],
    ["configmaps", "{}"],
    ["configmaps", '{"metadata":{"name":"a"}}'],
    ["configmaps", '{"metadata":{"name":"a","resourceVersion":"99999999"}}'],
    ["nosuchthings.example.com", '{"metadata":{"name":"a","resourceVersion":"1"}}'],
  ];
  for (const [resource, text] of texts) {
    assertThrows(
      () => new Cluster({ state: { resourceVersion, objects: [...objects, { resource, text }] } }),
      SyntaxError,
      "Cannot read the state",
    );
  }
  assertThrows(() => new Cluster({ state: { resourceVersion: "x", objects } }), SyntaxError);
});

Deno.test("onWrite() reports every write until it is unregistered", async () => {
  await using cluster = new Cluster();
  const writes: string[] = [];
  const end = cluster.server.onWrite((write) => {
    const { name, namespace, resource, type } = write;
    assertEquals(write.object().metadata.resourceVersion, write.resourceVersion);
    assertEquals(write.previous() === undefined, type === "ADDED");
    writes.push(`${type} ${resource} ${namespace}/${name}`);
  });
  await cluster.configMap("a");
  await cluster.get(Cluster.path("configmaps"));
  await cluster.configMap("a");
  assertEquals(writes, ["ADDED configmaps default/a"]);
  assertEquals(cluster.server.count(ConfigMaps, "default"), 1);
  await cluster.call("DELETE", Cluster.path("configmaps", "a"));
  assertEquals(writes.slice(1), ["DELETED configmaps default/a"]);
  assertEquals(cluster.server.count(ConfigMaps, "default"), 0);
  end();
  await cluster.configMap("b");
  assertEquals(writes.length, 2);
  assertEquals(cluster.server.count(ConfigMaps, "default"), 1);
  assertEquals(cluster.server.count(ConfigMaps, "other"), 0);
  assert(cluster.server.state().objects.some(({ text }) => text.includes('"name":"b"')));
});

Deno.test("onWrite(): a listener or logger that throws fails no write and hides no event", async () => {
  const logger = new RecordingLogger();
  await using cluster = new Cluster({ logger });
  await using watch = await cluster.watch(Cluster.path("configmaps"));
  let later = 0;
  cluster.server.onWrite(() => {
    throw new Error("no idea");
  });
  cluster.server.onWrite(() => Promise.resolve(1));
  cluster.server.onWrite(() => void later++);
  assertEquals((await cluster.configMap("a")).status, 201);
  assertEquals((await cluster.call("DELETE", Cluster.path("configmaps", "a"))).status, 200);
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a", "DELETED a"]);
  assertEquals(later, 2);
  assertEquals(logger.of("error").length, 4);
  assertEquals(
    logger.of("error")[0],
    "A listener failed on the write ADDED configmaps default/a, which is stored",
  );
  const fail = () => {
    throw new Error("no space left on device");
  };
  await using mute = new Cluster({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
  mute.server.onWrite(fail);
  assertEquals((await mute.configMap("a")).status, 201);
});

import { assertEquals } from "@std/assert";
import {
  type Condition,
  ConfigMaps,
  CustomResourceDefinitions,
  type Namespace,
  Namespaces,
  Pods,
  Secrets,
} from "../../../mod.ts";
import { Kubelet, NamespaceController } from "../../../src/testing/mod.ts";
import { WIDGET_DEFINITION, WIDGETS, World } from "./world.ts";

const SHOP = { namespace: "shop" };

async function shop(): Promise<World> {
  const world = new World();
  await world.start(new NamespaceController(world.options));
  await world.create(Namespaces, { metadata: { name: "shop" } });
  return world;
}

/** Returns the phase, and the status of the conditions, one letter each. */
function show({ status }: Namespace): string {
  const conditions = (status?.conditions ?? []).map((one) => one.status[0]).join("");
  return `${status?.phase} ${conditions}`.trim();
}

Deno.test("NamespaceController deletes the content after 5 s and waits for finalizers, as recorded", async () => {
  await using world = await shop();
  await world.configMap("free", SHOP);
  await world.configMap("held", { ...SHOP, finalizers: ["example.com/f"] });
  const namespaces = await world.watch(Namespaces, show);
  const transitions = await world.watch(
    Namespaces,
    ({ status }) =>
      (status?.conditions ?? []).map((one) => one.lastTransitionTime?.slice(17, 19)).join(" "),
  );
  const content = await world.watch(ConfigMaps);
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(9000);
  const conditions = world.server.get(Namespaces, "shop")?.status?.conditions;
  await world.client.patch(ConfigMaps, "held", { metadata: { finalizers: null } }, SHOP);
  await world.clock.advance(20_000);
  // A real namespace controller sets these conditions.
  assertEquals(namespaces, [
    "0.0 MODIFIED Terminating",
    "5.0 MODIFIED Terminating FFFTT",
    "10.0 MODIFIED Terminating FFFFF",
    "10.0 DELETED Terminating FFFFF",
  ]);
  assertEquals(transitions.at(-1), "10.0 DELETED 05 05 05 10 10");
  assertEquals(content, ["5.0 DELETED free", "5.0 MODIFIED held", "9.0 DELETED held"]);
  const condition = (
    type: string,
    status: Condition["status"],
    reason: string,
    message: string,
  ) => ({
    type,
    status,
    lastTransitionTime: "2026-01-01T00:00:05Z",
    reason,
    message,
  });
  assertEquals(conditions, [
    condition(
      "NamespaceDeletionDiscoveryFailure",
      "False",
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    condition(
      "NamespaceDeletionContentFailure",
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
    condition(
      "NamespaceContentRemaining",
      "True",
      "SomeResourcesRemain",
      "Some resources are remaining: configmaps. has 1 resource instances",
    ),
    condition(
      "NamespaceFinalizersRemaining",
      "True",
      "SomeFinalizersRemain",
      "Some content in the namespace has finalizers remaining: example.com/f in 1 resource instances",
    ),
  ]);
  assertEquals(world.warnings, []);
});

Deno.test("NamespaceController deletes objects of custom resources, and leaves other namespaces alone", async () => {
  await using world = await shop();
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(3000);
  await world.create(WIDGETS, { metadata: { name: "inside", ...SHOP } });
  await world.create(WIDGETS, { metadata: { name: "outside", namespace: "default" } });
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(5000);
  assertEquals(world.names(WIDGETS), "outside");
  assertEquals(world.server.get(Namespaces, "shop"), undefined);
});

Deno.test("NamespaceController lets Pods stop before it deletes the objects that they may need", async () => {
  await using world = await shop();
  await world.start(new Kubelet({ ...world.options, nodeName: "n", stopDelayMs: 7000 }));
  await world.create(Pods, {
    metadata: { name: "web", ...SHOP },
    spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
  });
  await world.create(Secrets, { metadata: { name: "key", ...SHOP } });
  const pods = await world.watch(Pods);
  const secrets = await world.watch(Secrets);
  await world.clock.advance(2000);
  pods.length = 0;
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(30_000);
  const last = pods.filter((event) => event.includes("DELETED"));
  assertEquals([last, secrets], [["14.0 DELETED web"], ["17.0 DELETED key"]]);
  assertEquals(world.server.get(Namespaces, "shop"), undefined);
});

Deno.test("NamespaceController waits for the finalizers of the namespace itself", async () => {
  await using world = await shop();
  await world.client.patch(Namespaces, "shop", { metadata: { finalizers: ["example.com/f"] } });
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(60_000);
  const namespace = world.server.get(Namespaces, "shop");
  assertEquals([namespace?.spec?.finalizers, namespace?.metadata.finalizers], [
    undefined,
    ["example.com/f"],
  ]);
  await world.client.patch(Namespaces, "shop", { metadata: { finalizers: null } });
  assertEquals(world.server.get(Namespaces, "shop"), undefined);
});

Deno.test("NamespaceController reports what it could not delete, and retries", async () => {
  await using world = await shop();
  await world.configMap("settings", SHOP);
  const isDeletion = ({ verb }: { verb: string }) => verb === "deletecollection";
  world.server.faults.fail(403, { times: 1, when: isDeletion });
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(6000);
  const failure = world.server.get(Namespaces, "shop")?.status?.conditions
    ?.find(({ type }) => type === "NamespaceDeletionContentFailure");
  assertEquals([failure?.status, failure?.reason], ["True", "ContentDeletionFailed"]);
  assertEquals(world.warnings.length, 1);
  await world.clock.advance(5000);
  assertEquals(world.server.get(Namespaces, "shop"), undefined);
});

Deno.test("NamespaceController waits the full delay again for a namespace that was recreated", async () => {
  await using world = await shop();
  for (let round = 0; round < 2; round++) {
    await world.client.delete(Namespaces, "shop");
    await world.clock.advance(4900);
    assertEquals(world.server.get(Namespaces, "shop")?.status?.phase, "Terminating");
    await world.clock.advance(200);
    assertEquals(world.server.get(Namespaces, "shop"), undefined);
    if (round === 0) await world.create(Namespaces, { metadata: { name: "shop" } });
  }
});

Deno.test("NamespaceController makes no requests when nothing happens, and stops completely", async () => {
  await using world = await shop();
  await world.configMap("settings", SHOP);
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  assertEquals(world.actorRequests, requests);
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(1000);
  await world.stop();
  assertEquals([world.server.openWatches, world.clock.pendingTimers], [0, 0]);
});

Deno.test("NamespaceController leaves a namespace alone that took the name of the one it empties", async () => {
  await using world = await shop();
  world.server.faults.delay(1000, {
    times: 1,
    when: ({ method, name }) => method === "GET" && name === "shop",
  });
  await world.client.delete(Namespaces, "shop");
  await world.clock.advance(5500);
  const old = world.server.get(Namespaces, "shop")!;
  await world.clock.run(
    world.client.update(Namespaces, { ...old, spec: { finalizers: [] } }, {
      subresource: "finalize",
    }),
  );
  await world.create(Namespaces, { metadata: { name: "shop" } });
  await world.configMap("new", SHOP);
  await world.clock.advance(30_000);
  assertEquals(world.names(ConfigMaps, "shop"), "new");
  assertEquals(world.server.get(Namespaces, "shop")?.status?.phase, "Active");
});

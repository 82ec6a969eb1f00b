import { assertEquals } from "@std/assert";
import { ConfigMaps, Namespaces, ServiceAccounts } from "../../../mod.ts";
import { NamespaceDefaults } from "../../../src/testing/mod.ts";
import { World } from "./world.ts";

Deno.test("NamespaceDefaults creates the ServiceAccount and the root certificate of each namespace, again and again", async () => {
  await using world = new World();
  await world.start(new NamespaceDefaults({ ...world.options, rootCertificate: "PEM" }));
  await world.create(Namespaces, { metadata: { name: "shop" } });
  await world.clock.advance(100);
  const accounts = world.server.objects(ServiceAccounts).map(({ metadata }) => metadata.namespace);
  assertEquals(accounts, ["default", "kube-node-lease", "kube-public", "kube-system", "shop"]);
  assertEquals(world.server.get(ConfigMaps, "kube-root-ca.crt", "shop")?.data, { "ca.crt": "PEM" });
  const call = { namespace: "shop" };
  await world.client.delete(ServiceAccounts, "default", call);
  await world.client.patch(ConfigMaps, "kube-root-ca.crt", { data: { "ca.crt": "other" } }, call);
  await world.clock.advance(100);
  assertEquals(world.names(ServiceAccounts, "shop"), "default");
  assertEquals(world.server.get(ConfigMaps, "kube-root-ca.crt", "shop")?.data, { "ca.crt": "PEM" });
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  assertEquals([world.actorRequests, world.warnings], [requests, []]);
});

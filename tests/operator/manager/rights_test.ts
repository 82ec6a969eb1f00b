import { assertEquals, assertStringIncludes } from "@std/assert";
import { defineResource, type Resource } from "@kubeloop/controller";
import { type Widget, World } from "../_world.ts";

const Zones: Resource<Widget> = defineResource<Widget>({
  group: "acme.io",
  version: "v1",
  plural: "zones",
  kind: "Zone",
  namespaced: false,
});

Deno.test("Manager.rbac() allows Events about cluster-scoped objects in the namespace default, and only there", async () => {
  for (const namespaces of [undefined, ["web"]]) {
    await using world = new World();
    const manager = world.manager({ name: "zones", namespaces });
    manager.controller(Zones).reconcile(() => {});
    const roles = manager.rbac().split("---\n").filter((text) => text.includes("[events]"));
    assertEquals(roles.length, 1);
    assertStringIncludes(
      roles[0] ?? "",
      `kind: Role
metadata:
  name: zones
  namespace: default
rules:
  - apiGroups: [events.k8s.io]
    resources: [events]
    verbs: [create, patch]
`,
    );
  }
});

Deno.test("Manager.permissions() writes IPv6 addresses as Deno reads them", async () => {
  await using world = new World();
  for (const [hostname, flag] of [["::", "[::]:8080"], ["[::1]", "[::1]:8080"]] as const) {
    const manager = world.manager({ http: { port: 8080, hostname } });
    assertEquals(manager.permissions(), [`--allow-net=${flag}`]);
  }
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  Client,
  ConfigMaps,
  defineResource,
  Manager,
  type ManagerOptions,
  Namespaces,
  Pods,
  type Resource,
  Secrets,
} from "@kubeloop/controller";
import { applyAll } from "@kubeloop/kubectl";
import { type Widget, Widgets, World } from "../_world.ts";

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

/** Runs a manager with exactly the rights that it prints, and returns what it has reconciled. */
async function runWithPrintedRights(
  declare: (manager: Manager, seen: string[]) => void,
  options: ManagerOptions,
): Promise<{ readonly seen: string[]; readonly lines: readonly string[]; readonly yaml: string }> {
  const root = { user: "root", groups: ["system:masters"] };
  const operator = { user: "system:serviceaccount:ops:operator", groups: [] };
  await using world = new World({ tokens: { admin: root, operator } });
  await world.install();
  for (const name of ["ops", "team-a", "team-b"]) {
    await world.do(world.client.create(Namespaces, { metadata: { name } }));
  }
  for (const namespace of ["team-a", "team-b"]) {
    const spec = { containers: [{ name: "c", image: "i" }] };
    await world.do(world.client.create(Pods, { metadata: { name: "p", namespace }, spec }));
  }
  const seen: string[] = [];
  await using client = new Client({
    ...world.server.clientOptions,
    ...world.client.environment,
    token: "operator",
    allowInsecureToken: true,
    namespace: "ops",
  });
  const manager = new Manager(client, options);
  declare(manager, seen);
  const yaml = manager.rbac({ namespace: "ops" });
  await world.do(applyAll(world.client, yaml));
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  running.catch(() => {});
  await world.pass(5_000);
  stop.abort();
  await world.do(running);
  return { seen, lines: world.lines, yaml };
}

const MANAGERS: readonly {
  readonly name: string;
  readonly options?: ManagerOptions;
  readonly declare: (manager: Manager, seen: string[]) => void;
  readonly seen: readonly string[];
}[] = [
  {
    name: "a controller of one namespace",
    declare: (manager, seen) =>
      manager.controller(Pods, { namespaces: ["team-a"] })
        .reconcile(({ key }) => void seen.push(key)),
    seen: ["team-a/p"],
  },
  {
    name: "a controller of two of the namespaces of its manager",
    options: { namespaces: ["ops", "team-a", "team-b"] },
    declare: (manager, seen) =>
      manager.controller(Pods, { namespaces: ["team-b", "team-a"] })
        .watches(Secrets, { map: () => [], namespaces: ["ops"] })
        .reconcile(({ key }) => void seen.push(key)),
    seen: ["team-a/p", "team-b/p"],
  },
  {
    name: "a controller that only reads",
    declare: (manager, seen) =>
      manager.controller(Pods, { status: false, events: false, namespaces: ["team-a"] })
        .reconcile(({ key }) => void seen.push(key)),
    seen: ["team-a/p"],
  },
  ...[["team-a", "team-b"], undefined].map((namespaces) => ({
    name: `a controller with references in ${namespaces ?? "all namespaces"}`,
    options: { namespaces },
    declare: (manager: Manager, seen: string[]) => {
      const many = Array.from({ length: 30 }, (_, i) => `team-a/s${i}`);
      manager.controller(Pods)
        .references(
          Secrets,
          ({ metadata }) => ["s", ...(metadata.namespace === "team-a" ? many : [])],
        )
        .reconcile(({ cache, key, namespace }) =>
          void seen.push(`${key} ${cache(Secrets).get("s", namespace)}`)
        );
    },
    seen: ["team-a/p undefined", "team-b/p undefined"],
  })),
  {
    name: "a leader with everything that it declares",
    options: { namespaces: ["team-a"], leaderElection: { name: "operator", namespace: "ops" } },
    declare: (manager, seen) =>
      manager.controller(Pods)
        .owns(ConfigMaps)
        .finalizer("acme.io/f", { cleanup: () => {} })
        .reconcile(async ({ apply, event, key, name, owned }) => {
          await apply(ConfigMaps, { metadata: { name } });
          event("Normal", "Done", "all of it");
          seen.push(`${key} ${owned(ConfigMaps).length}`);
          return { prune: true };
        }),
    seen: ["team-a/p 0", "team-a/p 1"],
  },
];

for (const { name, options = {}, declare, seen } of MANAGERS) {
  Deno.test(`${name} starts and works with exactly the rights that it prints`, async () => {
    const ran = await runWithPrintedRights(declare, options);
    assertEquals(ran.seen.toSorted(), seen);
    assertEquals(ran.lines.filter((line) => !line.startsWith("info ")), []);
  });
}

Deno.test("Manager.rbac() of a controller that only reads has get, list and watch on its kind, and no other rule", async () => {
  await using world = new World();
  const manager = world.manager({ name: "reader" });
  manager.controller(Pods, { status: false, events: false }).reconcile(() => {});
  assertEquals(manager.rbac().match(/resources: .*\n.*verbs: .*/g), [
    "resources: [pods]\n    verbs: [get, list, watch]",
  ]);
});

Deno.test("Manager.rbac() has no rule for the status of a kind without one", async () => {
  await using world = new World();
  const manager = world.manager({ name: "bare" });
  const Bare = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Bare",
    spec: { type: "object", properties: {} },
  });
  manager.controller(Bare).reconcile(() => {});
  assertEquals(manager.rbac().includes("status"), false);
});

Deno.test("status() and event() are errors in a controller with status: false and events: false", async () => {
  await using world = new World();
  await world.install();
  const manager = world.manager();
  const errors: string[] = [];
  manager.controller(Widgets, { status: false, events: false }).reconcile((pass) => {
    for (const call of [() => pass.status(), () => pass.event("Normal", "Done", "it")]) {
      try {
        call();
      } catch (error) {
        errors.push(String(error));
      }
    }
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  assertEquals(errors, [
    'TypeError: Cannot set a status: controller "widget" has { status: false }, or the schema of Widget has no status',
    'TypeError: Cannot record an event: controller "widget" has { events: false }',
  ]);
});

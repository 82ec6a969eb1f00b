/**
 * Optional kinds and namespaces by label on a real API server: managers with exactly the rights that they print.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import {
  type Client,
  ConfigMaps,
  crd,
  CustomResourceDefinitions,
  defineResource,
  installDefinitions,
  type KubeObject,
  Manager,
  type ManagerOptions,
  Namespaces,
} from "@kubeloop/controller";
import { applyYaml, clientWith } from "./service_account.ts";
import { eventually, World } from "./world.ts";

const CYCLES = 8;

const define = (kind: string) =>
  defineResource({
    group: "comes.kubeloop.dev",
    version: "v1",
    kind,
    spec: { type: "object", properties: { size: { type: "integer" } } },
  });
const Widgets = define("Widget");
const Gadgets = define("Gadget");
const DEFINITION = "gadgets.comes.kubeloop.dev";

interface Life extends AsyncDisposable {
  readonly manager: Manager;
  readonly requests: string[];
  readonly lines: string[];
  run(): void;
}

/** Returns a manager of a client, with its requests and log lines. */
function managerOf(client: Client, options: ManagerOptions): Life {
  const requests: string[] = [];
  const lines: string[] = [];
  const line = (message: string) => void lines.push(message);
  const observed = client.observed({
    ended: ({ method, path, status }) => void requests.push(`${method} ${path}: ${status}`),
  });
  const logger = { debug: () => {}, info: () => {}, warn: line, error: line };
  const manager = new Manager(observed, { ...options, logger });
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  return {
    manager,
    requests,
    lines,
    run: () => {
      running = manager.run({ signal: stop.signal });
      running.catch(line);
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

/** Reports whether a definition is there, and established. */
async function isEstablished(client: Client): Promise<boolean> {
  const { status } = await client.get(CustomResourceDefinitions, DEFINITION);
  return status?.conditions?.some(({ type, status }) =>
    type === "Established" && status === "True"
  ) === true;
}

Deno.test("optional kinds and namespaces by label on a real API server", async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  await installDefinitions(client, [Widgets]);

  await t.step(
    "an optional kind comes and goes, without a request while it is absent",
    async () => {
      const declare = (manager: Manager) =>
        manager.controller(Widgets, { name: "optional" })
          .owns(ConfigMaps)
          .watches(Gadgets, { map: ({ metadata }) => [metadata], optional: true })
          .reconcile(async ({ apply, cache, name, namespace }) => {
            const gadgets = cache(Gadgets);
            const size = gadgets.get(name, namespace!)?.spec?.size;
            const data = { gadget: gadgets.isServed ? `${size}` : "absent" };
            await apply(ConfigMaps, { metadata: { name }, data });
          });
      const options = { name: "optional", namespaces: [namespace] };
      const printed = managerOf(client, options).manager;
      declare(printed);
      await using operator = await clientWith(
        world,
        printed.rbac({ serviceAccount: "optional", namespace }),
        "optional",
      );
      await using life = managerOf(operator, options);
      const controller = declare(life.manager);
      life.run();
      await client.create(Widgets, { metadata: { name: "a", namespace }, spec: { size: 1 } });
      const shows = (gadget: string) =>
        eventually(`the ConfigMap shows ${gadget}`, async () => {
          const { data } = await client.get(ConfigMaps, "a", { namespace });
          return data?.["gadget"] === gadget;
        });
      await shows("absent");
      const toKind = () => life.requests.filter((one) => one.includes("/gadgets"));
      assertEquals(toKind(), []);
      const cache = life.manager.cache(Gadgets, { optional: true, namespaces: [namespace] });
      const delays: number[] = [];
      for (let i = 0; i < CYCLES; i++) {
        await client.create(CustomResourceDefinitions, crd(Gadgets));
        while (!await isEstablished(client)) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        const establishedMs = performance.now();
        while (!cache.isServed) await new Promise((resolve) => setTimeout(resolve, 2));
        delays.push(Math.round(performance.now() - establishedMs));
        await eventually("a Gadget is created", async () => {
          await client.create(Gadgets, { metadata: { name: "a", namespace }, spec: { size: i } });
          return true;
        });
        await shows(`${i}`);
        await client.delete(CustomResourceDefinitions, DEFINITION);
        await shows("absent");
        await eventually("the definition is gone", async () => {
          const { items } = await client.list(CustomResourceDefinitions, {
            fieldSelector: `metadata.name=${DEFINITION}`,
          });
          return items.length === 0;
        });
      }
      console.log(`from Established to a filled cache, in ms: ${delays.toSorted((a, b) => a - b)}`);
      // A new kind may need a moment.
      const failed = toKind().filter((one) => !/: (200|429)$/.test(one));
      console.log(`requests to the kind: ${toKind().length}, failed: ${failed}`);
      assertEquals(failed, []);
      assert(delays.every((ms) => ms < 1_000), `${delays}`);
      assertEquals(life.lines, []);
      assertEquals(controller.snapshot().errors, 0);
    },
  );

  await t.step("an API that this minor does not have is absent", async () => {
    const builtIn = (version: string) =>
      defineResource<KubeObject>({
        group: "apps",
        version,
        plural: "deployments",
        kind: "Deployment",
        namespaced: true,
      });
    await using life = managerOf(client, { namespaces: [namespace] });
    const absent = life.manager.cache(builtIn("v1beta1"), { optional: true });
    const served = life.manager.cache(builtIn("v1"), { optional: true });
    life.run();
    await eventually("the built-in kind is cached", () => Promise.resolve(served.isServed));
    assertEquals([absent.isServed, absent.list()], [false, []]);
    assertEquals(life.requests.filter((one) => one.includes("/v1beta1/namespaces")), []);
    assertEquals(life.lines, []);
  });

  await t.step(
    "namespaces join and leave by their labels, with a RoleBinding in each",
    async () => {
      const declare = (manager: Manager) =>
        manager.controller(Widgets, { name: "selected" })
          .owns(ConfigMaps)
          .reconcile(async ({ apply, name, object }) => {
            const data = { size: `${object.spec?.size}` };
            await apply(ConfigMaps, { metadata: { name: `${name}-selected` }, data });
            return { prune: true };
          });
      const label = `kubeloop-e2e/${namespace}`;
      const options = {
        name: "selected",
        namespaces: { labelSelector: `${label}=yes`, names: [namespace] },
      };
      const printed = managerOf(client, options).manager;
      declare(printed);
      const rbac = printed.rbac({ serviceAccount: "selected", namespace });
      await using operator = await clientWith(world, rbac, "selected");
      const [, comment = ""] = rbac.split("needs this binding:\n");
      const binding = comment.replaceAll(/^# /gm, "");
      const teams = Array.from({ length: 10 }, (_, i) => `${namespace}-team-${i}`);
      const labels = (value: string | null) =>
        ({ metadata: { labels: { [label]: value } } }) as never;
      for (const team of teams) {
        await client.create(Namespaces, { metadata: { name: team } });
        await client.create(Widgets, {
          metadata: { name: "w", namespace: team },
          spec: { size: 1 },
        });
      }
      await using life = managerOf(operator, options);
      declare(life.manager);
      life.run();
      const sizeIn = async (team: string) =>
        (await client.get(ConfigMaps, "w-selected", { namespace: team })).data?.["size"];
      // A namespace without the binding delays no other, and joins when it has the binding.
      await client.patch(Namespaces, teams[0]!, labels("yes"));
      for (const team of teams.slice(1)) {
        await applyYaml(client, binding.replace("NAMESPACE", team));
        await client.patch(Namespaces, team, labels("yes"));
      }
      for (const team of teams.slice(1)) {
        await eventually(`${team} is reconciled`, async () => await sizeIn(team) === "1");
      }
      assert(life.lines.some((one) => one.includes(teams[0]!)), "the missing right is not logged");
      await applyYaml(client, binding.replace("NAMESPACE", teams[0]!));
      await eventually(`${teams[0]} is reconciled`, async () => await sizeIn(teams[0]!) === "1");
      const get = (team: string) =>
        life.requests.filter((one) =>
          one.startsWith("GET") && one.includes(`/namespaces/${team}/`)
        );
      for (const team of teams.slice(1)) assert(get(team).length <= 4, `${get(team)}`);
      // A namespace that leaves is left alone.
      for (const team of teams) await client.patch(Namespaces, team, labels(null));
      await eventually("all have left", async () => {
        const cache = life.manager.cache(Widgets);
        const { length } = cache.list().filter(({ metadata }) => metadata.namespace !== namespace);
        return await Promise.resolve(length) === 0;
      });
      const before = life.requests.length;
      for (const team of teams) {
        await client.patch(Widgets, "w", { spec: { size: 2 } }, { namespace: team });
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assertEquals(life.requests.slice(before), []);
      for (const team of teams) assertEquals(await sizeIn(team), "1");
      for (const team of teams) await client.patch(Namespaces, team, labels("yes"));
      for (const team of teams) {
        await eventually(`${team} is reconciled again`, async () => await sizeIn(team) === "2");
      }
      for (const team of teams) await client.delete(Namespaces, team);
    },
  );
});

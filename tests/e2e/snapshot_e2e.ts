/**
 * A snapshot of a real API server is the world of a rehearsal.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ConfigMaps, CustomResourceDefinitions, Deployments, Secrets } from "@kubeloop/controller";
import { rehearse } from "@kubeloop/testing/simulation";
import { widgetsIn } from "../kubectl/cli/_world.ts";
import { ADMIN_TOKEN } from "./cluster.ts";
import { World } from "./world.ts";

const MAIN = new URL("../../src/kubectl/cli/main.ts", import.meta.url).pathname;

Deno.test("kubeloop snapshot of a real server starts one in this process", async () => {
  await using world = await World.create();
  const { client, namespace } = world;
  const labels = { app: "web" };
  await client.create(CustomResourceDefinitions, widgetsIn(`${namespace}.acme.io`));
  await client.create(Secrets, { metadata: { name: "s" }, data: { a: btoa("hunter2") } }, {
    namespace,
  });
  await client.create(Deployments, {
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "a" }] } },
    },
  }, { namespace });
  const { code, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, "snapshot"],
    env: { KUBECONFIG: world.kubeconfig },
  }).output();
  const [said, text] = [stderr, stdout].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(code, 0, said);
  for (const secret of [btoa("hunter2"), "hunter2", ADMIN_TOKEN]) assert(!text!.includes(secret));
  const rehearsal = await rehearse({
    world: text!.split("\n"),
    before: () => {},
    after: async (env) => {
      const { items } = await env.client.list(ConfigMaps);
      assert(items.length > 0);
      const template = { metadata: { labels: { ...labels, version: "2" } } };
      await env.client.patch(Deployments, "web", { spec: { template } }, { namespace });
    },
    forMs: 60_000,
  });
  assertEquals(rehearsal.notes, [], said);
  assertEquals(
    rehearsal.restarts.map(({ fields, pods }) => [pods, fields.map(({ field }) => field)]),
    [[2, ["spec.template.metadata.labels.version"]]],
  );
});

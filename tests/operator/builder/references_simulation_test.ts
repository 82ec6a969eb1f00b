/** A controller that refers to Secrets is right, whatever goes wrong, while its watches come, widen and go. */

import { assert } from "@std/assert";
import {
  ConfigMaps,
  defineResource,
  type KubeObject,
  Manager,
  type Resource,
  Secrets,
} from "@kubeloop/controller";
import {
  assertClean,
  create,
  patch,
  type ProcessEnv,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { scaled } from "../../support/seeded_runs.ts";

interface Widget extends KubeObject {
  spec?: { secrets?: string[] };
}

const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

/** The number of plans. */
const PLANS = 100;
/** A Secret that exists from the start to the end. */
const TOKEN = "token";

/** Copies the Secrets that a Widget names into a ConfigMap. */
async function operator({ client, signal }: ProcessEnv): Promise<void> {
  const manager = new Manager(client);
  manager.controller(Widgets)
    .owns(ConfigMaps)
    .references(Secrets, ({ spec }) => spec?.secrets)
    .reconcile(async ({ apply, cache, name, namespace, object }) => {
      const data = Object.fromEntries((object.spec?.secrets ?? []).map((secret) => {
        const found = cache(Secrets).get(secret, namespace);
        return [secret, found === undefined ? "missing" : found.data?.["value"] ?? ""];
      }));
      await apply(ConfigMaps, { metadata: { name: `${name}-copy` }, data });
    });
  await manager.run({ signal });
}

const value = (text: string) => ({ data: { value: btoa(text) } });
const names = Array.from({ length: 30 }, (_, i) => `s${i}`);

Deno.test(`a controller that refers to Secrets is right in ${PLANS} plans`, async () => {
  const sim = simulation({
    name: "references",
    process: operator,
    resources: [Widgets],
    objects: [{
      resource: Secrets,
      object: { metadata: { name: TOKEN, namespace: "default" }, ...value("token") } as KubeObject,
    }],
    workload: [
      create(Widgets, "a", { spec: { secrets: [TOKEN, "s0"] } }),
      create(Widgets, "b", { spec: { secrets: ["s0", "s1"] } }),
      settle(),
      create(Secrets, "s0", value("first")),
      patch(Widgets, "b", { spec: { secrets: ["s2"] } }),
      settle(),
      create(Secrets, "s2", value("second")),
      patch(Secrets, "s0", value("later")),
      patch(Widgets, "b", { spec: { secrets: [TOKEN, ...names] } }),
      patch(Secrets, "s2", value("wide")),
      settle(),
      remove(Secrets, "s0"),
      patch(Widgets, "b", { spec: { secrets: ["s3"] } }),
      settle(),
      remove(Widgets, "b"),
      create(Secrets, "s0", value("again")),
      settle(),
      remove(Widgets, "a"),
      settle(),
      create(Widgets, "a", { spec: { secrets: ["s2", TOKEN] } }),
      patch(Secrets, "s2", value("last")),
      settle(),
    ],
    always: [
      ({ server }) =>
        server.objects(ConfigMaps, "default").every(({ data }) =>
          data?.[TOKEN] === undefined || data[TOKEN] === btoa("token")
        ) || "a Secret that exists looked absent",
    ],
  });
  const report = await sim.explore({ budget: { plans: scaled(PLANS), ms: Infinity } });
  assertClean(report);
  assert(report.plans > 0);
});

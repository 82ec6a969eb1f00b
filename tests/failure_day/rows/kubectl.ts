import { assert, assertEquals } from "@std/assert";
import { Client } from "../../../src/client/mod.ts";
import {
  applyAll,
  canI,
  cordon,
  deleteAll,
  diffAll,
  drain,
  evict,
  requestToken,
  rolloutHistory,
  rolloutRestart,
  rolloutStatus,
  rolloutUndo,
  scale,
  topNodes,
  topPods,
  uncordon,
  whoAmI,
} from "../../../src/kubectl/mod.ts";
import { installDefinitions } from "../../../src/operator/mod.ts";
import {
  ConfigMaps,
  defineResource,
  Deployments,
  type KubeObject,
  Nodes,
  Pods,
  ReplicaSets,
  type Resource,
  ServiceAccounts,
} from "../../../src/types/mod.ts";
import { ApiServer } from "../../../src/testing/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import * as maps from "./_config_maps.ts";
import * as pods from "./_pods.ts";
import { NO_FIELD, NO_FUNCTION, NO_OBJECT, NO_WRITE } from "./_reasons.ts";

const not = { ...NO_FUNCTION, ...NO_FIELD };
const web = { resource: Deployments, name: "web", namespace };

/** Creates a Deployment with two revisions. */
async function prepareRollout(client: Client): Promise<void> {
  const template = (image: string) => ({
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "main", image }] },
  });
  const selector = { matchLabels: { app: "web" } };
  const { metadata: { uid } } = await client.create(Deployments, {
    metadata: {
      name: "web",
      namespace,
      annotations: { "deployment.kubernetes.io/revision": "2" },
    },
    spec: { replicas: 1, selector, template: template("b") },
  });
  for (const [revision, image] of [["1", "a"], ["2", "b"]] as const) {
    await client.create(ReplicaSets, {
      metadata: {
        name: `web-${revision}`,
        namespace,
        labels: { app: "web" },
        annotations: { "deployment.kubernetes.io/revision": revision },
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid, controller: true },
        ],
      },
      spec: { selector, template: template(image) },
    });
  }
}

const rollouts = { prepare: prepareRollout, object: web, not } satisfies Partial<Row>;

/** A resource of the metrics API, here as a custom one. */
async function installMetrics(
  client: Client,
  kind: string,
  plural: string,
  namespaced: boolean,
): Promise<Resource<KubeObject>> {
  const group = "metrics.k8s.io";
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const annotations = { "api-approved.kubernetes.io": "unapproved, for tests" };
  await installDefinitions(client, [{
    metadata: { name: `${plural}.${group}`, annotations },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        { name: "v1beta1", served: true, storage: true, schema: { openAPIV3Schema } },
      ],
    },
  }]);
  return defineResource({ group, version: "v1beta1", kind, plural, namespaced });
}

/** The text of two ConfigMaps. */
function manifests({ version }: Pick<Day, "version">): string {
  const old = version === 1 ? ", old: x" : "";
  return ["a", "b"].map((name) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\n` +
    `data: { color: blue${old} }\n`
  ).join("---\n");
}

// The parser of YAML is loaded when it is first needed, and a virtual clock does not wait for that.
{
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  await diffAll(client, "\n");
}

/** The functions of `kubectl`. */
export const kubectl: readonly Row[] = [
  {
    name: "canI(), whoAmI() and requestToken()",
    covers: ["canI", "whoAmI", "requestToken"],
    prepare: async (client) => {
      await client.create(ServiceAccounts, { metadata: { name: "a", namespace } });
    },
    start: async ({ client, signal }) => {
      const question = { verb: "get", resource: ConfigMaps, namespace } as const;
      const { username } = await whoAmI(client, { signal });
      const { token } = await requestToken(client, { name: "a", namespace }, { signal });
      return [await canI(client, question, { signal }), username !== "", token !== ""];
    },
    normal: (_day, answers) => assertEquals(answers, [true, true, true]),
    object: { resource: ServiceAccounts, name: "a" },
    not: { ...NO_FUNCTION, ...NO_WRITE },
  },
  {
    name: "cordon() and uncordon()",
    covers: ["cordon", "uncordon"],
    prepare: pods.prepare,
    start: async ({ client, signal }) => {
      const { spec } = await cordon(client, "node", { signal });
      await uncordon(client, "node", { signal });
      return spec?.unschedulable;
    },
    normal: ({ server }, found) => {
      assertEquals(found, true);
      assertEquals(server.get(Nodes, "node")?.spec?.unschedulable ?? false, false);
    },
    object: { resource: Nodes, name: "node", namespace: "" },
    not,
  },
  {
    name: "drain() and evict()",
    covers: ["drain", "DrainOptions.onProgress", "evict"],
    prepare: async (client) => {
      await pods.prepare(client);
      await client.create(Pods, {
        metadata: { name: "b", namespace },
        spec: { nodeName: "other", containers: [{ name: "main", image: "i" }] },
      });
    },
    start: async (day) => {
      const { client, signal } = day;
      await evict(client, { name: "b", namespace }, { signal, gracePeriodSeconds: 0 });
      await drain(client, "node", {
        signal,
        force: true,
        gracePeriodSeconds: 0,
        timeoutMs: 300_000,
        onProgress: day.user("onProgress", () => {}),
      });
    },
    normal: ({ server }) => {
      assertEquals(server.get(Pods, "b", namespace), undefined);
      assertEquals(server.get(Nodes, "node")?.spec?.unschedulable, true);
    },
    limitMs: 310_000,
    object: pods.object,
    not: NO_FIELD,
  },
  {
    ...rollouts,
    name: "scale() and rolloutRestart()",
    covers: ["scale", "rolloutRestart"],
    start: async ({ client, signal }) => {
      await rolloutRestart(client, web, { signal });
      const { spec } = await scale(client, web, 3, { signal });
      return spec?.replicas;
    },
    normal: ({ server }, replicas) => {
      assertEquals(replicas, 3);
      assertEquals(server.get(Deployments, "web", namespace)?.spec?.replicas, 3);
    },
  },
  {
    ...rollouts,
    name: "rolloutHistory() and rolloutUndo()",
    covers: ["rolloutHistory", "rolloutUndo"],
    start: async ({ client, signal }) => {
      const revisions = await rolloutHistory(client, web, { signal });
      await rolloutUndo(client, web, { signal });
      return revisions.length;
    },
    normal: ({ server }, revisions) => {
      // The history of an object that was created again is not its own.
      if (revisions === 0) return;
      assertEquals(revisions, 2);
      const { spec } = server.get(Deployments, "web", namespace) ?? {};
      assertEquals(spec?.template?.spec?.containers[0]?.image, "a");
    },
  },
  {
    ...rollouts,
    name: "rolloutStatus()",
    covers: ["rolloutStatus"],
    start: async ({ admin, client, signal, time }) => {
      const counts = { replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 };
      const done = () =>
        void admin.get(Deployments, "web", { namespace }).then(({ metadata: { generation } }) =>
          admin.patchStatus(Deployments, "web", {
            status: { ...counts, observedGeneration: generation } as never,
          }, { namespace })
        ).catch(() => {});
      for (const ms of [1_000, 200_000]) time.setTimer(done, ms);
      const messages: string[] = [];
      for await (
        const { message } of rolloutStatus(client, web, { signal, timeoutMs: 300_000 })
      ) messages.push(message);
      return messages.at(-1);
    },
    normal: (_day, message) => assertEquals(message, "it is rolled out"),
    limitMs: 320_000,
    not: { ...NO_FUNCTION, ...NO_WRITE },
  },
  {
    name: "topPods() and topNodes()",
    covers: ["topPods", "topNodes"],
    prepare: async (client) => {
      await pods.prepare(client);
      const usage = { cpu: "1", memory: "1Mi" };
      const ofPods = await installMetrics(client, "PodMetrics", "pods", true);
      const ofNodes = await installMetrics(client, "NodeMetrics", "nodes", false);
      await client.create(ofPods, {
        metadata: { name: "a", namespace },
        containers: [{ name: "main", usage }],
      } as never);
      await client.create(ofNodes, { metadata: { name: "node" }, usage } as never);
    },
    start: async ({ client, signal }) => [
      (await topPods(client, { namespace, signal })).map(({ name }) => name),
      (await topNodes(client, { signal })).map(({ name }) => name),
    ],
    normal: (_day, names) => assertEquals(names, [["a"], ["node"]]),
    not: { ...NO_FUNCTION, ...NO_WRITE, ...NO_OBJECT },
  },
  {
    name: "applyAll(), diffAll() and deleteAll()",
    covers: ["applyAll", "ApplyAllOptions.onProgress", "diffAll", "deleteAll"],
    prepare: maps.prepare,
    start: async (day) => {
      const { client, signal } = day;
      const onProgress = day.user("onProgress", () => {});
      await diffAll(client, manifests(day), { force: true, signal });
      await applyAll(client, manifests(day), { force: true, onProgress, signal });
      await deleteAll(
        client,
        [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace } }],
        { signal },
      );
    },
    normal: ({ server }) => {
      for (const name of ["a", "b"]) {
        assertEquals(server.get(ConfigMaps, name, namespace)?.data?.color, "blue");
      }
      assert(server.get(ConfigMaps, "c", namespace) === undefined);
    },
    written: ({ server }) => server.objects(ConfigMaps, namespace),
    limitMs: 400_000,
    not: { recreated: "applies and deletes by name what is there, as it is told" },
  },
];

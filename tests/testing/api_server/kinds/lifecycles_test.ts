/**
 * Differences between kinds in the life of an object, as a real server answers: updates, status, warnings, preconditions
 * and deletions.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";

const NS = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const SERVICES = `${NS}/services`;
const MERGE = { "content-type": "application/merge-patch+json" };
const TEMPLATE = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const WORKLOAD = { selector: { matchLabels: { app: "a" } }, template: TEMPLATE };

const patch = (cluster: Cluster, path: string, body: unknown) =>
  cluster.call("PATCH", path, body, MERGE);

/** Returns the fields that the causes of an answer name. */
function causes({ json }: { json: { details: { causes: { field: string }[] } } }): string[] {
  return json.details.causes.map(({ field }) => field);
}

Deno.test("a dry run of a create does not reach the storage, which refuses a resource version", async () => {
  await using cluster = new Cluster();
  const map = { metadata: { name: "a", resourceVersion: "5" } };
  const dry = await cluster.call("POST", `${NS}/configmaps?dryRun=All`, map);
  assertEquals([dry.status, dry.json.metadata.resourceVersion], [201, "5"]);
  assertEquals((await cluster.call("POST", `${NS}/configmaps`, map)).status, 500);
});

Deno.test("a changed uid is one error, also of the kinds that look at the metadata", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", `${NS}/configmaps`, { metadata: { name: "a" } });
  await cluster.call("POST", `${NS}/limitranges`, { metadata: { name: "a" } });
  const uid = { metadata: { uid: "other" } };
  assertEquals(causes(await patch(cluster, `${NS}/configmaps/a`, uid)), ["metadata.uid"]);
  assertEquals(causes(await patch(cluster, `${NS}/limitranges/a`, uid)), ["metadata.uid"]);
});

Deno.test("labels of an EndpointSlice count as a change of it, its annotations do not", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", SLICES, { metadata: { name: "a" }, addressType: "IPv4" });
  const generation = async (metadata: object) =>
    (await patch(cluster, `${SLICES}/a`, { metadata })).json.metadata.generation;
  assertEquals(await generation({ annotations: { a: "1" } }), 1);
  assertEquals(await generation({ labels: { a: "1" } }), 2);
});

Deno.test("a write of the status keeps the template generation of a DaemonSet", async () => {
  await using cluster = new Cluster();
  const set = { metadata: { name: "d" }, spec: WORKLOAD };
  await cluster.call("POST", `${APPS}/daemonsets`, set);
  const { json } = await cluster.call("PUT", `${APPS}/daemonsets/d/status`, set);
  assertEquals(json.metadata.annotations, { "deprecated.daemonset.template.generation": "1" });
});

Deno.test("a write of the status keeps the time of the last phase of a PersistentVolume", async () => {
  await using cluster = new Cluster();
  const path = "/api/v1/persistentvolumes";
  const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
  const volume = { metadata: { name: "v" }, spec: { ...spec, hostPath: { path: "/x" } } };
  const created = (await cluster.call("POST", path, volume)).json;
  const { json } = await cluster.call("PUT", `${path}/v/status`, volume);
  assertEquals(json.status, created.status);
});

Deno.test("warnings for a Pod template come when it is new or the spec changes", async () => {
  await using cluster = new Cluster();
  const path = `${APPS}/replicasets`;
  const nodeSelector = { "beta.kubernetes.io/os": "linux" };
  const template = { ...TEMPLATE, spec: { ...TEMPLATE.spec, nodeSelector } };
  const set = { metadata: { name: "a.b" }, spec: { ...WORKLOAD, template } };
  const warnings = async (method: string, at: string, body: unknown) =>
    (await cluster.call(method, at, body, method === "PATCH" ? MERGE : {})).headers.get("warning");
  const old =
    '299 - "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \\"kubernetes.io/os\\" instead"';
  const name =
    '299 - "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"';
  assertEquals(await warnings("POST", path, set), `${name}, ${old}`);
  assertEquals(await warnings("PATCH", `${path}/a.b`, { metadata: { labels: { a: "b" } } }), null);
  assertEquals(await warnings("PATCH", `${path}/a.b`, { spec: { replicas: 3 } }), old);
});

Deno.test("the deletion of a Job warns before it looks for the Job", async () => {
  await using cluster = new Cluster();
  const path = "/apis/batch/v1/namespaces/default/jobs/absent";
  const { headers, status } = await cluster.call("DELETE", path);
  assertEquals([status, headers.get("warning")?.slice(0, 42)], [
    404,
    '299 - "child pods are preserved by default',
  ]);
});

Deno.test("Events get no finalizers for the garbage collector, Namespaces do", async () => {
  await using cluster = new Cluster();
  const metadata = { finalizers: ["a.b/c"] };
  const foreground = { propagationPolicy: "Foreground" };
  const event = { metadata: { name: "e", ...metadata }, involvedObject: { namespace: "default" } };
  await cluster.call("POST", `${NS}/events`, event);
  await cluster.call("POST", "/api/v1/namespaces", { metadata: { name: "n", ...metadata } });
  const finalizers = async (path: string) =>
    (await cluster.call("DELETE", path, foreground)).json.metadata.finalizers;
  assertEquals(await finalizers(`${NS}/events/e`), ["a.b/c"]);
  assertEquals(await finalizers("/api/v1/namespaces/n"), ["a.b/c", "foregroundDeletion"]);
});

Deno.test("conflicts name the place in the storage of a real server", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", "/api/v1/nodes", { metadata: { name: "n" } });
  const { json } = await cluster.call("PUT", "/api/v1/nodes/n", {
    metadata: { name: "n", uid: "other" },
  });
  assertEquals(/Key: (\S+),/.exec(json.message)?.[1], "/registry/minions/n");
});

Deno.test("a LimitRange without a name is named by the server", async () => {
  await using cluster = new Cluster();
  const { json } = await cluster.call("POST", `${NS}/limitranges`, { metadata: {} });
  assertEquals(json.metadata.name.length, 36);
});

Deno.test("the conditions of a PodDisruptionBudget need a time and a reason", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", BUDGETS, { metadata: { name: "p" }, spec: { selector: {} } });
  const status = { conditions: [{ type: "a b", status: "No", observedGeneration: -1 }] };
  const answer = await patch(cluster, `${BUDGETS}/p/status`, { status });
  assertEquals(
    causes(answer),
    ["type", "status", "observedGeneration", "lastTransitionTime", "reason"]
      .map((name) => `status.conditions[0].${name}`),
  );
});

Deno.test("a headless Service keeps its family policy when an update leaves its selector out", async () => {
  await using cluster = new Cluster();
  const spec = { selector: { a: "b" }, clusterIP: "None" };
  await cluster.call("POST", SERVICES, { metadata: { name: "s" }, spec });
  const { json } = await patch(cluster, `${SERVICES}/s`, { spec: null });
  assertEquals([json.spec.ipFamilyPolicy, json.spec.ipFamilies], ["SingleStack", ["IPv4"]]);
});

Deno.test("an APIService without a Service is available, and its update needs a version", async () => {
  await using cluster = new Cluster();
  const path = "/apis/apiregistration.k8s.io/v1/apiservices";
  const spec = { group: "b.c", version: "v1", groupPriorityMinimum: 100, versionPriority: 10 };
  const body = { metadata: { name: "v1.b.c" }, spec };
  const { json } = await cluster.call("POST", path, body);
  assertEquals(json.status.conditions[0].reason, "Local");
  const { json: refused } = await cluster.call("PUT", `${path}/v1.b.c`, body);
  assertEquals(
    refused.message,
    'apiservices.apiregistration.k8s.io "v1.b.c" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
});

Deno.test("a list of one name has no further page", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b"]) {
    await cluster.call("POST", `${NS}/configmaps`, { metadata: { name } });
  }
  const query = "fieldSelector=metadata.name%3Da&limit=1";
  const { json } = await cluster.call("GET", `${NS}/configmaps?${query}`);
  assertEquals([json.items.length, json.metadata.continue], [1, undefined]);
});

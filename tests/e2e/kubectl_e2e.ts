import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client, loadConfig, NoMatchError } from "@kubeloop/controller/client";
import {
  applyAll,
  type ApplyAllOptions,
  ApplyError,
  canI,
  cordon,
  deleteAll,
  diffAll,
  drain,
  evict,
  requestToken,
  rolloutRestart,
  scale,
  topPods,
  uncordon,
  whoAmI,
} from "@kubeloop/kubectl";
import {
  ConfigMaps,
  defineResource,
  Deployments,
  type KubeObject,
  Nodes,
  Pods,
  resourceName,
  ServiceAccounts,
} from "@kubeloop/controller/types";
import { World } from "./world.ts";

const HERE = new URL("../testdata/manifests/", import.meta.url);

const Budgets = defineResource<KubeObject & { spec?: object; status?: object }>({
  group: "policy",
  version: "v1",
  plural: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
});

/** Reads the files of a folder of manifests, in the order of their names. */
async function manifests(): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(HERE))).map(({ name }) => name).sort();
  return await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, HERE))));
}

Deno.test("what kubectl does, on a real API server", async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  const call = { namespace };
  const statuses = async (input: string[], options: ApplyAllOptions = {}) =>
    (await applyAll(client, input, { namespace, ...options })).map(({ kind, name, status }) =>
      `${kind} ${name} ${status}`
    );

  await t.step("resourceFor() reads the discovery of the server", async () => {
    for (
      const [text, expected] of [
        ["po", "pods"],
        ["deploy.apps", "deployments.apps"],
        ["hpa", "horizontalpodautoscalers.autoscaling"],
        ["ev", "events"],
        ["crds", "customresourcedefinitions.apiextensions.k8s.io"],
      ] as const
    ) assertEquals(resourceName(await client.resourceFor(text)), expected);
    const all = await client.resourcesFor("all");
    assert(all.some((one) => resourceName(one) === "jobs.batch"));
    const error = await assertRejects(() =>
      client.resourceFor({ apiVersion: "apps/v1", kind: "Deploymnt" })
    );
    assert(NoMatchError.is(error));
    const { subresources } = await client.resourceFor("deploy");
    assertEquals([...subresources].sort(), ["scale", "status"]);
  });

  await t.step(
    "a folder of manifests is applied twice, and the second time nothing changes",
    async () => {
      const input = await manifests();
      const dry = await applyAll(client, input, { namespace, dryRun: true });
      assertEquals(dry.map(({ status }) => status), dry.map(() => "created"));
      const unchecked = dry.filter((one) => one.unchecked !== undefined);
      assertEquals(unchecked.map(({ kind }) => kind).sort(), ["ConfigMap", "Gizmo"]);
      const first = await statuses(input);
      assertEquals(first.filter((line) => !line.endsWith(" created")), []);
      assertEquals(first.slice(0, 2), [
        "Namespace kubeloop-e2e-manifests created",
        "CustomResourceDefinition gizmos.kubeloop.example created",
      ]);
      const second = await statuses(input);
      assertEquals(second, first.map((line) => line.replace(/created$/, "unchanged")));
      const again = await applyAll(client, input, { namespace, dryRun: true });
      assertEquals(again.filter(({ status }) => status !== "unchanged"), []);
      assertEquals((await diffAll(client, input, call)).filter(({ text }) => text !== ""), []);
      const changed = input.map((text) =>
        text.replace("replicas: 2", "replicas: 3").replace("color: red", "color: blue")
      );
      const changes = (await diffAll(client, changed, call)).flatMap(({ changes }) => changes);
      assertEquals(changes, [
        { path: "data.color", before: "red", after: "blue" },
        { path: "spec.replicas", before: 2, after: 3 },
      ]);
    },
  );

  await t.step("deleteAll() deletes all of it", async () => {
    const results = await deleteAll(client, await manifests(), call);
    assertEquals(results.filter(({ status }) => status !== "deleted"), []);
  });

  await t.step("an apply set is pruned", async () => {
    const map = (name: string) =>
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {a: b}}`;
    const options = { applySet: { name: "set" }, prune: true };
    assertEquals(await statuses([map("a"), map("b")], options), [
      "ConfigMap a created",
      "ConfigMap b created",
    ]);
    assertEquals(await statuses([map("b")], { ...options, dryRun: true }), [
      "ConfigMap b unchanged",
      "ConfigMap a pruned",
    ]);
    assertEquals(await statuses([map("b")], options), [
      "ConfigMap b unchanged",
      "ConfigMap a pruned",
    ]);
    assertEquals(await statuses([map("b")], options), ["ConfigMap b unchanged"]);
    const { items } = await client.list(ConfigMaps, call);
    assertEquals(items.map(({ metadata }) => metadata.name), ["b", "set"]);
  });

  await t.step("two appliers at once: one fails on the field of the other", async () => {
    const map = (owner: string) =>
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: shared}, data: {owner: ${owner}}}`;
    const outcomes = await Promise.allSettled(
      ["ann", "bob"].map((fieldManager) => statuses([map(fieldManager)], { fieldManager })),
    );
    const failed = outcomes.flatMap((one) => one.status === "rejected" ? [one.reason] : []);
    assertEquals(failed.length, 1);
    assert(ApplyError.is(failed[0]));
    assertStringIncludes(failed[0].message, ".data.owner");
    assertEquals(await statuses([map("cay")], { fieldManager: "cay", force: true }), [
      "ConfigMap shared configured",
    ]);
  });

  await t.step("500 objects", async () => {
    const objects = Array.from({ length: 500 }, (_, i) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `c${i}` },
      data: { i: String(i) },
    }));
    const results = await applyAll(client, objects, { namespace, concurrency: 16 });
    assertEquals(results.every(({ status }) => status === "created"), true);
  });

  await t.step("scale, restart, cordon", async () => {
    const metadata = { name: "web", namespace };
    const selector = { matchLabels: { app: "web" } };
    const template = {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    };
    const web = await client.create(Deployments, { metadata, spec: { selector, template } });
    assertEquals((await scale(client, web, 3, { currentReplicas: 1 })).spec?.replicas, 3);
    await assertRejects(
      () => scale(client, web, 5, { currentReplicas: 1 }),
      Error,
      "it wants 3 now",
    );
    assertEquals((await scale(client, web, 0)).spec, {});
    await rolloutRestart(client, web);
    const node = `n-${namespace}`;
    await client.create(Nodes, { metadata: { name: node } });
    assertEquals((await cordon(client, node)).spec?.unschedulable, true);
    assertEquals((await uncordon(client, node)).spec?.unschedulable, undefined);
  });

  await t.step("evict() and drain() respect a budget", async () => {
    const node = `n-${namespace}`;
    const labels = { app: "evicted" };
    const pod = async (name: string) => {
      const spec = { nodeName: node, containers: [{ name: "main", image: "nginx" }] };
      await client.create(Pods, { metadata: { name, namespace, labels }, spec });
      return await client.patchStatus(Pods, name, {
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      }, call);
    };
    const first = await pod("p1");
    const spec = { minAvailable: 1, selector: { matchLabels: labels } };
    await client.create(Budgets, { metadata: { name: "pdb", namespace }, spec });
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    };
    await client.patchStatus(Budgets, "pdb", { status }, call);
    const late = await assertRejects(() => evict(client, first, { timeoutMs: 2000 }), DOMException);
    assertStringIncludes(late.message, "was not evicted within 2000 ms: Cannot evict pod");
    const stuck = await assertRejects(
      () => drain(client, node, { force: true, timeoutMs: 2000 }),
      AggregateError,
    );
    assertStringIncludes(
      stuck.message,
      `Pod ${namespace}/p1: Node ${node} was not drained within 2000 ms`,
    );
    await client.patchStatus(Budgets, "pdb", { status: { disruptionsAllowed: 1 } }, call);
    // There is no kubelet: the Pod is gone as soon as the test deletes it without a grace period.
    const draining = drain(client, node, { force: true, timeoutMs: 60_000 });
    await client.waitFor(
      Pods,
      "p1",
      (found) => found?.metadata.deletionTimestamp !== undefined,
      call,
    );
    await client.delete(Pods, "p1", { ...call, gracePeriodSeconds: 0 });
    assertEquals((await draining).map(({ metadata }) => metadata.name), ["p1"]);
    assertEquals(await evict(client, first), "gone");
  });

  await t.step("canI(), whoAmI(), requestToken(), topPods()", async () => {
    assert(await canI(client, { verb: "delete", resource: Pods, namespace }));
    const me = await whoAmI(client);
    assert(me.groups.includes("system:authenticated"));
    await client.create(ServiceAccounts, { metadata: { name: "robot", namespace } });
    const account = { name: "robot", namespace };
    const { token, expirationTimestamp } = await requestToken(client, account, {
      expirationSeconds: 900,
    });
    assert(Date.parse(expirationTimestamp) > Date.now() + 600_000);
    const config = await loadConfig({ kubeconfig: world.kubeconfig });
    const { certData: _c, keyData: _k, token: _t, ...server } = config;
    await using robot = new Client({ ...server, token });
    assertEquals((await whoAmI(robot)).username, `system:serviceaccount:${namespace}:robot`);
    assertEquals(await canI(robot, { verb: "delete", resource: Pods, namespace }), false);
    await assertRejects(() => topPods(client), Error, "is a metrics server installed in it?");
  });
});

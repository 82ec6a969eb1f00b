import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { Pods } from "@kubeloop/controller/types";
import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
import { defineResource, Deployments, type KubeObject } from "@kubeloop/controller/types";

const BASE = "http://cluster/apis/metrics.k8s.io";

async function read(
  server: ApiServer,
  url: string,
  init?: RequestInit,
): Promise<[number, unknown]> {
  const response = await server.fetch(url, init);
  const isJson = response.headers.get("content-type") === "application/json";
  return [response.status, isJson ? await response.json() : await response.text()];
}

Deno.test("metrics.k8s.io is there as soon as a number is set, as of a metrics server", async () => {
  await using server = new ApiServer({ clock: new VirtualClock() });
  const groups = async () => {
    const [, answer] = await read(server, "http://cluster/apis");
    return (answer as { groups: { name: string }[] }).groups.map(({ name }) => name);
  };
  assertEquals((await groups()).includes("metrics.k8s.io"), false);
  assertEquals(await read(server, `${BASE}/v1beta1/pods`), [404, "404 page not found\n"]);
  server.metrics.setNode("n1", { cpu: "1", memory: "1Gi" });
  assertEquals((await groups()).at(-1), "metrics.k8s.io");
  const [, list] = await read(server, `${BASE}/v1beta1`);
  assertEquals(list, {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: "metrics.k8s.io/v1beta1",
    resources: [
      {
        name: "nodes",
        singularName: "",
        namespaced: false,
        kind: "NodeMetrics",
        verbs: ["get", "list"],
      },
      {
        name: "pods",
        singularName: "",
        namespaced: true,
        kind: "PodMetrics",
        verbs: ["get", "list"],
      },
    ],
  });
  assertEquals((await server.fetch("http://cluster/openapi/v3")).status, 200);
  assertEquals((await server.fetch("http://cluster/openapi/v2")).status, 200);
});

Deno.test("Pods have the labels and the container of the stored Pod", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  await clock.run(client.create(Pods, {
    metadata: { name: "web", namespace: "default", labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  }));
  const usage = { cpu: "100m", memory: "64Mi" };
  server.metrics.setPod("default/web", usage);
  server.metrics.setPod("default/zoo", { containers: { a: usage, b: usage } });
  const path = `${BASE}/v1beta1/namespaces/default/pods`;
  const [status, pod] = await read(server, `${path}/web`);
  const { metadata, ...rest } = pod as { metadata: Record<string, unknown> };
  assertEquals([status, metadata["name"], metadata["labels"]], [200, "web", { app: "web" }]);
  assertEquals({ ...rest, timestamp: "" }, {
    kind: "PodMetrics",
    apiVersion: "metrics.k8s.io/v1beta1",
    timestamp: "",
    window: "15s",
    containers: [{ name: "main", usage }],
  });
  const names = async (url: string) => {
    const [, list] = await read(server, url);
    return (list as { items: { metadata: { name: string } }[] }).items.map((one) =>
      one.metadata.name
    );
  };
  assertEquals(await names(path), ["web", "zoo"]);
  assertEquals(await names(`${path}?labelSelector=app%3Dweb`), ["web"]);
  assertEquals(await names(`${BASE}/v1beta1/namespaces/other/pods`), []);
  assertEquals(await names(`${BASE}/v1beta1/nodes`), []);
  for (
    const [url, method, expected] of [
      [`${path}/nobody`, "GET", 404],
      [path, "DELETE", 405],
      [`${BASE}/v1/pods`, "GET", 404],
      [`${BASE}/v1beta1/services`, "GET", 404],
      [`${BASE}/v1beta1/namespaces/default/nodes`, "GET", 404],
      [`${BASE}/v1beta1/pods/web`, "GET", 404],
      [`${path}?labelSelector=%21%21`, "GET", 400],
    ] as const
  ) assertEquals((await read(server, url, { method }))[0], expected, url);
  server.metrics.setPod("default/web", undefined);
  assertEquals(await names(path), ["zoo"]);
});

Deno.test("invalid quantities and keys are refused", async () => {
  await using server = new ApiServer();
  const { metrics } = server;
  assertThrows(
    () => metrics.setPod("web", { cpu: "1", memory: "1" }),
    TypeError,
    "the key of a Pod",
  );
  assertThrows(
    () => metrics.setPod("a/b", { cpu: "lots", memory: "1" }),
    TypeError,
    "The cpu of a/b",
  );
  assertThrows(() => metrics.setNode("n", { cpu: "1" } as never), TypeError, "The memory of n");
  assertThrows(
    () => metrics.setNode("", { cpu: "1", memory: "1" }),
    TypeError,
    "the name of a Node",
  );
  assertEquals(metrics.isServed, false);
});

Deno.test("A HorizontalPodAutoscaler of the actors scales by the same numbers", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  await using _actors = startActors(server);
  const namespace = "default";
  await clock.run(client.create(Deployments, {
    metadata: { name: "web", namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "main", image: "nginx" }] },
      },
    },
  }));
  const Autoscalers = defineResource<KubeObject & { spec?: object }>({
    group: "autoscaling",
    version: "v2",
    plural: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    namespaced: true,
  });
  await clock.run(client.create(Autoscalers, {
    metadata: { name: "web", namespace },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 5,
      metrics: [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "AverageValue", averageValue: "100m" } },
      }],
    },
  }));
  await clock.advance(30_000);
  const [pod] = server.objects(Pods, namespace);
  server.metrics.setPod(`default/${pod?.metadata.name}`, {
    containers: { main: { cpu: "200m", memory: "1Mi" }, side: { cpu: "100m", memory: "1Mi" } },
  });
  await clock.advance(60_000);
  assertEquals(server.get(Deployments, "web", namespace)?.spec?.replicas, 3);
});

Deno.test("metrics are listed in order, selected by namespace and label, and added up", async () => {
  await using server = new ApiServer({ clock: new VirtualClock() });
  const usage = { cpu: "1", memory: "1Gi" };
  for (const name of ["n2", "n1", "n3"]) server.metrics.setNode(name, usage);
  for (const key of ["b/y", "a/z", "a/x", "ab/x"]) server.metrics.setPod(key, usage);
  server.metrics.setPod("a/two", {
    containers: { c: { cpu: "100m", memory: "1Mi" }, d: { cpu: "1", memory: "1Ki" } },
  });
  const names = async (path: string) => {
    const [, list] = await read(server, `${BASE}/v1beta1/${path}`);
    return (list as { items: { metadata: { name: string } }[] }).items.map((one) =>
      one.metadata.name
    );
  };
  assertEquals(await names("nodes"), ["n1", "n2", "n3"]);
  assertEquals(await names("pods"), ["two", "x", "z", "x", "y"]);
  assertEquals(await names("namespaces/a/pods"), ["two", "x", "z"]);
  assertEquals(await names("namespaces/a/pods?labelSelector=x"), []);
  const [, node] = await read(server, `${BASE}/v1beta1/nodes/n1`);
  assertEquals((node as { kind: string; usage: unknown }).usage, usage);
  const [, pod] = await read(server, `${BASE}/v1beta1/namespaces/a/pods/two`);
  assertEquals((pod as { containers: unknown }).containers, [
    { name: "c", usage: { cpu: "100m", memory: "1Mi" } },
    { name: "d", usage: { cpu: "1", memory: "1Ki" } },
  ]);
  const { metrics } = server;
  assertEquals(
    [metrics.valueOf("a/x", "cpu"), metrics.valueOf("a/x", "memory", "any")],
    ["1", "1Gi"],
  );
  assertEquals(metrics.valueOf("a/two", "cpu", "c"), "100m");
  assertEquals(metrics.valueOf("a/two", "cpu", "none"), undefined);
  assertEquals(metrics.valueOf("a/two", "cpu"), "1100000000n");
  assertEquals([metrics.valueOf("a/x", "disk"), metrics.valueOf("a/none", "cpu")], [
    undefined,
    undefined,
  ]);
  for (
    const [path, status] of [
      ["v1beta1/pods/x", 404],
      ["v1beta1/namespaces/a/nodes", 404],
      ["v1/pods", 404],
      ["v1beta1/namespaces/a/pods/x/status", 404],
      ["v1beta1/nodes/none", 404],
      ["v1beta1/pods?labelSelector=(", 400],
    ] as const
  ) assertEquals((await read(server, `${BASE}/${path}`))[0], status, path);
  assertEquals((await read(server, `${BASE}/v1beta1/pods`, { method: "POST" }))[0], 405);
  const protobuf = "application/vnd.kubernetes.protobuf";
  for (
    const [accept, status] of [[protobuf, 406], [`${protobuf}, application/json`, 200]] as const
  ) {
    assertEquals((await read(server, `${BASE}/v1beta1/pods`, { headers: { accept } }))[0], status);
  }
});

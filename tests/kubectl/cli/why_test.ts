import { Deployments, Events, Manager, Pods, ReplicaSets } from "@kubeloop/controller";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { managerPlace, reportOf } from "../../../src/kubectl/cli/why/mod.ts";
import { cli, SERVER } from "./_cli.ts";
import { namespace, World } from "./_world.ts";

const CONTAINER = {
  name: "main",
  ready: false,
  restartCount: 3,
  image: "nginx",
  imageID: "",
  state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s" } },
  lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } },
};

Deno.test("kubeloop why prints the owners, conditions, managers and Events of an object", async () => {
  await using world = new World();
  const { client, clock } = world;
  const deployment = await world.deployment("web");
  const ownerOf = (kind: string, { metadata }: { metadata: { name?: string; uid?: string } }) => ({
    apiVersion: "apps/v1",
    kind,
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    controller: true,
  });
  const { replicas, selector, template } = deployment.spec ?? {};
  const set = await world.until(client.create(ReplicaSets, {
    metadata: { name: "web-1", ownerReferences: [ownerOf("Deployment", deployment)] },
    spec: { replicas, selector, template },
  } as never, { namespace }));
  await world.until(client.create(Pods, {
    metadata: { name: "web", ownerReferences: [ownerOf("ReplicaSet", set)] },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  }, { namespace }));
  await clock.advance(60_000);
  const conditions = [{ type: "Ready", status: "False" as const, reason: "ContainersNotReady" }];
  await world.until(client.patchStatus(Pods, "web", {
    status: { phase: "Running", conditions, containerStatuses: [CONTAINER] },
  } as never, { namespace, fieldManager: "kubelet" }));
  const { metadata } = await world.until(client.get(Pods, "web", { namespace }));
  await world.until(client.create(Events, {
    metadata: { name: "web.1" },
    involvedObject: { kind: "Pod", name: "web", namespace, uid: metadata.uid },
    type: "Warning",
    reason: "BackOff",
    message: "Back-off\u001b[2J restarting",
    count: 12,
    source: { component: "kubelet" },
    lastTimestamp: "2026-01-01T00:00:00Z",
  } as never, { namespace }));
  await clock.advance(60_000);

  const { code, stdout, stderr } = await world.run(["why", "po/web"]);
  assertEquals([code, stderr], [0, []]);
  const lines = stdout.split("\n");
  assertEquals(lines.slice(0, 10), [
    "Pod default/web, created 2m ago, generation 1",
    "Owned by",
    "  ReplicaSet web-1, of Deployment web",
    "Not as it should be",
    "  Ready=False: ContainersNotReady",
    "  container main waits: CrashLoopBackOff: back-off 40s",
    "  container main restarted 3 times, last after exit code 137: OOMKilled",
    "Written by",
    "  1m ago, kubelet (status), Update: status.conditions[type=Ready].{lastProbeTime," +
    "lastTransitionTime,reason,status,type}, status.{containerStatuses,phase}",
    lines[9] ?? "",
  ]);
  assertStringIncludes(lines[9] ?? "", "  2m ago, kubeloop, Update: ");
  assertEquals(lines[10], "Events");
  assertStringIncludes(
    lines[11] ?? "",
    "Warning BackOff, 12 times (kubelet): Back-off\\u001b[2J restarting",
  );

  const json = JSON.parse((await world.run(["why", "po/web", "-o", "json"])).stdout);
  assertEquals(json.owners.map((owner: { name: string }) => owner.name), [
    "ReplicaSet web-1",
    "Deployment web",
  ]);
});

Deno.test("kubeloop why with a field prints its value and all of its managers", async () => {
  await using world = new World();
  const { client } = world;
  await world.deployment("web");
  for (const [fieldManager, replicas] of [["scaler", 5], ["gitops", 5]] as const) {
    await world.until(client.apply(Deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { replicas },
    } as never, { namespace, fieldManager, force: true }));
  }
  const { stdout } = await world.run(["why", "deploy/web", "spec.replicas"]);
  const lines = stdout.split("\n");
  assertEquals(lines[1], "spec.replicas = 5");
  assertEquals(lines.filter((line) => line.includes(", Apply")), [
    "  0s ago, scaler, Apply: spec.replicas",
    // The entry has no time, because the apply has changed nothing.
    "  gitops, Apply: spec.replicas",
  ]);
  assertEquals(lines.slice(-3), ["Written by several, who may fight", "  spec.replicas", ""]);
  const nobody = await world.run(["why", "deploy/web", "spec.paused"]);
  assertStringIncludes(nobody.stdout, "spec.paused = (not set)");
  assertStringIncludes(nobody.stderr[0] ?? "", "no field manager has written spec.paused");
});

Deno.test("kubeloop why prints a note for owners and Events that it may not read", async () => {
  await using world = new World();
  await world.pod("web");
  const fetch: typeof world.server.fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input, init).url);
    const message = "no events";
    const refusal = { kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message };
    return pathname.endsWith("/events")
      ? Response.json(refusal, { status: 403 })
      : await world.server.fetch(input, init);
  };
  const { code, stdout, stderr } = await world.run(["why", "pods/web"], { fetch });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Pod default/web");
  assertEquals(stderr.length, 1);
  assertStringIncludes(stderr[0] ?? "", "note: the Events are not known: no events");
});

Deno.test("kubeloop why --manager reads the reconciles of a Manager, by URL and through the API server", async () => {
  await using world = new World();
  const { client, clock, server } = world;
  const manager = new Manager(client, { name: "labels" });
  manager.controller(Pods, { name: "labeler" }).reconcile(async ({ object, client, signal }) => {
    if (object.metadata.labels?.seen !== undefined) return;
    const { name, namespace } = object.metadata;
    const patch = { metadata: { labels: { seen: "yes" } } };
    await client.patch(Pods, name, patch, { namespace, signal });
  });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await clock.advance(1000);
  await world.pod("web", { app: "labels" });
  await clock.advance(1000);

  const paths: string[] = [];
  const fetch: typeof server.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, port, search } = new URL(request.url);
    const proxy = "/proxy/debug/reconciles";
    if (port !== "8080" && !pathname.endsWith(proxy)) return await server.fetch(input, init);
    paths.push(pathname);
    assertEquals(request.headers.get("authorization"), null);
    return await manager.handler(new Request(`http://pod/debug/reconciles${search}`));
  };
  const url = "http://127.0.0.1:8080";
  const all = await clock.run(cli(["why", "--manager", url], { fetch, clock }));
  assertEquals([all.code, all.stderr], [0, []]);
  assertStringIncludes(all.stdout, "labeler default/web: success");
  assertStringIncludes(all.stdout, "because pods default/web was added");
  assertStringIncludes(all.stdout, "PATCH /api/v1/namespaces/default/pods/web: 200");

  const about = await world.run(["why", "pods/web", "-m", url], { fetch });
  assertStringIncludes(about.stdout, "Reconciles\n");
  assertStringIncludes(about.stdout, "  because pods default/web was added");
  await world.pod("other");
  const other = await world.run(["why", "pods/other", "-m", url], { fetch });
  assertStringIncludes(other.stdout, "because pods default/other was added");
  assertEquals(other.stdout.includes("default/web"), false);

  const status = { phase: "Running" as const };
  await world.until(client.patchStatus(Pods, "web", { status }, { namespace }));
  await world.deployment("labels");
  const proxied = await world.run(["why", "-m", "deploy/labels:9090", "--limit", "1"], { fetch });
  assertEquals([proxied.code, proxied.stderr], [0, []]);
  assertEquals(proxied.stdout.match(/^\S+ labeler /gm)?.length, 1);
  assertEquals(paths.at(-1), "/api/v1/namespaces/default/pods/web:9090/proxy/debug/reconciles");
  const none = await world.run(["why", "-m", url, "--controller", "other"], { fetch });
  assertEquals([none.code, none.stdout], [0, ""]);

  const page = () => Promise.resolve(new Response("<html>hello"));
  const wrong = await cli(["why", "--manager", url], { fetch: page });
  assertEquals(wrong.code, 1);
  assertStringIncludes(wrong.stderr[0] ?? "", "does a kubeloop Manager serve /debug/reconciles");
  stop.abort();
  await clock.run(running);
});

Deno.test("kubeloop why --manager sends the token of --token-file to an https address, and to no other", async () => {
  const sent: (string | null)[] = [];
  const fetch = (input: Request | URL | string, init?: RequestInit) => {
    sent.push(new Request(input, init).headers.get("authorization"));
    return Promise.resolve(Response.json({ stories: [], dropped: 0 }));
  };
  for (const scheme of ["https", "http"]) {
    const args = ["--manager", `${scheme}://10.0.0.1:8443`, "--token-file", "/token"];
    const { code, stderr } = await cli(["why", ...args], {
      fetch,
      files: { "/token": "reader\n" },
    });
    assertEquals([code, stderr], [0, ["There are no such reconciles"]]);
  }
  assertEquals(sent, ["Bearer reader", null]);
});

Deno.test("kubeloop why rejects wrong usage", async () => {
  for (
    const args of [
      [],
      ["pods"],
      ["pods/a", "b", "c"],
      ["pods/a", "--limit", "0"],
      ["pods/a", "--limit", "x"],
      ["--manager", "http://"],
      ["--manager", "a/b/c/d"],
      ["--manager", "A b"],
    ]
  ) {
    assertEquals((await cli(["why", ...args, ...SERVER])).code, 2, args.join(" "));
  }
});

Deno.test("managerPlace() parses URLs, Pods and workloads", () => {
  const place = (namespace: string | undefined, type: string, name: string, port = 8080) => ({
    namespace,
    type,
    name,
    port,
  });
  assertEquals(managerPlace("web-1"), place(undefined, "pods", "web-1"));
  assertEquals(managerPlace("deploy/web:1"), place(undefined, "deploy", "web", 1));
  assertEquals(managerPlace("ns/deploy.apps/web"), place("ns", "deploy.apps", "web"));
  assertEquals(managerPlace("http://h:1/x"), { url: new URL("http://h:1/x") });
});

Deno.test("reportOf() accepts invalid objects and Events", () => {
  const odd = [undefined, null, 1, "x", [], {}, [null], [{}], [[]]];
  for (const value of odd) {
    const report = reportOf({
      object: {
        kind: "Pod",
        metadata: {
          name: "a",
          uid: "1",
          resourceVersion: "1",
          managedFields: value,
          ownerReferences: value,
          annotations: value,
        },
        status: { conditions: value, containerStatuses: value, observedGeneration: value },
      } as never,
      owners: [],
      events: [value, { series: value, source: value, metadata: value, count: value }],
      stories: [],
      wallMs: 0,
    });
    assertEquals(report.object, "Pod a");
    // None of these values names a field.
    assertEquals(report.writers.flatMap(({ fields }) => fields), []);
  }
});

import { assertEquals } from "@std/assert";
import { Client, Nodes, Pods, type Resource } from "../../../../mod.ts";
import { silentLogger } from "../../../../src/base/mod.ts";
import type { ActorOptions } from "../../../../src/testing/mod.ts";
import { EndpointSliceController } from "../../../../src/testing/actors/services/endpoint_slice_controller.ts";
import { EndpointsController } from "../../../../src/testing/actors/services/endpoints_controller.ts";
import {
  type EndpointSlice,
  EndpointSlices,
  EndpointsResource,
  type Service,
  Services,
} from "../../../../src/testing/actors/services/service_kinds.ts";
import { Alone } from "../workloads/alone.ts";
import { named } from "../workloads/cluster.ts";

const SERVICES = Services as Resource;

/** The controllers, without the warnings that the API server sends about Endpoints. */
class Quiet extends Alone {
  override get options(): ReturnType<() => Alone["options"]> {
    const { clock, server } = this;
    const client = new Client({ fetch: server.fetch, clock, logger: silentLogger });
    return { ...super.options, client };
  }

  static async start(spec: Partial<Service["spec"]> = {}, labels: object = {}): Promise<Quiet> {
    const world = new Quiet();
    const options: ActorOptions = world.options;
    await world.start(new EndpointSliceController(options));
    await world.start(new EndpointsController(options));
    await world.create(Nodes, { metadata: { name: "n" } });
    await world.create(Services, {
      metadata: { ...named("web"), labels: labels as Record<string, string> },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
    });
    await world.clock.advance(100);
    return world;
  }

  async pod(name: string, status: object = {}, spec: object = {}, app = "web"): Promise<void> {
    await this.create(Pods, {
      metadata: { ...named(name), labels: { app } },
      spec: { containers: [{ name: "main", image: "i" }], nodeName: "n", ...spec },
    });
    const conditions = [{ type: "Ready", status: "True" }];
    await this.patchStatus(Pods as Resource, name, {
      phase: "Running",
      podIP: `10.0.0.${name.charCodeAt(0) - 96}`,
      conditions,
      ...status,
    });
  }

  get slices(): EndpointSlice[] {
    return (this.server.objects(EndpointSlices, "default") as EndpointSlice[])
      .filter(({ metadata }) => metadata.name !== "kubernetes");
  }

  /** The ready and the other addresses of the Endpoints, with their ports. */
  get subsets(): string[] {
    const { subsets } = this.get(EndpointsResource, "web");
    return (subsets ?? []).map(({ addresses, notReadyAddresses, ports }) => {
      const names = (list: typeof addresses) => list?.map((one) => one.targetRef?.name).join();
      const numbers = ports?.map(({ name, port }) => [name, port].filter(Boolean).join("=")).join();
      return `${names(addresses)} ${names(notReadyAddresses)} ${numbers}`;
    });
  }
}

Deno.test("Endpoints leave out Pods that have ended, have no address, or do not match", async () => {
  await using world = await Quiet.start();
  await world.pod("a");
  await world.pod("b", { conditions: [{ type: "Ready", status: "False" }] });
  await world.pod("c", { phase: "Succeeded" });
  await world.pod("d", { podIP: "" });
  await world.pod("e", {}, {}, "other");
  assertEquals(world.subsets, ["a b 80"]);
  const names = world.slices.flatMap(({ endpoints }) =>
    endpoints.map((one) => one.targetRef?.name)
  );
  assertEquals(names, ["a", "b"]);
  const [first] = world.slices[0]!.endpoints;
  const { uid, ...target } = first!.targetRef!;
  assertEquals([first?.nodeName, first?.addresses, target, typeof uid], [
    "n",
    ["10.0.0.1"],
    { kind: "Pod", name: "a", namespace: "default" },
    "string",
  ]);
  await world.patchStatus(Pods as Resource, "a", { phase: "Failed" });
  assertEquals(world.subsets, ["undefined b 80"]);
  await world.patchStatus(Pods as Resource, "b", { podIP: "10.0.0.99" });
  assertEquals(world.slices[0]?.endpoints[0]?.addresses, ["10.0.0.99"]);
  await world.patch(Pods as Resource, "e", { metadata: { labels: { app: "web" } } });
  assertEquals(world.subsets, ["e b 80"]);
});

Deno.test("EndpointSlices have the labels of their controller, and the time of their last change", async () => {
  await using world = await Quiet.start({}, { team: "a" });
  const change = "endpoints.kubernetes.io/last-change-trigger-time";
  const shown = () =>
    world.slices.map(({ metadata: { annotations, generateName, labels, ownerReferences } }) => ({
      annotations,
      generateName,
      labels,
      owners: ownerReferences?.map(({ controller, kind, name }) => [kind, name, controller]),
    }));
  const first = {
    annotations: { [change]: "2026-01-01T00:00:00Z" },
    generateName: "web-",
    labels: {
      team: "a",
      "kubernetes.io/service-name": "web",
      "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    },
    owners: [["Service", "web", true]],
  };
  assertEquals(shown(), [first]);
  // A slice of the same ports stays; what an empty one had is none.
  await world.clock.advance(2000);
  await world.pod("a");
  const second = { ...first, annotations: { [change]: "2026-01-01T00:00:02Z" } };
  assertEquals(shown(), [second]);
  await world.clock.advance(2000);
  await world.pod("b");
  const third = { ...first, annotations: { [change]: "2026-01-01T00:00:04Z" } };
  assertEquals(shown(), [third]);
  assertEquals(world.slices[0]?.endpoints.length, 2);
});

Deno.test("Endpoints know the ports of a Service by number and by name, with their protocol", async () => {
  await using world = await Quiet.start({
    ports: [
      { name: "web", port: 80, targetPort: "http" },
      { name: "dns", port: 53, protocol: "UDP", targetPort: "dns" },
      { name: "num", port: 81, targetPort: 8081, appProtocol: "kubernetes.io/h2c" },
    ],
  } as unknown as Partial<Service["spec"]>);
  const container = (ports: object[]) => ({
    containers: [{ name: "main", image: "i" }, { name: "side", image: "i", ports }],
  });
  const http = { name: "http", containerPort: 8080 };
  await world.pod("a", {}, container([http, { name: "dns", containerPort: 53, protocol: "UDP" }]));
  await world.pod("b", {}, container([http, { name: "dns", containerPort: 53 }]));
  assertEquals(world.subsets.sort(), [
    "a undefined web=8080,dns=53,num=8081",
    "b undefined web=8080,num=8081",
  ]);
  assertEquals(world.slices.map(({ ports }) => ports?.length).sort(), [2, 3]);
  assertEquals(world.slices.find(({ ports }) => ports?.length === 2)?.ports, [
    { name: "web", port: 8080, protocol: "TCP" },
    { name: "num", port: 8081, protocol: "TCP", appProtocol: "kubernetes.io/h2c" },
  ] as never);
});

Deno.test("Endpoints show the state of a Pod that is being deleted", async () => {
  await using world = await Quiet.start();
  await world.pod("a");
  await world.pod("b");
  await world.clock.run(world.client.delete(Pods, "a", { namespace: "default" }));
  await world.clock.advance(100);
  assertEquals(world.subsets, ["b undefined 80"]);
  assertEquals(world.slices[0]?.endpoints[0]?.conditions, {
    ready: false,
    serving: true,
    terminating: true,
  });
  await world.patch(SERVICES, "web", { spec: { publishNotReadyAddresses: true } });
  assertEquals(world.subsets, ["a,b undefined 80"]);
  assertEquals(world.slices[0]?.endpoints[0]?.conditions?.ready, true);
  await world.endPods();
  assertEquals(world.subsets, ["b undefined 80"]);
});

Deno.test("Endpoints of a headless Service have its label and the names of its Pods", async () => {
  await using world = await Quiet.start({ clusterIP: "None" }, { team: "a" });
  const headless = "service.kubernetes.io/headless";
  await world.pod("a", {}, { hostname: "one", subdomain: "web" });
  await world.pod("b", {}, { hostname: "two", subdomain: "other" });
  const hostnames = world.slices[0]?.endpoints.map(({ hostname }) => hostname);
  assertEquals(hostnames, ["one", undefined]);
  const found = world.get(EndpointsResource, "web");
  assertEquals(
    found.subsets?.[0]?.addresses?.map(({ hostname, ip, nodeName }) => [
      hostname,
      ip,
      nodeName,
    ]),
    [["one", "10.0.0.1", "n"], [undefined, "10.0.0.2", "n"]],
  );
  assertEquals(found.metadata.labels, {
    team: "a",
    [headless]: "",
    "endpoints.kubernetes.io/managed-by": "endpoint-controller",
  });
  assertEquals([
    world.slices[0]?.metadata.labels?.[headless],
    world.slices[0]?.metadata.labels?.team,
  ], [
    "",
    "a",
  ]);
  await world.patch(SERVICES, "web", { metadata: { labels: { team: "b" } } });
  assertEquals(world.get(EndpointsResource, "web").metadata.labels?.team, "b");
  assertEquals(world.slices[0]?.metadata.labels?.team, "b");
});

Deno.test("Services without a selector, and names of others, have no endpoints", async () => {
  await using world = await Quiet.start(
    { type: "ExternalName", externalName: "example.com" } as never,
  );
  await world.create(Services, {
    metadata: named("plain"),
    spec: { ports: [{ port: 80 }] },
  });
  await world.pod("a");
  assertEquals([world.slices, world.names(EndpointsResource, "default")], [[], "kubernetes"]);
});

Deno.test("Endpoints go with their Service, except Endpoints that another client made", async () => {
  await using world = await Quiet.start();
  await world.pod("a");
  const own = { metadata: named("own"), subsets: [] };
  await world.clock.run(world.options.client.create(EndpointsResource, own));
  await world.create(Services, {
    metadata: named("own"),
    spec: { ports: [{ port: 80 }] },
  });
  await world.delete(SERVICES, "own");
  await world.delete(SERVICES, "web");
  assertEquals(world.names(EndpointsResource, "default"), "kubernetes own");
});

Deno.test("Endpoints are written only when they change", async () => {
  await using world = await Quiet.start();
  await world.pod("a");
  const versions = () =>
    [world.get(EndpointsResource, "web"), ...world.slices]
      .map(({ metadata }) => metadata.resourceVersion).join();
  const before = versions();
  await world.patch(Pods as Resource, "a", { metadata: { annotations: { x: "y" } } });
  await world.patch(SERVICES, "web", { metadata: { annotations: { x: "y" } } });
  await world.clock.advance(60_000);
  assertEquals(versions(), before);
});

import { assertEquals } from "@std/assert";
import { Pods } from "../../../mod.ts";
import {
  type EndpointSlice,
  EndpointSlices,
  EndpointsResource,
  type Service,
  Services,
} from "../../../src/testing/actors/services/service_kinds.ts";
import { Cluster, named } from "./workloads/cluster.ts";

async function service(cluster: Cluster, spec: Partial<Service["spec"]> = {}): Promise<void> {
  await cluster.create(Services, {
    metadata: { ...named("web"), labels: { team: "shop" } },
    spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }], ...spec },
  });
}

async function pod(cluster: Cluster, name: string, ports: object[] = [HTTP]): Promise<void> {
  await cluster.create(Pods, {
    metadata: { ...named(name), labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "i", ports: ports as never }] },
  });
}

const HTTP = { name: "http", containerPort: 8080 };

function slices(cluster: Cluster): EndpointSlice[] {
  const all = cluster.server.objects(EndpointSlices, "default") as EndpointSlice[];
  return all.filter(({ metadata }) => metadata.name !== "kubernetes");
}

/** Returns the endpoints of all slices, with what is true about them. */
function endpoints(cluster: Cluster): string[] {
  return slices(cluster).flatMap(({ endpoints }) =>
    (endpoints ?? []).map(({ conditions = {}, targetRef }) => {
      const holds = Object.entries(conditions).filter(([, value]) => value).map(([key]) => key);
      return [targetRef?.name, ...holds].join(" ");
    })
  ).sort();
}

Deno.test("EndpointSliceController lists the Pods of a Service with their states", async () => {
  await using cluster = await Cluster.start({
    kubelet: { readyDelayMs: 1000, stopDelayMs: 3000 },
  });
  await service(cluster);
  await cluster.clock.advance(100);
  // A Service without Pods has an empty slice.
  assertEquals(
    slices(cluster).map(({ endpoints, ports }) => [endpoints, ports]),
    [[null, null]] as never,
  );
  for (const name of ["a", "b"]) await pod(cluster, name);
  await cluster.clock.advance(1500);
  assertEquals(endpoints(cluster), ["a", "b"]);
  await cluster.clock.advance(3000);
  assertEquals(endpoints(cluster), ["a ready serving", "b ready serving"]);
  const [slice] = slices(cluster);
  assertEquals([slice?.addressType, slice?.ports], ["IPv4", [{
    name: "",
    port: 8080,
    protocol: "TCP",
  }]]);
  assertEquals(slice?.metadata.labels, {
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    "kubernetes.io/service-name": "web",
    team: "shop",
  });
  await cluster.delete(Pods, "a", 1000);
  assertEquals(endpoints(cluster), ["a serving terminating", "b ready serving"]);
  await cluster.clock.advance(5000);
  assertEquals(endpoints(cluster), ["b ready serving"]);
  const { resourceVersion } = slices(cluster)[0]!.metadata;
  await cluster.patch(Pods, "b", { metadata: { annotations: { a: "b" } } }, 60_000);
  assertEquals(slices(cluster)[0]?.metadata.resourceVersion, resourceVersion);
  await cluster.delete(Services, "web", 5000);
  assertEquals([slices(cluster).length, cluster.names(EndpointsResource)], [0, "kubernetes"]);
  assertEquals(cluster.warnings, []);
});

Deno.test("EndpointSliceController puts Pods with other ports into other slices, and 100 endpoints into one", async () => {
  await using cluster = await Cluster.start({ nodes: 3 });
  await service(cluster, { clusterIP: "None", publishNotReadyAddresses: true });
  await pod(cluster, "other", [{ name: "http", containerPort: 9090 }]);
  for (let i = 0; i < 101; i++) await pod(cluster, `web-${i}`);
  await cluster.clock.advance(10_000);
  assertEquals(slices(cluster).map(({ endpoints }) => endpoints.length).sort(), [1, 1, 100]);
  assertEquals(slices(cluster)[0]?.metadata.labels?.["service.kubernetes.io/headless"], "");
});

Deno.test("EndpointsController lists ready and unready addresses", async () => {
  await using cluster = await Cluster.start({
    nodes: 1,
    kubelet: { lives: [{ selector: "slow", readyAfterMs: 60_000 }] },
  });
  await service(cluster);
  await pod(cluster, "a");
  await cluster.create(Pods, {
    metadata: { ...named("slow"), labels: { app: "web", slow: "" } },
    spec: { containers: [{ name: "main", image: "i", ports: [HTTP] }] },
  });
  await cluster.clock.advance(5000);
  const found = cluster.get(EndpointsResource, "web");
  assertEquals(
    found.subsets?.map(({ addresses, notReadyAddresses, ports }) => [
      addresses?.map(({ targetRef }) => targetRef?.name),
      notReadyAddresses?.map(({ targetRef }) => targetRef?.name),
      ports,
    ]),
    [[["a"], ["slow"], [{ port: 8080, protocol: "TCP" }]]],
  );
  assertEquals(
    found.metadata.labels?.["endpoints.kubernetes.io/managed-by"],
    "endpoint-controller",
  );
});

Deno.test("EndpointSliceController publishes Pods that are not ready only where the Service says so", async () => {
  await using cluster = await Cluster.start({
    nodes: 1,
    kubelet: { lives: [{ selector: "app=web", readyAfterMs: 60_000 }] },
  });
  await service(cluster);
  await pod(cluster, "a");
  await cluster.clock.advance(5000);
  assertEquals(endpoints(cluster), ["a"]);
  await cluster.patch(Services, "web", { spec: { publishNotReadyAddresses: true } }, 5000);
  assertEquals(endpoints(cluster), ["a ready"]);
});

Deno.test("EndpointSliceController removes a Pod whose labels no longer match", async () => {
  await using cluster = await Cluster.start({ nodes: 1 });
  await service(cluster);
  for (const name of ["a", "b"]) await pod(cluster, name);
  await cluster.clock.advance(5000);
  await cluster.patch(Pods, "a", { metadata: { labels: { app: "other" } } }, 5000);
  assertEquals(endpoints(cluster), ["b ready serving"]);
});

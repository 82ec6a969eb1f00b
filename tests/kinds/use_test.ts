import { assertEquals } from "@std/assert";
import { Deployments, type DeploymentSpec } from "../../src/kinds/apps/v1.ts";
import { type Container, type Pod, Pods, type PullPolicy } from "../../src/kinds/core/v1.ts";
import { type Ingress, Ingresses } from "../../src/kinds/networking/v1.ts";
import type { IntOrString, Quantity } from "../../src/kinds/meta/v1.ts";
import { HorizontalPodAutoscalers } from "../../src/kinds/autoscaling/v2.ts";
import { Client } from "../../src/client/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { deepCopy, type Resource, type Stored } from "../../src/types/mod.ts";
import type * as minimal from "../../src/types/minimal/mod.ts";

/** Compiles only if `A` and `B` are the same type. */
function same<A, B>(
  _: (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : never,
): void {}

function cluster(): { server: ApiServer; client: Client } {
  const server = new ApiServer();
  return { server, client: new Client(server.clientOptions) };
}

const container: Container = {
  name: "main",
  image: "nginx",
  imagePullPolicy: "IfNotPresent",
  readinessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
  resources: { requests: { cpu: "500m" }, limits: { memory: "1Gi" } },
  securityContext: { runAsNonRoot: true, capabilities: { drop: ["ALL"] } },
};

Deno.test("objects of generated types are created, applied and read", async () => {
  const { server, client } = cluster();
  await using _server = server;
  await using _client = client;
  const spec: DeploymentSpec = {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [container] } },
  };
  const namespace = "default";
  const created = await client.create(Deployments, { metadata: { name: "web", namespace }, spec });
  const probe = created.spec?.template.spec?.containers[0]?.readinessProbe;
  same<typeof probe, import("../../src/kinds/core/v1.ts").Probe | undefined>(true);
  assertEquals(probe?.httpGet?.port, "http");
  assertEquals(created.spec?.strategy?.rollingUpdate?.maxSurge, "25%");

  const applied = await client.apply(
    Deployments,
    { metadata: { name: "web", namespace }, spec: { minReadySeconds: 7 } },
    { fieldManager: "test" },
  );
  assertEquals(applied.spec?.minReadySeconds, 7);
  const { items } = await client.list(HorizontalPodAutoscalers, { namespace });
  assertEquals(items.map(({ spec }) => spec?.maxReplicas), []);
});

Deno.test("what the API server answers has the fields that the types require", async () => {
  const { server, client } = cluster();
  await using _server = server;
  await using _client = client;
  const ingress: Ingress = {
    metadata: { name: "web", namespace: "default" },
    spec: {
      rules: [{
        host: "example.com",
        http: {
          paths: [{
            path: "/",
            pathType: "Prefix",
            backend: { service: { name: "web", port: { number: 80 } } },
          }],
        },
      }],
    },
  };
  const stored = await client.create(Ingresses, ingress);
  const path = stored.spec?.rules?.[0]?.http?.paths[0];
  assertEquals([path?.pathType, path?.backend.service?.port?.number], ["Prefix", 80]);
});

Deno.test("a misspelt field does not compile; a value that only newer versions know does", () => {
  // @ts-expect-error: it is readinessProbe.
  const wrong: Container = { name: "main", readynessProbe: {} };
  // @ts-expect-error: a Pod is restarted always, on failure, or never.
  const restart: Pod = { metadata: {}, spec: { containers: [], restartPolicy: "Sometimes" } };
  const text: string = "Whenever";
  const policy: PullPolicy = text;
  const back: string = policy;
  const some: { quantity: Quantity; port: IntOrString } = { quantity: "1", port: 80 };
  assertEquals([wrong.name, restart.spec?.containers, back, some.port], [
    "main",
    [],
    "Whenever",
    80,
  ]);
});

Deno.test("a Pod that was read is a minimal Pod, without a cast", async () => {
  const { server, client } = cluster();
  await using _server = server;
  await using _client = client;
  const pod: Pod = {
    metadata: { name: "web", namespace: "default" },
    spec: { containers: [container] },
  };
  const stored = await client.create(Pods, pod);
  same<typeof stored, Stored<Pod>>(true);
  const few: Stored<minimal.Pod> = stored;
  const all: Stored<Pod> = few;
  const resource: Resource<minimal.Pod> = Pods;
  const copy: Pod = deepCopy(all);
  assertEquals(resource.plural, "pods");
  assertEquals(copy.spec?.containers[0]?.readinessProbe?.periodSeconds, 5);
});

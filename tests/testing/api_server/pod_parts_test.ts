/**
 * The subresources of Pods that write a part of the spec, with the answers of a real server.
 *
 * @module
 */

import { assertEquals, assertExists } from "@std/assert";
import { Cluster } from "./cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";
const STRATEGIC = { "content-type": "application/strategic-merge-patch+json" };
const MERGE = { "content-type": "application/merge-patch+json" };
const AMOUNTS = { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2", memory: "2Gi" } };

async function withPod(): Promise<Cluster> {
  const cluster = new Cluster();
  const { status } = await cluster.call("POST", PODS, {
    metadata: { name: "p", annotations: { a: "b" } },
    spec: {
      containers: [{ name: "c", image: "i", resources: AMOUNTS }, { name: "d", image: "i" }],
      initContainers: [
        { name: "first", image: "i" },
        { name: "sidecar", image: "i", restartPolicy: "Always", resources: AMOUNTS },
      ],
      volumes: [{ name: "v", emptyDir: {} }],
    },
  });
  assertEquals(status, 201);
  return cluster;
}

const FORBIDDEN = "Forbidden: cannot be set for an Ephemeral Container";

Deno.test("ephemeral containers are refused what only the workload may have", async () => {
  await using cluster = await withPod();
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ name: "c", image: "x" }, ['name: Duplicate value: "c"']],
    [{ name: "e" }, ["image: Required value"]],
    [
      { name: "e", image: "x", targetContainerName: "none" },
      ['targetContainerName: Not found: "none"'],
    ],
    [
      { name: "e", image: "x", ports: [{ containerPort: 1 }], resources: { limits: { cpu: 1 } } },
      [`ports: ${FORBIDDEN}`, `resources: ${FORBIDDEN}`],
    ],
    [
      { name: "e", image: "x", volumeMounts: [{ name: "v", mountPath: "/a", subPath: "b" }] },
      [`volumeMounts[0].subPath: ${FORBIDDEN}`],
    ],
  ];
  for (const [container, expected] of cases) {
    const body = { spec: { ephemeralContainers: [container] } };
    const { status, json } = await cluster.call(
      "PATCH",
      `${PODS}/p/ephemeralcontainers`,
      body,
      STRATEGIC,
    );
    const causes = json.details.causes.map((cause: { field: string; message: string }) =>
      `${cause.field.replace("spec.ephemeralContainers[0].", "")}: ${cause.message}`
    );
    assertEquals([status, causes], [422, expected]);
  }
});

Deno.test("ephemeral containers are added, and cannot be changed", async () => {
  await using cluster = await withPod();
  const path = `${PODS}/p/ephemeralcontainers`;
  const patch = (spec: object, headers: Record<string, string>) =>
    cluster.call("PATCH", path, { metadata: { annotations: null }, spec }, headers);
  const one = { name: "e", image: "x:1", targetContainerName: "c" };
  const added = await patch({ nodeName: "n", ephemeralContainers: [one] }, STRATEGIC);
  const { metadata, spec } = added.json;
  assertEquals([added.status, metadata.generation, metadata.annotations], [200, 2, { a: "b" }]);
  assertEquals([spec.nodeName, spec.ephemeralContainers[0].imagePullPolicy], [
    undefined,
    "IfNotPresent",
  ]);
  const removed = await patch({ ephemeralContainers: [] }, MERGE);
  assertEquals(
    removed.json.details.causes[0].message,
    'Forbidden: existing ephemeral containers "e" may not be removed\n',
  );
  assertEquals((await cluster.call("POST", path, {})).status, 405);
  assertEquals((await cluster.get(`${PODS}/none/ephemeralcontainers`)).status, 404);
  assertExists((await cluster.get(path)).json.spec.ephemeralContainers);
});

Deno.test("a resize changes amounts of CPU and memory, and nothing else", async () => {
  await using cluster = await withPod();
  const resize = async (spec: object, headers = STRATEGIC) => {
    const answer = await cluster.call("PATCH", `${PODS}/p/resize`, { spec }, headers);
    return answer.status === 200
      ? answer.json
      : answer.json.details.causes.map((cause: { message: string }) => cause.message);
  };
  const of = (list: string, name: string, rest: object) => resize({ [list]: [{ name, ...rest }] });
  const requests = (amounts: object) => ({ resources: { requests: amounts } });
  const done = await of("containers", "c", { image: "other", ...requests({ cpu: "1500m" }) });
  assertEquals(done.spec.containers[0].resources.requests, { cpu: "1500m", memory: "1Gi" });
  assertEquals([done.spec.containers[0].image, done.metadata.generation], ["i", 2]);

  const mutable = "Forbidden: only cpu and memory resources are mutable";
  assertEquals(await of("containers", "c", requests({ "ephemeral-storage": "1Gi" })), [mutable]);
  assertEquals(await of("initContainers", "first", requests({ cpu: "1" })), [
    "Forbidden: resources for non-sidecar init containers are immutable",
  ]);
  const sidecar = await of("initContainers", "sidecar", requests({ cpu: "2" }));
  assertEquals(sidecar.spec.initContainers[1].resources.requests.cpu, "2");
  assertEquals(await of("containers", "new", { image: "x" }), [
    "Forbidden: containers may not be added or removed on resize",
  ]);
  const swapped = [{ name: "d", image: "i" }, { name: "c", image: "i" }];
  const renamed = "Forbidden: containers may not be renamed or reordered on resize";
  assertEquals(await resize({ containers: swapped }, MERGE), [renamed, renamed]);
});

Deno.test("a resize does not change the class of a Pod", async () => {
  await using cluster = new Cluster();
  const containers = [{ name: "c", image: "i" }];
  await cluster.call("POST", PODS, { metadata: { name: "q" }, spec: { containers } });
  const resized = [{ name: "c", resources: { limits: { cpu: "1" } } }];
  const body = { spec: { containers: resized } };
  const { json } = await cluster.call("PATCH", `${PODS}/q/resize`, body, STRATEGIC);
  assertEquals(
    json.message,
    'Pod "q" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
  );
});

Deno.test("a negative grace period of a Pod becomes a second without a warning", async () => {
  await using cluster = new Cluster();
  const created = async (name: string, terminationGracePeriodSeconds: number) => {
    const { headers, json } = await cluster.pod(name, { terminationGracePeriodSeconds });
    return [json.spec.terminationGracePeriodSeconds, headers.get("warning")];
  };
  assertEquals(await created("a", 0), [0, null]);
  assertEquals(await created("b", -1), [1, null]);
});

import { assertEquals } from "@std/assert";
import { Client, Jobs, Pods } from "../../../mod.ts";
import { PersistentVolumeClaims } from "../../../src/testing/actors/control/mod.ts";
import { ApiServer, startActors, VirtualClock } from "../../../src/testing/mod.ts";
import { applyManifests } from "../../../src/testing/serve/apply_manifests.ts";
import { clusterOutcome, missingObjects } from "../../../src/testing/serve/cluster_defaults.ts";

Deno.test("clusterOutcome() lets the Pods of Jobs succeed, unless an annotation or a life says otherwise", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const lives = [{ owner: "Job/endless-*", exits: [] }];
  const kubelet = { outcome: clusterOutcome, lives };
  await using _actors = startActors(server, { kubelet });
  const failing = { "kubeloop.dev/exit-after-ms": "100", "kubeloop.dev/exit-code": "3" };
  for (
    const [name, annotations] of [["once", {}], ["failing", failing], ["endless-1", {}]] as const
  ) {
    const spec = {
      restartPolicy: "Never" as const,
      containers: [{ name: "main", image: "busybox" }],
    };
    await client.create(Jobs, {
      metadata: { name, namespace: "default" },
      spec: { backoffLimit: 0, template: { metadata: { annotations }, spec } },
    });
  }
  await client.create(Pods, {
    metadata: { name: "alone", namespace: "default" },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  });
  await clock.advance(60_000);
  const ended = (name: string) =>
    server.get(Jobs, name, "default")?.status?.conditions?.map(({ type }) => type) ?? [];
  assertEquals(ended("once"), ["SuccessCriteriaMet", "Complete"]);
  assertEquals(ended("failing"), ["FailureTarget", "Failed"]);
  assertEquals(ended("endless-1"), []);
  assertEquals(server.get(Pods, "alone", "default")?.status?.phase, "Running");
});

Deno.test("missingObjects() returns a StorageClass that gives claims volumes, if there is none", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const signal = new AbortController().signal;
  await applyManifests(server, missingObjects(server), undefined, signal);
  assertEquals(missingObjects(server), []);
  await using _actors = startActors(server);
  await client.create(PersistentVolumeClaims, {
    metadata: { name: "data", namespace: "default" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await client.create(Pods, {
    metadata: { name: "db", namespace: "default" },
    spec: { containers: [{ name: "main", image: "postgres" }], volumes } as never,
  });
  await clock.advance(10_000);
  const claim = server.get(PersistentVolumeClaims, "data", "default");
  assertEquals([claim?.status?.phase, claim?.spec?.storageClassName], ["Bound", "standard"]);
});

import { assertEquals } from "@std/assert";
import { Deployments, Pods, type Resource } from "../../../../mod.ts";
import { forEachSeed } from "../../../support/seeded_runs.ts";
import {
  DaemonSets,
  ReplicaSets,
  StatefulSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { Jobs } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { Cluster, named, template } from "./cluster.ts";

const ENDED = { "kubeloop.dev/exit-after-ms": "500" };

async function createAll(cluster: Cluster): Promise<void> {
  const workload = (app: string) => ({
    selector: { matchLabels: { app } },
    template: template(app),
  });
  const containers = [{ name: "main", image: "i" }];
  const work = {
    metadata: { annotations: ENDED },
    spec: { restartPolicy: "Never" as const, containers },
  };
  const objects = [
    [Deployments, { spec: { replicas: 4, ...workload("deployment") } }],
    [StatefulSets, { spec: { replicas: 3, serviceName: "s", ...workload("stateful") } }],
    [DaemonSets, { spec: workload("daemon") }],
    [Jobs, { spec: { completions: 5, parallelism: 3, template: work } }],
  ] as const;
  for (const [resource, object] of objects) {
    await cluster.clock.run(
      cluster.client.create(resource as Resource, { metadata: named("w"), ...object } as never),
    );
  }
}

/** Returns what must be true in the end. */
function summary(cluster: Cluster): unknown {
  const apps = (app: string) =>
    cluster.pods.filter(({ metadata }) => metadata.labels?.app === app)
      .map(({ spec, status }) => `${spec?.containers[0]?.image} ${status?.phase}`);
  const job = cluster.get(Jobs, "w").status;
  return {
    deployment: apps("deployment"),
    stateful: apps("stateful"),
    daemon: apps("daemon"),
    job: [job?.succeeded, job?.failed, job?.conditions?.at(-1)?.type],
    tracked: cluster.server.objects(Pods).filter(({ metadata }) => metadata.finalizers).length,
  };
}

Deno.test("Workloads come to the same end when requests fail, watches break and the server restarts", async () => {
  await forEachSeed(1, async (random) => {
    await using cluster = await Cluster.start({ nodes: 3, random: random.fork("cluster") });
    const chance = random.fork("faults");
    // The test itself is not disturbed.
    const quiet = async (act: () => Promise<void>) => {
      for (let i = 0; i < 200; i++) {
        try {
          return await act();
        } catch {
          await cluster.clock.advance(100);
        }
      }
    };
    await createAll(cluster);
    const broken = cluster.server.faults.fail(500, {
      when: ({ verb }) => verb !== "get" && chance.next() < 0.15,
    });
    const conflicts = cluster.server.faults.fail(409, {
      when: ({ verb }) => (verb === "update" || verb === "patch") && chance.next() < 0.1,
    });
    const late = cluster.server.faults.delay(700, { when: () => chance.next() < 0.1 });
    await cluster.clock.advance(3000);
    const image = { spec: { template: template("deployment", "nginx:2") } };
    await quiet(() => cluster.patch(Deployments, "w", image));
    const next = { spec: { template: template("stateful", "nginx:2") } };
    await quiet(() => cluster.patch(StatefulSets, "w", next));
    for (let i = 0; i < 5; i++) {
      await cluster.clock.advance(4000);
      if (i === 2) cluster.server.restart();
      else cluster.server.closeWatches();
    }
    for (const fault of [broken, conflicts, late]) fault.remove();
    await cluster.clock.advance(400_000);
    assertEquals(summary(cluster), {
      deployment: Array(4).fill("nginx:2 Running"),
      stateful: Array(3).fill("nginx:2 Running"),
      daemon: Array(3).fill("nginx:1 Running"),
      job: [5, undefined, "Complete"],
      tracked: 0,
    });
    const sets = cluster.server.objects(ReplicaSets).map(({ spec }) => spec?.replicas).sort();
    assertEquals(sets, [0, 4]);
  });
});

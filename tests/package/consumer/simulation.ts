// A simulation of a controller that makes a volume before it writes its name down. It prints what went wrong and the
// plan, which are the same on every runtime.
import {
  Controller,
  defineResource,
  type KubeObject,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  assertClean,
  create,
  type Plan,
  type ProcessEnv,
  type Report,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";

interface Disk extends KubeObject {
  status?: { volume: string };
}

const Disks = defineResource<Disk>({
  group: "demo.example.com",
  version: "v1",
  plural: "disks",
  kind: "Disk",
  namespaced: true,
});

class Volumes {
  readonly names: string[] = [];
  make(): string {
    return this.names[this.names.push(`volume-${this.names.length}`) - 1] ?? "";
  }
  invariant(): true | string {
    return this.names.length <= 1 || `${this.names.length} volumes for one disk`;
  }
}

async function operate({ client, cloud, signal }: ProcessEnv<Volumes>): Promise<void> {
  const disks = new SharedInformerFactory(client).informer(Disks);
  const controller = new Controller({
    informer: disks,
    async reconcile(key) {
      const disk = disks.indexer.getByKey(key);
      if (disk === undefined || disk.status !== undefined) return;
      const { name, namespace = "" } = disk.metadata;
      await client.patchStatus(Disks, name, { status: { volume: cloud.make() } }, { namespace });
    },
  });
  await controller.run({ signal });
}

const sim = simulation<Volumes>({
  name: "disks",
  process: operate,
  world: { cloud: () => new Volumes() },
  workload: [create(Disks, "data"), settle()],
});
const report: Report = await sim.explore({ budget: { plans: 100 } });
let message = "";
try {
  assertClean(report);
} catch (error) {
  message = (error as Error).message;
}
const plan: Plan | undefined = report.findings[0]?.plan;
if (plan === undefined) throw new Error(`Nothing was found: ${report}`);
const record = await sim.replay(JSON.stringify(plan));
console.log(/^WRONG.*/m.exec(message)?.[0], record.wrong.length, JSON.stringify(plan));

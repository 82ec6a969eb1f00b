// A simulation of a controller that makes a volume before it writes its name down.
import {
  Controller,
  defineResource,
  type KubeObject,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  create,
  type ProcessEnv,
  settle,
  type Simulation,
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

export const sim: Simulation<Volumes> = simulation<Volumes>({
  name: "disks",
  process: operate,
  world: { cloud: () => new Volumes() },
  workload: [create(Disks, "data"), settle()],
});

/**
 * The first bug that a simulation finds for you: a controller that creates a volume, and then records its name.
 *
 * It runs on an in-process API server, without any permission, and prints the smallest plan that breaks the rule of the
 * world: at most one volume for a disk.
 *
 * @module
 */

import {
  Controller,
  defineResource,
  type KubeObject,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

interface Disk extends KubeObject {
  status?: { volume: string };
}

const Disks = defineResource<Disk>({
  group: "example.com",
  version: "v1",
  plural: "disks",
  kind: "Disk",
  namespaced: true,
});

/** The external world, which outlives the controller, and its rule. */
class Volumes {
  readonly names: string[] = [];
  make(): string {
    return this.names[this.names.push(`volume-${this.names.length + 1}`) - 1] ?? "";
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
      const status = { volume: cloud.make() };
      await client.patchStatus(Disks, name, { status }, { namespace });
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

const report = await sim.explore();
for (const finding of report.findings) console.log(`${finding}`);

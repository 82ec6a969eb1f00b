/**
 * CassKop takes one node away when a rack of Cassandra nodes is to have fewer: it makes the node leave the ring, deletes
 * its Pod, and then the volume of the Pod. The status of the rack says which of these is going on.
 *
 * The bug: the operator changes the phase in memory, deletes the Pod, and stores the phase at the end of the reconcile.
 * If it is killed after the Pod was deleted, the stored phase is the old one. In the old phase, the operator asks for the
 * Pod, and fails since there is none: the volume stays for ever, and no other change of the rack is carried out.
 *
 * Provoked by a crash after the Pod was deleted, or by the loss of the answer to that.
 *
 * The repair: the phase is stored before anything is done in it, and what is done in a phase can be done again. Simulation
 * found one more bug in the first version of it: a volume whose Pod had not been created when the rack was to have fewer
 * nodes was forgotten. So both are counted.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  ConfigMaps,
  Controller,
  controllerOf,
  controllerReference,
  defineResource,
  DeletedFinalStateUnknown,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
  SharedInformer,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface Operation {
  pod: string;
  phase: "Ongoing" | "Finalizing";
}

interface Rack extends KubeObject {
  spec: { nodes: number };
  status?: { operation?: Operation | null };
}

const Racks: Resource<Rack> = defineResource<Rack>({
  group: "db.example.com",
  version: "v1",
  plural: "racks",
  kind: "Rack",
  namespaced: true,
});

/** The operator's work for one rack. */
class RackSync {
  readonly #client: Client;
  readonly #rack: Cached<Rack>;
  readonly #call: { namespace: string };

  constructor(client: Client, rack: Cached<Rack>) {
    this.#client = client;
    this.#rack = rack;
    this.#call = { namespace: rack.metadata.namespace ?? "default" };
  }

  /** Carries on with an operation. Deletes the Pod before the new phase is stored. */
  async broken({ pod, phase }: Operation): Promise<void> {
    if (phase === "Ongoing") {
      // Throws if there is no such Pod.
      await this.#client.get(Pods, pod, this.#call);
      await this.#client.delete(Pods, pod, this.#call);
      await this.#store({ pod, phase: "Finalizing" });
    } else if (!await this.#exists(pod)) {
      await this.#deleteVolume(pod);
      await this.#store(null);
    }
  }

  /** Carries on with an operation. Stores the new phase before the Pod is deleted. */
  async repaired({ pod, phase }: Operation): Promise<void> {
    if (phase === "Ongoing") {
      await this.#store({ pod, phase: "Finalizing" });
    } else if (await this.#exists(pod)) {
      await this.#client.delete(Pods, pod, this.#call).catch(ignore(isNotFound));
    } else {
      await this.#deleteVolume(pod);
      await this.#store(null);
    }
  }

  /** Creates the nodes that are missing, or begins to take one away. */
  async scale(): Promise<void> {
    const { metadata: { name }, spec: { nodes } } = this.#rack;
    const selected = { ...this.#call, labelSelector: `rack=${name}` };
    const pods = namesOf((await this.#client.list(Pods, selected)).items);
    const { items } = await this.#client.list(ConfigMaps, selected);
    // A volume that is being deleted may linger.
    const volumes = namesOf(items.filter(({ metadata }) => !metadata.deletionTimestamp));
    const metadata = {
      labels: { rack: name },
      ownerReferences: [controllerReference(this.#rack, Racks)],
    };
    for (let i = 0; i < nodes; i++) {
      const pod = `${name}-${i}`;
      if (!volumes.has(volumeOf(pod))) {
        const volume = { metadata: { ...metadata, name: volumeOf(pod) } };
        await this.#client.create(ConfigMaps, volume, this.#call).catch(ignore(isAlreadyExists));
      }
      if (!pods.has(pod)) {
        const spec = { containers: [{ name: "cassandra", image: "cassandra:3.11" }] };
        await this.#client.create(Pods, { metadata: { ...metadata, name: pod }, spec }, this.#call)
          .catch(ignore(isAlreadyExists));
      }
    }
    const highest = Math.max(pods.size, volumes.size);
    if (highest > nodes) await this.#store({ pod: `${name}-${highest - 1}`, phase: "Ongoing" });
  }

  async #store(operation: Operation | null): Promise<void> {
    const { name } = this.#rack.metadata;
    await this.#client.patchStatus(Racks, name, { status: { operation } }, this.#call);
  }

  async #exists(pod: string): Promise<boolean> {
    try {
      await this.#client.get(Pods, pod, this.#call);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #deleteVolume(pod: string): Promise<void> {
    await this.#client.delete(ConfigMaps, volumeOf(pod), this.#call).catch(ignore(isNotFound));
  }
}

function namesOf(objects: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(objects.map(({ metadata }) => metadata.name ?? ""));
}

/** Returns the name of the ConfigMap that simulates the volume of a Pod. */
function volumeOf(pod: string): string {
  return `data-${pod}`;
}

function ignore(expected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

async function operator({ client, signal, logger }: ProcessEnv, logic: Logic): Promise<void> {
  const racks = new SharedInformer(client.listerWatcher(Racks), {
    ...client.environment,
    name: "racks",
    logger,
  });
  const pods = new SharedInformer(client.listerWatcher(Pods), {
    ...client.environment,
    name: "pods",
    logger,
  });
  const controller = new Controller({
    informer: racks,
    waitFor: [pods],
    async reconcile(key) {
      const rack = racks.indexer.getByKey(key);
      if (rack === undefined || rack.metadata.deletionTimestamp !== undefined) return;
      const sync = new RackSync(client, rack);
      const operation = rack.status?.operation ?? undefined;
      await (operation === undefined ? sync.scale() : sync[logic](operation));
    },
  });
  const enqueueOwner = (pod: Cached<Pod> | undefined) => {
    const owner = pod === undefined ? undefined : controllerOf(pod, Racks);
    if (owner !== undefined) controller.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
  };
  pods.addEventHandler({
    onAdd: enqueueOwner,
    onDelete: (last) => enqueueOwner(DeletedFinalStateUnknown.lastKnownState(last)),
  });
  await controller.run({ signal });
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/Orange-OpenSource/casskop/issues/370",
  finding: {
    oracle: "end state",
    says: ["configmaps default/data-rack-1 exists, and should not"],
    story: ["[operator delete pods default/rack-1 #1]", 'pods "rack-1" not found'],
  },
  simulate: (logic) =>
    simulation({
      name: "casskop 370",
      process: (env) => operator(env, logic),
      workload: [
        create(Racks, "rack", { spec: { nodes: 2 } }),
        settle(),
        patch(Racks, "rack", { spec: { nodes: 1 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);

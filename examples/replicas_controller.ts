/**
 * A simplified ReplicaSet: the controller keeps the number of Pods that a PodSet specifies.
 *
 * The controller replaces deleted Pods and scales the set up and down with `spec.replicas`. It prints the Pods that it
 * creates and deletes. The Pods of a set have fixed names (`web-0`, `web-1`, …). A stale cache can therefore make the
 * controller create the same Pod twice, which the server rejects, but never make it create too many Pods.
 *
 * With the in-process server, the example also starts a simulated cluster. A scheduler and the kubelets of three nodes
 * start the Pods, and stop them after a delay. The garbage collector deletes the Pods when their PodSet is deleted.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/replicas_controller.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/replicas_controller.ts --kubeconfig FILE
 * ```
 *
 * On a cluster, create PodSets with kubectl. The example runs until Ctrl-C and leaves its objects there. To delete
 * them: `kubectl delete crd podsets.demo.kubeloop.dev`.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type ControllerHandle,
  defineResource,
  DeletedFinalStateUnknown,
  isAlreadyExists,
  isNotFound,
  joinMetaNamespaceKey,
  type KubeObject,
  type Logger,
  type Pod,
  Pods,
  type Resource,
  type SharedInformer,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { startActors } from "@kubeloop/testing";
import { ensureDefinition } from "./_crd.ts";
import { serveHealth } from "./_health.ts";
import { pause } from "./_pod_life.ts";
import { type Life, runExample, runManager, type Session } from "./_session.ts";

/** The custom resource `podsets.demo.kubeloop.dev`: a number of identical Pods. */
export const PodSets = defineResource({
  group: "demo.kubeloop.dev",
  version: "v1",
  kind: "PodSet",
  spec: {
    type: "object",
    required: ["replicas", "image"],
    properties: { replicas: { type: "integer", minimum: 0 }, image: { type: "string" } },
  },
  status: { type: "object", properties: { replicas: { type: "integer" } } },
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
});

/** Declares the controller: it applies the Pods of a PodSet, deletes other Pods of it, and reports their number. */
export function podSetController(manager: Manager): ControllerHandle {
  return manager.controller(PodSets, { workers: 2 })
    .owns(Pods)
    .reconcile(async ({ object, apply, owned, status, log }) => {
      const { metadata: { name }, spec: { image, replicas } } = object;
      const before = new Set(owned(Pods).map(({ metadata }) => metadata.uid));
      const wanted = new Set<string>();
      for (let i = 0; i < replicas; i++) {
        const { metadata } = await apply(Pods, podOf(`${name}-${i}`, name, image));
        wanted.add(metadata.name);
        if (!before.has(metadata.uid)) log.info(`created ${metadata.name}`);
      }
      for (const { metadata } of owned(Pods)) {
        const isSurplus = !wanted.has(metadata.name) && metadata.deletionTimestamp === undefined;
        if (isSurplus) log.info(`deleting ${metadata.name}`);
      }
      status({ replicas: owned(Pods).length });
      return { prune: true };
    });
}

/** The resource `podsets.demo.kubeloop.dev`. */
export const PodSets: Resource<PodSet> = defineResource<PodSet>({
  group: "demo.kubeloop.dev",
  version: "v1",
  plural: "podsets",
  kind: "PodSet",
  namespaced: true,
});

const definition: ApplyConfiguration<CustomResourceDefinition> = {
  metadata: { name: "podsets.demo.kubeloop.dev" },
  spec: {
    group: "demo.kubeloop.dev",
    scope: "Namespaced",
    names: { plural: "podsets", singular: "podset", kind: "PodSet", listKind: "PodSetList" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
      },
      schema: {
        openAPIV3Schema: {
          type: "object",
          required: ["spec"],
          properties: {
            spec: {
              type: "object",
              required: ["replicas", "image"],
              properties: { replicas: { type: "integer", minimum: 0 }, image: { type: "string" } },
            },
            status: { type: "object", properties: { replicas: { type: "integer" } } },
          },
        },
      },
    }],
  },
};

/** The controller and its caches. */
export class ReplicasController {
  /** The cache of PodSets. */
  readonly podSets: SharedInformer<PodSet>;
  /** The cache of Pods. */
  readonly pods: SharedInformer<Pod>;
  readonly #client: Client;
  readonly #logger: Logger;
  readonly #controller: Controller;

  constructor(client: Client, options: { namespace?: string | undefined; logger: Logger }) {
    const { namespace, logger } = options;
    this.#client = client;
    this.#logger = logger;
    const informers = new SharedInformerFactory(client, { logger });
    this.podSets = informers.informer(PodSets, { namespace });
    this.pods = informers.informer(Pods, { namespace });
    // Indexed by UID, so that a PodSet does not adopt Pods of a deleted PodSet with the same name.
    this.pods.addIndexers({
      owner: (pod) => {
        const owner = controllerOf(pod, PodSets);
        return owner === undefined ? [] : [owner.uid];
      },
    });
    this.#controller = new Controller({
      informer: this.podSets,
      waitFor: [this.pods],
      cacheSyncTimeoutMs: 30_000,
      logger,
      reconcile: (key, { signal }) => this.#reconcile(key, signal),
    });
    const enqueueOwner = (pod: Cached<Pod>) => {
      const owner = controllerOf(pod, PodSets);
      if (owner === undefined) return;
      this.#controller.enqueue(joinMetaNamespaceKey(pod.metadata.namespace, owner.name));
    };
    this.pods.addEventHandler({
      onAdd: enqueueOwner,
      onUpdate: (_old, pod) => enqueueOwner(pod),
      onDelete: (last) => {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod !== undefined) enqueueOwner(pod);
      },
    });
  }

  /** Reports whether both caches have synced. */
  hasSynced(): boolean {
    return this.podSets.hasSynced() && this.pods.hasSynced();
  }

  /** Runs until `signal` aborts. */
  run(options: { workers: number; signal: AbortSignal }): Promise<void> {
    return this.#controller.run(options);
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const set = this.podSets.indexer.getByKey(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
    const { namespace, name, uid } = set.metadata;
    const missing = new Set(Array.from({ length: set.spec.replicas }, (_, i) => `${name}-${i}`));
    const present = this.pods.indexer.byIndex("owner", uid);
    for (const { metadata } of present) {
      if (missing.delete(metadata.name) || metadata.deletionTimestamp !== undefined) continue;
      await this.#client.delete(Pods, metadata.name, {
        namespace,
        preconditions: { uid: metadata.uid },
        signal,
      }).catch(ignore(isNotFound));
      this.#logger.info(`deleted ${metadata.name}`);
    }
    for (const podName of missing) {
      await this.#client.create(Pods, podOf(set, podName), { signal }).catch(
        ignore(isAlreadyExists),
      );
      this.#logger.info(`created ${podName}`);
    }
    if (set.status?.replicas !== present.length) {
      const status = { replicas: present.length };
      await this.#client.patchStatus(PodSets, name, { status }, { namespace, signal });
    }
  }
}

function ignore(expected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

function podOf(set: Cached<PodSet>, name: string): Pod {
  return {
    metadata: {
      name,
      ...(set.metadata.namespace !== undefined && { namespace: set.metadata.namespace }),
      labels: { podset: set.metadata.name },
      ownerReferences: [controllerReference(set, PodSets)],
    },
    spec: { containers: [{ name: "main", image: set.spec.image }] },
  };
}

/** Creates the CustomResourceDefinition of PodSets and waits until the server serves it. */
export function ensurePodSets(client: Client, signal: AbortSignal): Promise<void> {
  return ensureDefinition(client, definition, signal);
}

/**
 * The delays of the simulated kubelets and of the scenario, in milliseconds. They are short to keep the scenario short.
 */
const STEP_MS = 150;

/** Runs eight Pods, kills some of them and crashes one, scales to ten and to three, and deletes the PodSet. */
const life: Life = {
  before: ({ client, signal }) => ensurePodSets(client, signal),
  async during({ client, server, signal }) {
    await using actors = startActors(server, {
      nodes: 3,
      kubelet: { startDelayMs: STEP_MS, stopDelayMs: STEP_MS },
    });
    const call = { namespace: "default", signal };
    const say = (pods: Pod[]) => {
      const phases = new Set(pods.map(({ status }) => status?.phase));
      const nodes = new Set(pods.map(({ spec }) => spec?.nodeName));
      const where = pods.length === 0 ? "" : `, ${[...phases]} on ${nodes.size} nodes`;
      console.log(`# there are ${pods.length} Pods${where}`);
    };
    /** Waits until there are `replicas` Pods and all of them are ready. Returns their names. */
    const settled = async (replicas: number) => {
      for (;;) {
        await pause(STEP_MS, signal);
        const { items } = await client.list(Pods, { ...call, labelSelector: "podset=web" });
        if (items.length !== replicas || !items.every(isReady)) continue;
        say(items);
        return items.map(({ metadata }) => metadata.name ?? "");
      }
    };
    await client.create(PodSets, {
      metadata: { name: "web", namespace: "default" },
      spec: { replicas: 8, image: "nginx:1.29" },
    }, call);
    for (let round = 1; round <= 3; round++) {
      const victims = (await settled(8)).filter(() => Math.random() < 0.4);
      console.log(`# killing ${victims.join(", ") || "none this time"}`);
      await Promise.all(victims.map((name) => client.delete(Pods, name, call)));
    }
    const [crashing = ""] = await settled(8);
    console.log(`# ${crashing} crashes: its kubelet restarts it`);
    actors.crash(`default/${crashing}`);
    for (const replicas of [10, 3]) {
      console.log(`# scaling to ${replicas}`);
      await client.patch(PodSets, "web", { spec: { replicas } }, call);
      await settled(replicas);
    }
    console.log("# deleting the PodSet");
    await client.delete(PodSets, "web", call);
    await settled(0);
  },
};

function isReady({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined &&
    (status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}

async function main(session: Session): Promise<void> {
  const { client, namespaces, logger, http } = session;
  const manager = new Manager(client, {
    name: "podsets",
    definitions: [PodSets],
    namespaces,
    logger,
    http,
  });
  podSetController(manager);
  await runManager(manager, session, [PodSets]);
}

if (import.meta.main) {
  await runExample("Keeps as many Pods as PodSets say.", life, main);
}

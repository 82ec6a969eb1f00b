/**
 * A Deployment in small: a PodSet says how many Pods there shall be, and the controller sees to it.
 *
 * Pods that are killed come back, and the number follows `spec.replicas` up and down. Prints what it creates and deletes.
 * The Pods of a set have fixed names (`web-0`, `web-1`, …), so that a cache which is a little behind can make the
 * controller ask twice for the same Pod, but never for one too many.
 *
 * The in-process server gets a cluster around it for this: a scheduler and the kubelets of three nodes make the Pods run,
 * and take their time to stop them; the garbage collector removes them when their PodSet is deleted.
 *
 * Permissions: `--allow-net --allow-read --allow-env=KUBE_TOKEN`, on the in-process server none:
 *
 * ```sh
 * deno run examples/replicas_controller.ts
 * deno run --allow-net --allow-read examples/replicas_controller.ts --kubeconfig ~/.kube/config
 * ```
 *
 * On a cluster it runs until Ctrl-C; create PodSets with kubectl. `deploy/` has what it takes to run it in a Pod. What it
 * made there stays:
 * `kubectl delete crd podsets.demo.kubeloop.dev`.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type Cached,
  type Client,
  Controller,
  controllerOf,
  controllerReference,
  type CustomResourceDefinition,
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
import { type Life, runExample, type Session } from "./_session.ts";

/** Keeps a number of equal Pods. */
export interface PodSet extends KubeObject {
  spec: { replicas: number; image: string };
  status?: { replicas?: number };
}

/** `podsets.demo.kubeloop.dev` */
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

/** The controller and the caches it works from. */
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
    // By the uid, so that a PodSet does not take the Pods of an older one of its name for its own.
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

  /** Whether both caches hold what the cluster does. */
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

/** Makes sure that the server knows PodSets. */
export function ensurePodSets(client: Client, signal: AbortSignal): Promise<void> {
  return ensureDefinition(client, definition, signal);
}

/** What is short in this cluster, so that the story is. */
const STEP_MS = 150;

/** Eight Pods, of which some are killed and one crashes; then ten, then three; then the PodSet is deleted. */
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
    /** Waits until there are `replicas` Pods and all of them run. */
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
    console.log(`# ${crashing} crashes: that is for its kubelet to mend`);
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
  const { client, namespace, signal, logger, healthPort } = session;
  const controller = new ReplicasController(client, { namespace, logger });
  await using _health = healthPort === undefined
    ? undefined
    : await serveHealth({ port: healthPort }, () => controller.hasSynced());
  await ensurePodSets(client, signal);
  await controller.run({ workers: 2, signal });
}

if (import.meta.main) {
  await runExample("Keeps as many Pods as PodSets say.", life, main);
}

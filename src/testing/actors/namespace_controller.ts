import { type Clock, describeError, type Logger } from "@kubeloop/controller/internal/base";
import type { SharedInformer } from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller, type ReconcileResult } from "@kubeloop/controller/controller";
import {
  isNotFound,
  type KubeObject,
  type Namespace,
  Namespaces,
  resourceName,
} from "@kubeloop/controller/types";
import { discoverResources, type ServedResource } from "./control/mod.ts";
import { namespaceConditions, type RemainingContent } from "./namespace_conditions.ts";
import {
  type Actor,
  actorInformers,
  type ActorOptions,
  actorRetries,
  environmentOf,
} from "./control/mod.ts";

/** The finalizer that keeps a namespace until its content is gone. */
const FINALIZER = "kubernetes";
/** The number of namespaces that are processed concurrently. */
const WORKERS = 2;

/** Options of a {@linkcode NamespaceController}. */
export interface NamespaceControllerOptions extends ActorOptions {
  /**
   * The delay before the content of a namespace is deleted, and between checks whether content remains, in
   * milliseconds. Default 5000, as in kube-controller-manager.
   */
  readonly delayMs?: number | undefined;
}

/**
 * Deletes the content of namespaces that are being deleted, and then finalizes them, as the namespace controller of
 * kube-controller-manager does. It deletes Pods first, then all other resources that discovery lists, including custom
 * resources. The namespace stays while finalizers keep objects in it; its conditions list them.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, NamespaceController, VirtualClock } from "@kubeloop/testing";
 * import { ConfigMaps, Namespaces } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const stop = new AbortController();
 * const running = new NamespaceController({ client }).run({ signal: stop.signal });
 *
 * await client.create(Namespaces, { metadata: { name: "shop" } });
 * await client.create(ConfigMaps, { metadata: { name: "prices", namespace: "shop" } });
 * await client.delete(Namespaces, "shop");
 * await clock.advance(6000);
 * assertEquals(server.get(Namespaces, "shop"), undefined);
 * assertEquals(server.objects(ConfigMaps, "shop"), []);
 *
 * stop.abort();
 * await running;
 * ```
 */
export class NamespaceController implements Actor {
  /** `namespace-controller` */
  readonly name: string = "namespace-controller";
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #delayMs: number;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #controller: Controller;
  /** The time of the next check of each namespace that is being deleted. */
  readonly #due = new Map<string, { readonly uid: string | undefined; atMs: number }>();

  /** Creates a controller, which does nothing until {@linkcode NamespaceController.run} is called. */
  constructor(options: NamespaceControllerOptions) {
    const { client } = options;
    const { clock, random, logger } = environmentOf(options, this.name);
    this.#client = client;
    this.#clock = clock;
    this.#logger = logger;
    this.#delayMs = options.delayMs ?? 5000;
    const informers = actorInformers(client, { clock, random, logger });
    this.#namespaces = informers.informer(Namespaces);
    this.#controller = new Controller({
      ...actorRetries(),
      informer: this.#namespaces,
      clock,
      logger,
      reconcile: (key, { signal }) => this.#reconcile(key, signal),
    });
  }

  /** Runs the controller until `signal` aborts. */
  run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    return this.#controller.run({ workers: WORKERS, signal });
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult | void> {
    const namespace = this.#namespaces.indexer.getByKey(key);
    if (namespace?.metadata.deletionTimestamp === undefined) {
      this.#due.delete(key);
      return;
    }
    const { uid } = namespace.metadata;
    const nowMs = this.#clock.now();
    let due = this.#due.get(key);
    if (due === undefined || due.uid !== uid) {
      due = { uid, atMs: nowMs + this.#delayMs };
      this.#due.set(key, due);
    }
    // The controller's own writes to the namespace come back as updates, which must not cut the delay short.
    if (nowMs < due.atMs) return { requeueAfterMs: due.atMs - nowMs };
    if (await this.#empty(key, uid, signal)) return;
    due.atMs = this.#clock.now() + this.#delayMs;
    return { requeueAfterMs: this.#delayMs };
  }

  /** Deletes the content and finalizes the namespace if it is empty; returns false if content remains. */
  async #empty(name: string, uid: string | undefined, signal: AbortSignal): Promise<boolean> {
    let namespace: Namespace;
    try {
      namespace = await this.#client.get(Namespaces, name, { signal });
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
    const finalizers = namespace.spec?.finalizers ?? [];
    if (namespace.metadata.uid !== uid || !finalizers.includes(FINALIZER)) return true;
    const remaining = await this.#deleteContent(name, signal);
    const present = namespace.status?.conditions ?? [];
    const conditions = namespaceConditions(present, remaining, this.#clock.wallNow());
    if (JSON.stringify(conditions) !== JSON.stringify(present)) {
      namespace = await this.#client.patchStatus(Namespaces, name, {
        metadata: { resourceVersion: namespace.metadata.resourceVersion },
        status: { conditions },
      }, { signal });
    }
    if (remaining.resources.size > 0 || remaining.failures.length > 0) return false;
    await this.#client.update(Namespaces, {
      apiVersion: "v1",
      kind: "Namespace",
      ...namespace,
      spec: { finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER) },
    }, { subresource: "finalize", signal });
    return true;
  }

  /** Deletes the content, Pods before everything else; returns what remains. */
  async #deleteContent(namespace: string, signal: AbortSignal): Promise<RemainingContent> {
    const remaining = {
      resources: new Map<string, number>(),
      finalizers: new Map<string, number>(),
      failures: [] as string[],
    };
    const served = (await discoverResources(this.#client, { signal })).filter((resource) =>
      resource.namespaced && ["delete", "list"].every((verb) => resource.verbs.includes(verb))
    );
    const isPods = ({ group, plural }: ServedResource) => group === "" && plural === "pods";
    for (const resource of [...served.filter(isPods), ...served.filter((one) => !isPods(one))]) {
      // Pods may need the other objects for a graceful shutdown.
      if (!isPods(resource) && remaining.resources.has("pods.")) break;
      try {
        const left = await this.#deleteAll(resource, namespace, signal);
        if (left.length === 0) continue;
        remaining.resources.set(`${resource.plural}.${resource.group}`, left.length);
        for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
          remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1);
        }
      } catch (error) {
        if (signal.aborted) throw error;
        this.#logger.warn(
          `Deleting the ${resourceName(resource)} of namespace ${namespace} failed: ${
            describeError(error)
          }`,
        );
        remaining.failures.push(describeError(error));
      }
    }
    return remaining;
  }

  async #deleteAll(
    resource: ServedResource,
    namespace: string,
    signal: AbortSignal,
  ): Promise<KubeObject[]> {
    const call = { namespace, signal };
    const list = async () => (await this.#client.list(resource, call)).items;
    const present = await list();
    if (present.length === 0) return present;
    const options = { ...call, propagationPolicy: "Background" } as const;
    if (resource.verbs.includes("deletecollection")) {
      await this.#client.deleteCollection(resource, options);
    } else {
      for (const { metadata } of present) {
        await this.#client.delete(resource, metadata.name ?? "", options).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
    }
    return await list();
  }
}

import { onAbort } from "@kubeloop/controller/internal/base";
import { transformStripManagedFields } from "@kubeloop/controller/cache";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  CustomResourceDefinitions,
  isNotFound,
  type KubeObject,
  resourceName,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  keyOf,
  Reconciler,
  type ServedResource,
} from "./control/mod.ts";
import { type ResourceQuota, ResourceQuotas } from "./quota_kinds.ts";
import { countedNames, isSameUsage, totalUsage, type Usage, usageIn } from "./quota_usage.ts";
import { ResourceMonitors } from "./resource_monitors.ts";

/** How often every quota is counted again, as in kube-controller-manager. */
const RESYNC_MS = 300_000;

/**
 * Writes the limits and the usage of each ResourceQuota to its status, as the resourcequota controller of
 * kube-controller-manager does. Admission adds the usage of a write; the controller counts anew when objects are added or
 * deleted, when their usage changes, for example when a Pod ends, and every 5 minutes.
 *
 * It watches only the resources that quotas limit, including custom resources. It counts the objects that the API server
 * lists, not its caches, so that it never undoes a charge of admission.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, ResourceQuotaController, VirtualClock } from "@kubeloop/testing";
 * import { ConfigMaps, defineResource, type KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * type ResourceQuota = KubeObject & { spec?: object; status?: object };
 * const ResourceQuotas = defineResource<ResourceQuota>({
 *   group: "",
 *   version: "v1",
 *   plural: "resourcequotas",
 *   kind: "ResourceQuota",
 *   namespaced: true,
 * });
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const stop = new AbortController();
 * const running = new ResourceQuotaController({ client }).run({ signal: stop.signal });
 *
 * const call = { namespace: "default" };
 * const hard = { configmaps: "1" };
 * await client.create(ResourceQuotas, { metadata: { name: "few" }, spec: { hard } }, call);
 * await clock.advance(1000);
 * await client.create(ConfigMaps, { metadata: { name: "a" } }, call);
 * await client.delete(ConfigMaps, "a", call);
 * await clock.advance(1000);
 * const { status } = await client.get(ResourceQuotas, "few", call);
 * assertEquals(status, { hard, used: { configmaps: "0" } });
 *
 * stop.abort();
 * await running;
 * ```
 */
export class ResourceQuotaController implements Actor {
  /** `resourcequota-controller` */
  readonly name: string = "resourcequota-controller";
  readonly #frame: Reconciler<ResourceQuota>;
  readonly #monitors: ResourceMonitors;
  /** The names that the quotas limit. */
  #limited: ReadonlySet<string> = new Set();
  /** The limited names when the watches were started. */
  #covered: ReadonlySet<string> = new Set();

  /** Creates a controller, which does nothing until {@linkcode ResourceQuotaController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: ResourceQuotas,
      reconcile: (quota, signal) => this.#reconcile(quota, signal),
      // The key of a quota that was deleted, or the name of a definition.
      gone: () => this.#refresh(),
    });
    this.#monitors = new ResourceMonitors({
      client: this.#frame.client,
      clock: this.#frame.clock,
      random: this.#frame.random,
      logger: this.#frame.logger,
      wants: (resource) =>
        resource.namespaced && countedNames(resourceName(resource), this.#limited).length > 0,
      keep: transformStripManagedFields,
      changed: (resource, object, old) => this.#changed(resource, object, old),
      gone: (resource, object) => this.#changed(resource, object),
      dropped: () => {},
      synced: () => this.#quotas().forEach(this.#enqueue),
    });
    const enqueue = this.#enqueue;
    this.#frame.related(CustomResourceDefinitions).addEventHandler({
      onAdd: enqueue,
      onUpdate: (_old, definition) => enqueue(definition),
      onDelete: () => this.#frame.enqueue(""),
    });
  }

  /** Runs the controller until `signal` aborts. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const release = onAbort(signal, () => void this.#monitors.stop());
    try {
      await this.#frame.run({ signal });
    } finally {
      release();
      await this.#monitors.stop();
    }
  }

  readonly #enqueue = (object: Cached<KubeObject>): void => this.#frame.enqueue(keyOf(object));

  #quotas(): Cached<ResourceQuota>[] {
    return this.#frame.objects.indexer.list();
  }

  /** Watches the served resources that the quotas limit. */
  async #refresh(): Promise<void> {
    const limited = new Set(this.#quotas().flatMap(namesOf));
    if (limited.size === 0 && this.#covered.size === 0) return;
    this.#limited = limited;
    await this.#monitors.refresh();
    this.#covered = limited;
  }

  /** Enqueues the quotas whose usage by an object has changed. */
  #changed(resource: ServedResource, object: Cached<KubeObject>, old?: Cached<KubeObject>): void {
    const counted = resourceName(resource);
    const nowMs = this.#frame.clock.wallNow();
    const { namespace = "" } = object.metadata;
    for (const quota of this.#frame.objects.indexer.byIndex("namespace", namespace)) {
      const names = countedNames(counted, namesOf(quota));
      if (names.length === 0) continue;
      const of = (one: Cached<KubeObject>) => usageIn(quota, counted, one, { names, nowMs });
      if (old === undefined || !isSameUsage(of(old), of(object))) this.#enqueue(quota);
    }
  }

  async #reconcile(quota: Cached<ResourceQuota>, signal: AbortSignal): Promise<ReconcileResult> {
    const names = namesOf(quota);
    if (!names.every((name) => this.#covered.has(name))) await this.#refresh();
    const { spec = {}, status = {} } = quota;
    const { hard = {} } = spec;
    // Names without a served resource keep their usage.
    const kept = Object.entries(status.used ?? {}).filter(([name]) => Object.hasOwn(hard, name));
    const used = { ...Object.fromEntries(kept), ...await this.#count(quota, names, signal) };
    if (!isSameUsage(hard, status.hard ?? {}) || !isSameUsage(used, status.used ?? {})) {
      const counted = { ...quota, status: { hard, used } } as ResourceQuota;
      await this.#frame.client.updateStatus(ResourceQuotas, counted, { signal });
    }
    return { requeueAfterMs: RESYNC_MS };
  }

  async #count(
    quota: Cached<ResourceQuota>,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Usage> {
    const { client, clock } = this.#frame;
    const call = { namespace: quota.metadata.namespace ?? "", signal };
    const counted: Record<string, string> = {};
    for (const resource of this.#monitors.resources) {
      const name = resourceName(resource);
      const limited = countedNames(name, names);
      if (limited.length === 0) continue;
      try {
        const { items } = await client.list(resource, call);
        const nowMs = clock.wallNow();
        const usages = items.map((object) =>
          usageIn(quota, name, object as Cached<KubeObject>, { names: limited, nowMs })
        );
        Object.assign(counted, totalUsage(limited, usages));
      } catch (error) {
        // The resource is not served any more, which the next refresh finds out.
        if (!isNotFound(error)) throw error;
      }
    }
    return counted;
  }
}

function namesOf({ spec }: Cached<ResourceQuota>): string[] {
  return Object.keys(spec?.hard ?? {});
}

import {
  type Clock,
  LinkedAbort,
  type Logger,
  type Random,
} from "@kubeloop/controller/internal/base";
import {
  DeletedFinalStateUnknown,
  type HandlerRegistration,
  SharedInformer,
} from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import {
  apiVersionOf,
  type Cached,
  type KubeObject,
  type OwnerReference,
  resourceName,
} from "@kubeloop/controller/types";
import { ACTOR_WATCHES, discoverResources, type ServedResource } from "./control/mod.ts";
import { isOfKind } from "./owner_graph.ts";

/** Options of {@linkcode ResourceMonitors}. */
export interface ResourceMonitorsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Reports whether to monitor a resource. Default: all of them. */
  readonly wants?: (resource: ServedResource) => boolean;
  /** Returns what is kept of an object. */
  readonly keep: (object: KubeObject) => KubeObject;
  /** Called when an object was added, or updated from `old`. */
  readonly changed: (
    resource: ServedResource,
    object: Cached<KubeObject>,
    old?: Cached<KubeObject>,
  ) => void;
  /** Called when an object was deleted. */
  readonly gone: (resource: ServedResource, object: Cached<KubeObject>) => void;
  /** Called when a resource is no longer served. */
  readonly dropped: (resource: ServedResource) => void;
  /** Called when every monitored resource has synced, and again after each refresh. */
  readonly synced: () => void;
}

interface Monitor {
  readonly resource: ServedResource;
  readonly link: LinkedAbort;
  readonly registration: HandlerRegistration;
  readonly running: Promise<void>;
}

/** The verbs that a resource must support to be monitored. */
const VERBS = ["delete", "list", "watch"];
/** Events have no owners, and there are many of them. */
const IGNORED: ReadonlySet<string> = new Set(["events", "events.events.k8s.io"]);

/**
 * Informers for all resources that can be listed, watched and deleted, or for a choice of them.
 * {@linkcode ResourceMonitors.refresh} starts and stops them when resources are added and removed.
 */
export class ResourceMonitors {
  readonly #options: ResourceMonitorsOptions;
  readonly #stop = new AbortController();
  readonly #monitors = new Map<string, Monitor>();
  readonly #stopping = new Set<Promise<void>>();
  #refreshing: Promise<void> = Promise.resolve();
  #isRefreshed = false;

  /** Creates monitors, which start with the first {@linkcode ResourceMonitors.refresh}. */
  constructor(options: ResourceMonitorsOptions) {
    this.#options = options;
  }

  /** Reports whether every monitored resource has synced. */
  hasSynced(): boolean {
    if (!this.#isRefreshed) return false;
    for (const { registration } of this.#monitors.values()) {
      if (!registration.hasSynced()) return false;
    }
    return true;
  }

  /** The monitored resources. */
  get resources(): ServedResource[] {
    return Array.from(this.#monitors.values(), ({ resource }) => resource);
  }

  /** Returns the resource that serves the kind of an owner. */
  find(reference: OwnerReference): ServedResource | undefined {
    for (const { resource } of this.#monitors.values()) {
      if (isOfKind(resource, reference)) return resource;
    }
    return undefined;
  }

  /** Repeats discovery. Refreshes run one after another, so that an older result never replaces a newer one. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => {}).then(() => this.#refresh());
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const { signal } = this.#stop;
    let served: ServedResource[];
    try {
      served = await discoverResources(this.#options.client, { signal });
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (signal.aborted) return;
    const { wants = () => true } = this.#options;
    const wanted = new Map(
      served.filter((resource) => isMonitored(resource) && wants(resource))
        .map((resource) => [keyOf(resource), resource]),
    );
    for (const [key, monitor] of this.#monitors) {
      if (wanted.delete(key)) continue;
      this.#monitors.delete(key);
      this.#end(monitor);
      this.#options.dropped(monitor.resource);
    }
    for (const [key, resource] of wanted) this.#monitors.set(key, this.#monitor(resource));
    this.#isRefreshed = true;
    if (this.hasSynced()) this.#options.synced();
  }

  /** Stops all informers and cancels a refresh in progress; resolves when the informers have stopped. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([
      ...Array.from(this.#monitors.values(), ({ running }) => running),
      ...this.#stopping,
    ]);
  }

  #monitor(resource: ServedResource): Monitor {
    const { changed, client, clock, gone, keep, logger, random } = this.#options;
    const informer = new SharedInformer<KubeObject>(client.listerWatcher(resource), {
      ...ACTOR_WATCHES,
      name: resourceName(resource),
      clock,
      random,
      logger,
      transform: keep,
    });
    const registration = informer.addEventHandler({
      onAdd: (object) => changed(resource, object),
      onUpdate: (old, object) => {
        const isSame = old.metadata.uid === object.metadata.uid;
        if (!isSame) gone(resource, old);
        changed(resource, object, isSame ? old : undefined);
      },
      onDelete: (last) => {
        const object = DeletedFinalStateUnknown.lastKnownState(last);
        if (object !== undefined) gone(resource, object);
      },
    });
    const link = new LinkedAbort(this.#stop.signal);
    // It logs why it fails, which it does only when the client is closed.
    const running = informer.run({ signal: link.signal }).catch(() => {});
    registration.whenSynced({ signal: link.signal }).then(
      () => this.hasSynced() && this.#options.synced(),
      () => {}, // The monitor was stopped first.
    );
    return { resource, link, registration, running };
  }

  #end({ link, running }: Monitor): void {
    link.abort();
    this.#stopping.add(running);
    running.then(() => this.#stopping.delete(running));
  }
}

function isMonitored(resource: ServedResource): boolean {
  return VERBS.every((verb) => resource.verbs.includes(verb)) &&
    !IGNORED.has(resourceName(resource));
}

/** Identifies a monitor. A resource whose version, kind or scope changes gets a new monitor. */
function keyOf(resource: ServedResource): string {
  return `${apiVersionOf(resource)} ${resource.kind} ${resource.plural} ${resource.namespaced}`;
}

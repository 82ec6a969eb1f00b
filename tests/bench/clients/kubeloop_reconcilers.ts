/**
 * Reconcilers of Pods: a bare `Controller`, and a `Manager` with everything that it does by default: metrics, stories, the
 * gate, priorities. They have no other handlers.
 *
 * @module
 */

import { Manager, type Pod, Pods, ReplicaSets, SharedInformer } from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import type {
  Handlers,
  InformerClient,
  PodView,
  RunningInformer,
  Scope,
} from "./informer_client.ts";
import { clientOf, runInformer } from "./kubeloop.ts";

/** How often a reconciler looks for progress, in milliseconds. */
const TICK_MS = 50;

/** The progress of a cache. */
interface Progress {
  readonly size: number;
  lastStoreSyncResourceVersion(): string;
}

/** Runs a reconciler that calls `reconcile` in each reconcile, with the Pod if it reads that, and returns its cache of Pods. */
type Reconciler = (scope: Scope, reconcile: (pod?: PodView) => void) => Progress;

/** Returns an informer with a `Controller`, without metrics, that reads every Pod it reconciles. */
export function bareController(): InformerClient<PodView | undefined> {
  return follow(({ server }, reconcile) => {
    const source = clientOf(server).listerWatcher(Pods);
    const informer = new SharedInformer<Pod>(source, { resource: Pods });
    runInformer(informer, { reconcile });
    return informer.indexer;
  });
}

/** Returns a `Manager` that reconciles a Pod for every event, and reads it. */
export function managed(): InformerClient<PodView | undefined> {
  return manager((manager, reconcile) =>
    manager.controller(Pods, { when: anyChange }).reconcile(({ object }) => reconcile(object))
  );
}

/** Returns a `Manager` with the default predicate, for which no event of the stub server is a reason to reconcile. */
export function filtered(): InformerClient<PodView | undefined> {
  return manager((manager, reconcile) => manager.controller(Pods).reconcile(() => reconcile()));
}

/** Returns a `Manager` with a user's function over both versions, which is false for every event of the stub server. */
export function withFunction(): InformerClient<PodView | undefined> {
  return manager((manager, reconcile) =>
    manager.controller(Pods, {
      when: ({ type, object, old }) =>
        type !== "updated" || object.status?.phase !== old?.status?.phase,
    }).reconcile(() => reconcile())
  );
}

/** Returns a `Manager` that reconciles the owners of Pods: every event of a Pod reconciles its ReplicaSet. */
export function owning(): InformerClient<PodView | undefined> {
  return manager((manager, reconcile) =>
    manager.controller(ReplicaSets).owns(Pods).reconcile(() => reconcile())
  );
}

function manager(
  declare: (manager: Manager, reconcile: (pod?: PodView) => void) => unknown,
): InformerClient<PodView | undefined> {
  return follow(({ server }, reconcile) => {
    const manager = new Manager(clientOf(server));
    declare(manager, reconcile);
    void manager.run();
    // The informers of a cache are not public.
    const { informers: [informer] } = manager.cache(Pods) as unknown as {
      readonly informers: readonly [{ readonly indexer: Progress }];
    };
    return informer.indexer;
  });
}

/**
 * Calls the handlers of a reconciler, which has none for events: `add` for each reconcile, and `update` for each event once
 * the cache has it and nothing has happened for a tick, so that all reconciles have ended.
 */
function follow(run: Reconciler): InformerClient<PodView | undefined> {
  return {
    start(scope: Scope, handlers: Handlers<PodView | undefined>): RunningInformer {
      let reconciles = 0;
      const cache = run(scope, (pod) => {
        reconciles++;
        handlers.add(pod);
        if (pod !== undefined) handlers.reconcile?.(pod);
      });
      let before = "";
      let told = 0;
      setInterval(() => {
        const version = Number(cache.lastStoreSyncResourceVersion());
        const now = `${version} ${reconciles}`;
        if (version > 0 && now === before) {
          for (let seen = told || version; seen < version; seen++) handlers.update(undefined);
          told = version;
        }
        before = now;
      }, TICK_MS);
      return { size: () => cache.size };
    },
    nameOf: (pod) => pod?.metadata.name ?? "",
    podOf: (pod) => pod ?? { metadata: {} },
  };
}

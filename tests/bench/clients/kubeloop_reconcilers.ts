/**
 * The same reconcile of Pods by a `Controller` and by a `Manager`, to compare what they cost. Both have no other handlers.
 *
 * @module
 */

import { Client, Manager, type Pod, Pods, SharedInformer } from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import type { Handlers, InformerClient, RunningInformer, Scope } from "./informer_client.ts";
import { runInformer } from "./kubeloop.ts";

/** Returns an informer with a `Controller`, without metrics. */
export function bareController(): InformerClient<Pod> {
  return reconciler(({ server }, handlers) => {
    const source = new Client({ server }).listerWatcher(Pods);
    return runInformer(new SharedInformer<Pod>(source, { resource: Pods }), handlers);
  });
}

/** Returns a `Manager` with everything that it does by default: metrics, stories, the gate, priorities. */
export function managed(): InformerClient<Pod> {
  return reconciler(({ server }, { reconcile }) => {
    const manager = new Manager(new Client({ server }));
    const cache = manager.cache(Pods);
    manager.controller(Pods, { when: anyChange }).reconcile(({ object }) => reconcile?.(object));
    void manager.run();
    return { size: () => cache.list().length };
  });
}

function reconciler(
  start: (scope: Scope, handlers: Handlers<Pod>) => RunningInformer,
): InformerClient<Pod> {
  return { start, nameOf: ({ metadata }) => metadata.name ?? "", podOf: (object) => object };
}

/**
 * kubeloop's informer with a handler that gets keys, as that of a Controller does: the cache holds JSON.
 *
 * @module
 */

import { type Pod, Pods, SharedInformer } from "@kubeloop/controller";
import type { ObjectChange } from "@kubeloop/controller/cache";
import type { Handlers, InformerClient, RunningInformer, Scope } from "./informer_client.ts";
import { clientOf, runInformer } from "./kubeloop.ts";

/** A client whose handler gets keys, and reads none of the Pods. */
export function keys(): InformerClient<ObjectChange> {
  let read = (_key: string): Pod | undefined => undefined;
  return {
    start({ server, namespace }: Scope, handlers: Handlers<ObjectChange>): RunningInformer {
      const source = clientOf(server).listerWatcher(Pods, { namespace });
      const informer = new SharedInformer<Pod>(source, { resource: Pods });
      read = (key) => informer.indexer.getByKey(key) as Pod | undefined;
      informer.addChangeHandler((change) => {
        if (change.type === "Added") handlers.add(change);
        else if (change.type === "Updated") handlers.update(change);
      });
      return runInformer(informer, handlers);
    },
    nameOf: ({ name }) => name,
    podOf: ({ key }) => read(key) ?? { metadata: {} },
  };
}

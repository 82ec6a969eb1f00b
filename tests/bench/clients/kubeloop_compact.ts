/**
 * kubeloop's informer with `cache: "compact"`: handlers get references, and the cache holds JSON.
 *
 * @module
 */

import { Client, type ObjectRef, type Pod, Pods, SharedInformer } from "@kubeloop/controller";
import type { Handlers, InformerClient, RunningInformer, Scope } from "./informer_client.ts";
import { runInformer } from "./kubeloop.ts";

/** Returns a client whose handlers read keys, and the whole Pod of every `readEvery`th event. Default: of none. */
export function kubeloopCompact(
  { readEvery = Infinity }: { readonly readEvery?: number } = {},
): InformerClient<ObjectRef<Pod>> {
  let untilRead = readEvery;
  return {
    start({ server, namespace }: Scope, handlers: Handlers<ObjectRef<Pod>>): RunningInformer {
      const client = new Client({ server });
      const source = client.listerWatcher(Pods, { namespace });
      const informer = new SharedInformer<Pod, "compact">(source, {
        resource: Pods,
        cache: "compact",
      });
      informer.addEventHandler({
        onAdd: (ref) => handlers.add(ref),
        onUpdate: (_, ref) => handlers.update(ref),
      });
      return runInformer(informer, handlers);
    },
    nameOf(ref) {
      if (--untilRead > 0) return ref.name;
      untilRead = readEvery;
      return ref.object().metadata.name ?? "";
    },
    podOf: (ref) => ref.object(),
  };
}

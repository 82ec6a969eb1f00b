/**
 * What an informer is made of, without a server: a FakeControllerSource is listed and watched into a DeltaFIFO, which
 * knows the objects of a downstream Store, and a `process` function takes from it.
 *
 * That function deletes everything that comes in, and the deletions come in as well. Prints the keys that were deleted, in
 * order: a-hello, b-controller, c-framework.
 *
 * Permissions: none. There is nothing to connect to, so it has no connection flags.
 *
 * ```sh
 * deno run examples/fake_source.ts
 * ```
 *
 * @module
 */

import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type KubeObject,
  metaNamespaceKeyFunc,
} from "@kubeloop/controller";
import { DeltaFIFO, Informer, newStore } from "@kubeloop/controller/cache";
import { FakeControllerSource } from "@kubeloop/testing";

const NAMES = ["a-hello", "b-controller", "c-framework"];

const source = new FakeControllerSource();
const downstream = newStore<KubeObject>(metaNamespaceKeyFunc);
const stop = new AbortController();
const deleted: string[] = [];

const informer = new Informer<KubeObject>({
  listerWatcher: source,
  // With the downstream store as what is known, the queue can tell what went missing during a gap.
  queue: new DeltaFIFO<KubeObject>({ knownObjects: downstream }),
  // Without the pauses that a failing process would make, this puts failed changes back on the queue.
  retryOnError: true,
  process(deltas) {
    for (const { type, object } of deltas) {
      if (type === "Deleted") {
        downstream.delete(object);
        record(object);
      } else {
        const added = object as KubeObject;
        downstream.add(added);
        source.delete(added);
      }
    }
  },
});

function record(object: KubeObject | DeletedFinalStateUnknown<KubeObject>): void {
  deleted.push(deletionHandlingMetaNamespaceKeyFunc(object));
  if (deleted.length === NAMES.length) stop.abort();
}

const running = informer.run({ signal: stop.signal });
for (const name of NAMES) source.add({ metadata: { name } });
await running;
for (const key of deleted.sort()) console.log(key);

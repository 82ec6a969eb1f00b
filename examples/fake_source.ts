/**
 * The parts of an informer, without a server. The informer lists and watches a FakeControllerSource and adds the
 * changes to a DeltaFIFO, whose known objects come from a downstream Store. A `process` function handles the popped
 * deltas.
 *
 * The function deletes every object that is added, and then receives the deletion. The example prints the deleted keys,
 * sorted: a-hello, b-controller, c-framework.
 *
 * The example connects to no server, so it needs no permission and has no connection flags:
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
  // From the known objects, the queue detects objects that were deleted while the watch was interrupted.
  queue: new DeltaFIFO<KubeObject>({ knownObjects: downstream }),
  // Puts deltas back on the queue if `process` throws.
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

import { metaNamespaceKeyFunc, SharedInformer } from "@kubeloop/controller/cache";
import type { Clock } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { Details, ReadObject } from "../record/mod.ts";
import { currentReconcile } from "./ambient.ts";

/** Returns the process of an informer, by the clock that the informer has inherited; undefined if it is of no process. */
type ProcessOf = (clock: Clock | undefined) => string | undefined;

type Call = Parameters<Informer["run"]>[0];
type Informer = SharedInformer<KubeObject>;
type Objects = readonly (ReadObject | undefined)[];

/** Records the reads of the caches of informers that are started from now on. The returned function ends that. */
export function recordCacheReads(details: Details, processOf: ProcessOf): () => void {
  const { prototype } = SharedInformer;
  const { run, runShared } = prototype;
  const observed = new WeakSet<Informer>();
  let isOver = false;
  const begin = (informer: Informer) => {
    const process = isOver ? undefined : processOf(informer.environment.clock);
    if (process === undefined || observed.has(informer)) return;
    observed.add(informer);
    observe(informer, process, details);
  };
  const ours = {
    run(this: Informer, call?: Call): Promise<void> {
      begin(this);
      return run.call(this, call);
    },
    runShared(this: Informer, call?: Call): Promise<void> {
      begin(this);
      return runShared.call(this, call);
    },
  };
  Object.assign(prototype, ours);
  return () => {
    isOver = true;
    // Another run may have wrapped them since.
    if (prototype.run === ours.run) Object.assign(prototype, { run, runShared });
  };
}

/** Wraps the methods with which the users of an informer read its cache. */
function observe(informer: Informer, process: string, details: Details): void {
  const { indexer, name } = informer;
  const note = <R>(key: string | undefined, found: R, objects: Objects): R => {
    details.read({
      process,
      reconcile: currentReconcile(),
      cache: indexer,
      name,
      key,
      objects: objects.filter((object) => object !== undefined),
    });
    return found;
  };
  const { hold, itemByKey, read } = informer;
  // The controllers of a manager read stored forms.
  Object.assign(informer, {
    itemByKey(key: string) {
      const found = itemByKey.call(informer, key);
      return found === undefined && currentReconcile() !== undefined ? note(key, found, []) : found;
    },
    read(item: Parameters<typeof read>[0]) {
      const found = read.call(informer, item);
      return note(metaNamespaceKeyFunc(found), found, [found]);
    },
    hold(item: Parameters<typeof hold>[0]) {
      const held = hold.call(informer, item);
      return () => {
        const found = held();
        return note(metaNamespaceKeyFunc(found), found, [found]);
      };
    },
  });
  const { byIndex, getByKey, index, list } = indexer;
  Object.assign(indexer, {
    getByKey(key: string) {
      const found = getByKey.call(indexer, key);
      return note(key, found, [found]);
    },
    list() {
      const found = list.call(indexer);
      return note(undefined, found, found);
    },
    byIndex(indexName: string, value: string) {
      const found = byIndex.call(indexer, indexName, value);
      return note(undefined, found, found);
    },
    index(indexName: string, object: never) {
      const found = index.call(indexer, indexName, object);
      return note(undefined, found, found);
    },
  });
}

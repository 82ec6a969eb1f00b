/** A bug that is put into the library on purpose. */
export interface Mutant {
  /** The effect on the library. */
  readonly name: string;
  /** The file below `src`. */
  readonly file: string;
  /** A piece of text that the file has exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The seed of the first plan, shortly before the plan that finds it, if that is far from 1. */
  readonly from?: number;
}

/** Bugs that the simulation of the library itself must find. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "a watch that has failed, with a 410 for example, is resumed without a list",
    file: "cache/reflector/watch_end.ts",
    find: 'isInternal(end.error)) return again(report);\n      return "relist";',
    replace: "isInternal(end.error)) return again(report);\n      return again(report);",
  },
  {
    name: "a silent watch is never dropped",
    file: "cache/reflector/watch_session.ts",
    find: '      () => settle({ kind: "silent", reason: `It received no event',
    replace: '      () => void ({ kind: "silent", reason: `It received no event',
  },
  {
    name: "the events behind the bookmark of a streaming list are lost",
    file: "cache/reflector/watch_session.ts",
    find: "          this.#unhandled = events.slice(i + 1);\n",
    replace: "",
    from: 221,
  },
  {
    name: "a bookmark is taken as an event",
    file: "cache/reflector/event_handling.ts",
    find: "          return this.#bookmark(receivedVersion(event.object.metadata));",
    replace: "          return this.#store.update(event.object as never);",
  },
  {
    name: "the resource version is not advanced by events",
    file: "cache/reflector/event_handling.ts",
    find: "    if (this.#inOrder) this.#reach(resourceVersion);\n",
    replace: "",
  },
  {
    name: "a version that the server does not have is asked for again and again",
    file: "cache/reflector/reflector_position.ts",
    find: "    this.#unavailable = true;\n",
    replace: "",
  },
  {
    name: "requests are not paced",
    file: "cache/reflector/request_pacer.ts",
    find: "    if (waitMs === 0) {",
    replace: "    if (waitMs >= 0) {",
    from: 54,
  },
  {
    name: "only the first resync happens",
    file: "cache/reflector/watch_loop.ts",
    find: "store.resync();\n      timer = clock.setTimer(fire, resyncPeriodMs);",
    replace: "store.resync();",
  },
  {
    name: "the items before an expired page are kept",
    file: "pager/list_pager.ts",
    find: "        merged = undefined;\n        progress",
    replace: "        progress",
    from: 750,
  },
  {
    name: "the last page of a list is left out",
    file: "pager/list_pager.ts",
    find: "      for (const item of page.items) merged.items.push(item);",
    replace: "      if (token) for (const item of page.items) merged.items.push(item);",
  },
  {
    name: "a list does not delete what it lacks",
    file: "cache/queue/delta_fifo.ts",
    find: "this.#deleteQueued(listed) + this.#deleteKnown(listed)",
    replace: "this.#deleteQueued(listed)",
  },
  {
    name: "a deletion is taken only for an object with queued changes",
    file: "cache/queue/delta_fifo.ts",
    find: "    if (this.#items.has(key) || this.#isKnown(key)) {\n",
    replace: "    if (this.#items.has(key)) {\n",
  },
  {
    name: "a tombstone does not delete from the cache",
    file: "cache/informer/process_deltas.ts",
    find: "      target.delete(object, key);\n",
    replace: "      if (!DeletedFinalStateUnknown.is(object)) target.delete(object, key);\n",
  },
  {
    name: "a deleted object stays in the indices",
    file: "cache/store/indexed_store.ts",
    find: "      for (const index of this.#indices) index.delete(key);\n",
    replace: "",
  },
  {
    name: "an object stays under its old index value",
    file: "cache/store/index.ts",
    find: "      for (const value of before) if (!kept.has(value)) this.#remove(value, key);\n",
    replace: "      void kept, before;\n",
  },
  {
    name: "only the first handler that is due gets its resync",
    file: "cache/informer/shared_processor.ts",
    find: "      if (listener.shouldResync(nowMs)) isDue = true;",
    replace: "      isDue ||= listener.shouldResync(nowMs);",
  },
  {
    name: "the next event does not wait for an asynchronous handler",
    file: "cache/informer/processor_listener.ts",
    find: "        await result;\n        budget.restart();",
    replace: "        budget.restart();",
  },
  {
    name: "a late handler is not told what the cache has",
    file: "cache/informer/shared_informer.ts",
    find:
      '        listener.push({ type: "Added", item, old: undefined, isInInitialList: true });\n',
    replace: "        void item;\n",
    from: 60,
  },
  {
    name: "a removed handler still gets what waits for it",
    file: "cache/informer/shared_processor.ts",
    find: "    listener.stop();\n    this.#leaving",
    replace: "    this.#leaving",
    from: 41,
  },
  {
    name: "a key that is added while it is processed is handed out at once",
    file: "workqueue/work_queue.ts",
    find: "    if (state === PROCESSING) this.#states.set(item, PROCESSING_DIRTY);\n",
    replace: "    if (this.#shuttingDown) return;\n",
  },
  {
    name: "a key that was added while it was processed is lost",
    file: "workqueue/work_queue.ts",
    find: "    if (state === PROCESSING_DIRTY) {\n      this.#enqueue(item);",
    replace: "    if (state === PROCESSING_DIRTY) {\n      this.#states.delete(item);",
  },
  {
    name: "a worker that stops waiting takes an item with it",
    file: "workqueue/work_queue.ts",
    find: "        this.#waiters.delete(waiter);\n        reject(reason);",
    replace: "        reject(reason);",
  },
  {
    name: "delayed keys after the first are dropped",
    file: "workqueue/delays.ts",
    find: "      this.#addReady();\n      this.#arm();",
    replace: "      this.#addReady();",
  },
  {
    name: "of two delays the later applies",
    file: "workqueue/delays.ts",
    find: "    } else if (readyAtMs < delayed.readyAtMs) {",
    replace: "    } else if (readyAtMs > delayed.readyAtMs) {",
  },
  {
    name: "a queue that is shut down leaves its timer",
    file: "workqueue/delays.ts",
    find: "    this.#timer?.cancel();\n",
    replace: "",
    from: 42,
  },
  {
    name: "a worker forgets to call done()",
    file: "controller/workers.ts",
    find: "        queue.done(key);\n",
    replace: "",
  },
  {
    name: "a failed key is not tried again",
    file: "controller/workers.ts",
    find: "      queue.addRateLimited(key, retryAfterOf(error));\n",
    replace: "      void retryAfterOf;\n",
  },
  {
    name: "a key that is enqueued during its reconcile is lost",
    file: "controller/workers.ts",
    find: "    this.#active.set(key, true);\n    this.#again(key, 0);",
    replace: "    this.#active.set(key, true);",
  },
  {
    name: "workers do not wait for the caches",
    file: "controller/controller.ts",
    find: "      await this.#waitForSync(informers);\n",
    replace: "      void this.#waitForSync(informers).catch(() => {});\n",
  },
];

/**
 * The classic: an informer, an Indexer, a rate-limited queue and workers, with all the parts in plain sight. `Controller`
 * of this library is the same thing ready-made.
 *
 * Prints `Sync/Add/Update for Pod NAME` for every Pod that is there or has changed, and `Pod NAMESPACE/NAME does not exist
 * anymore` for those that are gone. A Pod labelled `poisoned` makes its sync fail: it is retried five times, later each
 * time, and then dropped. On the in-process server (`deno task demo`) such things happen by themselves, and it ends after
 * some seconds; on a cluster it runs until Ctrl-C.
 *
 * Permissions: `--allow-net --allow-read --allow-env=KUBE_TOKEN`, on the in-process server none:
 *
 * ```sh
 * deno run examples/pod_controller.ts
 * deno run --allow-net --allow-read examples/pod_controller.ts --kubeconfig ~/.kube/config --namespace default
 * ```
 *
 * @module
 */

import {
  type Cached,
  defaultControllerRateLimiter,
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type Logger,
  type Pod,
  Pods,
  RateLimitingQueue,
  type ReadonlyIndexer,
  type SharedInformer,
  SharedInformerFactory,
  waitForCacheSync,
} from "@kubeloop/controller";
import { demoLife } from "./_demo_life.ts";
import { runExample, type Session } from "./_session.ts";

const MAX_RETRIES = 5;
const SYNC_TIMEOUT_MS = 30_000;
/** What a request to the API server would take. */
const WORK_MS = 10;

/** Prints what happens to Pods; stands for something useful. */
export class PodController {
  readonly #informer: SharedInformer<Pod>;
  readonly #indexer: ReadonlyIndexer<Cached<Pod>>;
  readonly #queue = new RateLimitingQueue<string>(defaultControllerRateLimiter());
  readonly #logger: Logger;
  /** What it has done so far. */
  readonly counts = { synced: 0, gone: 0, retried: 0, dropped: 0 };

  constructor(informer: SharedInformer<Pod>, logger: Logger) {
    this.#informer = informer;
    this.#indexer = informer.indexer;
    this.#logger = logger;
    // Handlers only put keys on the queue. Of an object that changes ten times before a worker has time for it, there is
    // one key.
    const enqueue = (pod: Cached<Pod> | DeletedFinalStateUnknown<Cached<Pod>>) =>
      this.#queue.add(deletionHandlingMetaNamespaceKeyFunc(pod));
    informer.addEventHandler({
      onAdd: (pod) => enqueue(pod),
      onUpdate: (_old, pod) => enqueue(pod),
      // A Pod whose deletion was missed comes as a tombstone, which has the key.
      onDelete: (pod) => enqueue(pod),
    });
  }

  /** Starts the informer, waits for its cache, and has `workers` work until `signal` aborts. */
  async run(workers: number, signal: AbortSignal): Promise<void> {
    this.#logger.info("Starting Pod controller");
    const stop = new AbortController();
    const stopAll = () => stop.abort(signal.reason);
    signal.addEventListener("abort", stopAll, { once: true });
    const informing = this.#informer.run({ signal: stop.signal });
    try {
      // No work before everything is in the cache, or Pods would look gone that are only not yet seen.
      await waitForCacheSync({ signal, timeoutMs: SYNC_TIMEOUT_MS }, this.#informer);
      stop.signal.addEventListener("abort", () => this.#queue.shutDown(), { once: true });
      await Promise.all(Array.from({ length: workers }, () => this.#runWorker()));
    } finally {
      stop.abort();
      this.#queue.shutDown();
      signal.removeEventListener("abort", stopAll);
      await informing;
      this.#logger.info("Stopping Pod controller");
    }
  }

  async #runWorker(): Promise<void> {
    while (await this.#processNextItem());
  }

  async #processNextItem(): Promise<boolean> {
    // Waits for a key. While this worker has it, no other worker gets the same one.
    const { item: key, shutdown } = await this.#queue.get();
    if (shutdown) return false;
    try {
      await this.#syncToStdout(key);
      this.#handleErr(undefined, key);
    } catch (error) {
      this.#handleErr(error, key);
    } finally {
      // Unblocks the key for other workers.
      this.#queue.done(key);
    }
    return true;
  }

  /** The business logic: brings the world in line with what the Pod asks for. Here, it prints. */
  async #syncToStdout(key: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, WORK_MS));
    const pod = this.#indexer.getByKey(key);
    if (pod === undefined) {
      console.log(`Pod ${key} does not exist anymore`);
      this.counts.gone++;
      return;
    }
    if (pod.metadata.labels?.poisoned !== undefined) throw new Error("it is poisoned");
    // Mind that a Pod that was deleted and created again under its name shows up as an update: look at the uid.
    console.log(`Sync/Add/Update for Pod ${pod.metadata.name}`);
    this.counts.synced++;
  }

  #handleErr(error: unknown, key: string): void {
    if (error === undefined) {
      // So that a later failure starts with a short delay again.
      this.#queue.forget(key);
      return;
    }
    const why = error instanceof Error ? error.message : String(error);
    if (this.#queue.numRequeues(key) < MAX_RETRIES) {
      this.#logger.info(`Error syncing pod ${key}: ${why}`);
      this.#queue.addRateLimited(key);
      this.counts.retried++;
      return;
    }
    this.#queue.forget(key);
    this.#logger.error(`Dropping pod "${key}" out of the queue: ${why}`);
    this.counts.dropped++;
  }
}

async function main({ client, namespace, signal, logger }: Session): Promise<void> {
  const informers = new SharedInformerFactory(client, { logger });
  const pods = informers.informer(Pods, namespace === undefined ? {} : { namespace });
  const controller = new PodController(pods, logger);
  await controller.run(2, signal);
  const { synced, gone, retried, dropped } = controller.counts;
  console.log(
    `\nSummary: ${synced} syncs, ${gone} Pods seen gone, ${retried} retries, ${dropped} dropped; ` +
      `${pods.indexer.size} Pods in the cache`,
  );
}

if (import.meta.main) {
  await runExample("Prints what happens to Pods, with retries.", demoLife, main);
}

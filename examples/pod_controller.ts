/**
 * A controller built by hand from an informer, an indexer, a rate-limited queue and workers, as in client-go's
 * workqueue example. The `Controller` class of this library combines the same parts.
 *
 * The example prints `Sync/Add/Update for Pod NAME` for every existing or changed Pod, and `Pod NAMESPACE/NAME does not
 * exist anymore` for every deleted Pod. The sync of a Pod with the label `poisoned` fails. Its key is retried five
 * times with exponential backoff and then dropped.
 *
 * With the in-process server (`deno task demo`), a scenario creates such Pods and the example ends after some seconds.
 * On a cluster, it runs until Ctrl-C.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/pod_controller.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/pod_controller.ts --kubeconfig FILE --namespace default
 * ```
 *
 * `--see` does the same work in a manager, and opens its page: `deno task demo --see`.
 *
 * @module
 */

import {
  type Cached,
  type Clock,
  defaultControllerRateLimiter,
  type Logger,
  Manager,
  type Pod,
  Pods,
  RateLimitingQueue,
  type SharedInformer,
  SharedInformerFactory,
  waitForCacheSync,
} from "@kubeloop/controller";
import type { ReadonlyIndexer } from "@kubeloop/controller/cache";
import { anyChange } from "@kubeloop/controller/operator";
import { realClock } from "@kubeloop/controller/base";
import { demoLife } from "./_demo_life.ts";
import { runExample, type Session } from "./_session.ts";

const MAX_RETRIES = 5;
const SYNC_TIMEOUT_MS = 30_000;
/** The simulated duration of a request to the API server. */
const WORK_MS = 10;

/** Prints changes of Pods, in place of real work. */
export class PodController {
  readonly #informer: SharedInformer<Pod>;
  readonly #indexer: ReadonlyIndexer<Cached<Pod>>;
  readonly #queue: RateLimitingQueue<string>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** The number of syncs of Pods that exist, of syncs of deleted ones, of retries and of dropped keys so far. */
  readonly counts = { synced: 0, gone: 0, retried: 0, dropped: 0 };

  /** Creates a controller, which does nothing until it runs. A simulation gives it a clock of its own. */
  constructor(informer: SharedInformer<Pod>, logger: Logger, clock: Clock = realClock) {
    this.#informer = informer;
    this.#clock = clock;
    this.#queue = new RateLimitingQueue<string>(defaultControllerRateLimiter({ clock }), { clock });
    this.#indexer = informer.indexer;
    this.#logger = logger;
    // The handler only puts keys on the queue. If an object changes ten times before a worker is free, the queue still
    // contains its key once. A handler that wants no more than keys costs the informer no parsing.
    informer.addChangeHandler(({ key }) => this.#queue.add(key));
  }

  /** Starts the informer, waits for its cache to sync, and runs `workers` workers until `signal` aborts. */
  async run(workers: number, signal: AbortSignal): Promise<void> {
    this.#logger.info("Starting Pod controller");
    const stop = new AbortController();
    const stopAll = () => stop.abort(signal.reason);
    signal.addEventListener("abort", stopAll, { once: true });
    const informing = this.#informer.run({ signal: stop.signal });
    try {
      // Before the cache has synced, existing Pods that are not yet in the cache would look deleted.
      const timeout = { timeoutMs: SYNC_TIMEOUT_MS, clock: this.#clock };
      await waitForCacheSync({ signal, ...timeout }, this.#informer);
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
    // Waits for a key. No other worker gets the same key until done() is called.
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

  /** The business logic. A real controller would bring the observed state in line with the desired state of the Pod. */
  async #syncToStdout(key: string): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.setTimer(resolve, WORK_MS));
    const pod = this.#indexer.getByKey(key);
    if (pod === undefined) {
      console.log(`Pod ${key} does not exist anymore`);
      this.counts.gone++;
      return;
    }
    if (pod.metadata.labels?.poisoned !== undefined) throw new Error("it is poisoned");
    // A Pod that was deleted and recreated with the same name may appear as an update. Compare UIDs to detect this.
    console.log(`Sync/Add/Update for Pod ${pod.metadata.name}`);
    this.counts.synced++;
  }

  #handleErr(error: unknown, key: string): void {
    if (error === undefined) {
      // Resets the backoff, so that the next failure starts with a short delay.
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

/** Does the same work in a manager, with its page. */
async function seePods({ client, namespaces, signal, logger }: Session): Promise<void> {
  const manager = new Manager(client, { name: "pods", namespaces, logger, see: true });
  manager.controller(Pods, { workers: 2, when: anyChange }).reconcile(({ object, clock }) => {
    if (object.metadata.labels?.poisoned !== undefined) throw new Error("it is poisoned");
    return new Promise<void>((resolve) => clock.setTimer(resolve, WORK_MS));
  });
  await manager.run({ signal });
}

async function main(session: Session): Promise<void> {
  if (session.see) return await seePods(session);
  const { client, namespace, signal, logger } = session;
  const informers = new SharedInformerFactory(client, { logger });
  const pods = informers.informer(Pods, namespace === undefined ? {} : { namespace });
  const controller = new PodController(pods, logger);
  await controller.run(2, signal);
  const { synced, gone, retried, dropped } = controller.counts;
  console.log(
    `\nSummary: syncs of Pods: ${synced}, of deleted Pods: ${gone}; retries: ${retried}; ` +
      `keys dropped after them: ${dropped}; Pods in the cache: ${pods.indexer.size}`,
  );
}

if (import.meta.main) {
  await runExample("Prints what happens to Pods, with retries.", demoLife, main);
}

import type { ReconcileResult } from "@kubeloop/controller/controller";
import type { Cached } from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  isBeingDeleted,
  Reconciler,
  unlessGone,
} from "../control/mod.ts";
import { finishOf, type Job, Jobs } from "./batch_kinds.ts";

/** Deletes finished Jobs, and their Pods, when `ttlSecondsAfterFinished` is over. */
export class TtlAfterFinishedController implements Actor {
  /** `ttl-after-finished-controller` */
  readonly name: string = "ttl-after-finished-controller";
  readonly #frame: Reconciler<Job>;

  /** Creates a controller, which does nothing until {@linkcode TtlAfterFinishedController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: Jobs,
      reconcile: (job, signal) => this.#reconcile(job, signal),
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(job: Cached<Job>, signal: AbortSignal): Promise<ReconcileResult | void> {
    const finish = finishOf(job);
    const ttlSeconds = job.spec?.ttlSecondsAfterFinished;
    if (ttlSeconds === undefined || finish === undefined || isBeingDeleted(job)) return;
    const since = job.status?.conditions?.find(({ type }) => type === finish)?.lastTransitionTime;
    const leftMs = Date.parse(since ?? "") + 1000 * ttlSeconds - this.#frame.clock.wallNow();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const { name, namespace = "", resourceVersion, uid } = job.metadata;
    await this.#frame.client.delete(Jobs, name, {
      namespace,
      propagationPolicy: "Foreground",
      preconditions: { uid, resourceVersion },
      signal,
    }).catch(unlessGone);
  }
}

import { describeError } from "@kubeloop/controller/internal/base";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import { type Cached, formatTime, type Pod, Pods } from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  availableAtMs,
  Expectations,
  isActive,
  isBeingDeleted,
  isOver,
  isReady,
  isSame,
  Ownership,
  PodControl,
  podFromTemplate,
  Reconciler,
  setCondition,
  slowStart,
  whenTerminating,
  withoutCondition,
} from "../control/mod.ts";
import { type ReplicaSet, ReplicaSets } from "./apps_kinds.ts";
import { leastMissedFirst } from "./victims.ts";

/** The number of Pods that are created or deleted at once. */
const BURST = 500;
const FAILURE = "ReplicaFailure";

/**
 * Keeps the number of Pods of each ReplicaSet, as kube-controller-manager does: creates missing Pods, deletes the least
 * useful surplus Pods, adopts orphans, and reports how many Pods are ready and available.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, ReplicaSetController, VirtualClock } from "@kubeloop/testing";
 * import { Pods, ReplicaSets } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const stop = new AbortController();
 * const running = new ReplicaSetController({ client }).run({ signal: stop.signal });
 *
 * const labels = { app: "web" };
 * await client.create(ReplicaSets, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: {
 *     replicas: 3,
 *     selector: { matchLabels: labels },
 *     template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } },
 *   },
 * });
 * await clock.advance(1000);
 * assertEquals(server.objects(Pods, "default").length, 3);
 *
 * stop.abort();
 * await running;
 * ```
 */
export class ReplicaSetController implements Actor {
  /** `replicaset-controller` */
  readonly name: string = "replicaset-controller";
  readonly #frame: Reconciler<ReplicaSet>;
  readonly #expectations: Expectations;
  readonly #pods: Ownership<ReplicaSet, Pod>;
  readonly #control: PodControl;

  /** Creates a controller, which does nothing until {@linkcode ReplicaSetController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: ReplicaSets,
      reconcile: (set, signal) => this.#reconcile(set, signal),
    });
    this.#expectations = new Expectations(this.#frame.clock);
    this.#pods = new Ownership(this.#frame, {
      owner: ReplicaSets,
      resource: Pods,
      expectations: this.#expectations,
    });
    this.#control = new PodControl(ReplicaSets, this.#frame);
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(set: Cached<ReplicaSet>, signal: AbortSignal): Promise<ReconcileResult | void> {
    const owner = set.metadata.uid;
    const waitMs = this.#expectations.waitMs(owner);
    const claimed = await this.#pods.claim(set, signal);
    const active = claimed.filter(isActive);
    let failure: unknown;
    if (waitMs === 0 && !isBeingDeleted(set)) failure = await this.#manage(set, active, signal);
    const terminating = claimed.filter((pod) => isBeingDeleted(pod) && !isOver(pod)).length;
    await this.#report(set, active, terminating, failure, signal);
    if (failure !== undefined) throw failure;
    const nowMs = this.#frame.clock.wallNow();
    const nextMs = Math.min(
      waitMs || Infinity,
      ...active.map((pod) => availableAtMs(pod, set.spec?.minReadySeconds) - nowMs)
        .filter((leftMs) => leftMs > 0),
    );
    if (nextMs < Infinity) return { requeueAfterMs: nextMs };
  }

  /** Creates or deletes Pods; returns the first error. */
  async #manage(
    set: Cached<ReplicaSet>,
    active: readonly Cached<Pod>[],
    signal: AbortSignal,
  ): Promise<unknown> {
    const missing = Math.min((set.spec?.replicas ?? 1) - active.length, BURST);
    if (missing > 0) return await this.#create(set, missing, signal);
    if (missing === 0) return undefined;
    const victims = leastMissedFirst(active).slice(0, Math.min(-missing, BURST));
    return await this.#delete(set, victims, signal);
  }

  async #create(set: Cached<ReplicaSet>, count: number, signal: AbortSignal): Promise<unknown> {
    const owner = set.metadata.uid;
    this.#expectations.expect(owner, count);
    const pod = podFromTemplate(set.spec?.template ?? {}, set, ReplicaSets);
    const { error, succeeded } = await slowStart(
      count,
      () => this.#control.create(set, pod, signal),
    );
    this.#expectations.creationObserved(owner, count - succeeded);
    return whenTerminating(error) ? undefined : error;
  }

  async #delete(
    set: Cached<ReplicaSet>,
    victims: readonly Cached<Pod>[],
    signal: AbortSignal,
  ): Promise<unknown> {
    const owner = set.metadata.uid;
    this.#expectations.expect(owner, 0, victims.map(({ metadata }) => metadata.uid));
    const results = await Promise.allSettled(victims.map(async (pod) => {
      let isDeleted = false;
      try {
        isDeleted = await this.#control.delete(set, pod, signal);
      } finally {
        if (!isDeleted) this.#expectations.deletionObserved(owner, pod.metadata.uid);
      }
    }));
    return results.find((result) => result.status === "rejected")?.reason;
  }

  async #report(
    set: Cached<ReplicaSet>,
    active: readonly Cached<Pod>[],
    terminating: number,
    failure: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { metadata, spec, status: before } = set;
    const wallMs = this.#frame.clock.wallNow();
    const wanted = Object.entries(spec?.template?.metadata?.labels ?? {});
    const available = (pod: Cached<Pod>) => availableAtMs(pod, spec?.minReadySeconds) <= wallMs;
    const conditions = failure === undefined
      ? withoutCondition(before?.conditions, FAILURE)
      : before?.conditions?.some(({ type }) => type === FAILURE)
      ? before.conditions
      : setCondition(before?.conditions, {
        type: FAILURE,
        status: "True",
        reason: active.length < (spec?.replicas ?? 1) ? "FailedCreate" : "FailedDelete",
        message: describeError(failure),
        lastTransitionTime: formatTime(wallMs),
      });
    const status = {
      replicas: active.length,
      fullyLabeledReplicas:
        active.filter(({ metadata }) =>
          wanted.every(([key, value]) => metadata.labels?.[key] === value)
        ).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: active.filter(available).length,
      terminatingReplicas: terminating,
      observedGeneration: metadata.generation ?? 0,
      ...(conditions.length > 0 && { conditions }),
    };
    if (isSame(status, before)) return;
    await this.#frame.client.updateStatus(ReplicaSets, { ...set, status } as ReplicaSet, {
      signal,
    });
  }
}

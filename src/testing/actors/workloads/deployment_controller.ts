import { DeletedFinalStateUnknown, type SharedInformer } from "@kubeloop/controller/cache";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  controllerOf,
  type KubeObject,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  controlledBy,
  indexByController,
  isBeingDeleted,
  isOver,
  Ownership,
  Reconciler,
} from "../control/mod.ts";
import { type Deployment, Deployments, type ReplicaSet, ReplicaSets } from "./apps_kinds.ts";
import {
  countedStatus,
  deadlineMs,
  deadlineOf,
  isComplete,
  progressOf,
  REASONS,
  rolloutStatus,
} from "./deployment_status.ts";
import { Rollout } from "./rollout.ts";
import {
  annotatedNumber,
  DESIRED_REPLICAS,
  limitsOf,
  newSetReplicas,
  proportionally,
  replicasOf,
  total,
  wantedBy,
} from "./rollout_numbers.ts";

/**
 * Rolls out Deployments, as kube-controller-manager does: creates a ReplicaSet for each new template, moves the replicas
 * to it within `maxSurge` and `maxUnavailable` or after all old Pods are gone, numbers the revisions, and reports the
 * progress. A `ReplicaSetController` creates the Pods.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
 * import { Deployments } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * await using _actors = startActors(server);
 * const labels = { app: "web" };
 * await client.create(Deployments, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: {
 *     replicas: 3,
 *     selector: { matchLabels: labels },
 *     template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } },
 *   },
 * });
 * await clock.advance(10_000);
 * assertEquals(server.get(Deployments, "web", "default")?.status?.availableReplicas, 3);
 * ```
 */
export class DeploymentController implements Actor {
  /** `deployment-controller` */
  readonly name: string = "deployment-controller";
  readonly #frame: Reconciler<Deployment>;
  readonly #sets: Ownership<Deployment, ReplicaSet>;
  readonly #pods: SharedInformer<Pod>;

  /** Creates a controller, which does nothing until {@linkcode DeploymentController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: Deployments,
      reconcile: (deployment, signal) => this.#reconcile(deployment, signal),
    });
    this.#sets = new Ownership(this.#frame, { owner: Deployments, resource: ReplicaSets });
    this.#pods = this.#frame.related(Pods);
    indexByController(this.#pods);
    this.#pods.addEventHandler({
      onDelete: (last) => this.#podDeleted(DeletedFinalStateUnknown.lastKnownState(last)),
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  /** The strategy Recreate waits until the last old Pod is gone. */
  #podDeleted(pod: Cached<Pod> | undefined): void {
    const namespace = pod?.metadata.namespace ?? "";
    const { name = "" } = pod && controllerOf(pod, ReplicaSets) || {};
    const set = this.#sets.informer.indexer.getByKey(`${namespace}/${name}`);
    const owner = set && controllerOf(set, Deployments);
    if (owner === undefined) return;
    const key = `${namespace}/${owner.name}`;
    const deployment = this.#frame.objects.indexer.getByKey(key);
    if (deployment?.spec?.strategy?.type === "Recreate") this.#frame.enqueue(key);
  }

  async #reconcile(
    deployment: Cached<Deployment>,
    signal: AbortSignal,
  ): Promise<ReconcileResult | void> {
    const sets = await this.#sets.claim(deployment, signal);
    const rollout = new Rollout(this.#frame, deployment, sets, signal);
    if (isBeingDeleted(deployment)) return void await this.#count(rollout);
    await this.#notePause(rollout);
    await rollout.syncRevision();
    if (deployment.spec?.paused === true || isRescaled(rollout)) {
      await this.#rescale(rollout);
      if (deployment.spec?.paused === true) await rollout.cleanUp();
      return void await this.#count(rollout);
    }
    if (deployment.spec?.strategy?.type === "Recreate") await this.#recreate(rollout);
    else await this.#roll(rollout);
    return await this.#report(rollout);
  }

  /** Stops the progress deadline while the Deployment is paused. */
  async #notePause(rollout: Rollout): Promise<void> {
    const { deployment } = rollout;
    const reason = progressOf(deployment.status)?.reason;
    if (reason === REASONS.timedOut) return;
    const isPaused = deployment.spec?.paused === true;
    if (isPaused === (reason === REASONS.paused)) return;
    const [next, message] = isPaused
      ? [REASONS.paused, "Deployment is paused"]
      : [REASONS.resumed, "Deployment is resumed"];
    if (deadlineOf(deployment) !== undefined) await rollout.progress("Unknown", next, message);
  }

  async #count(rollout: Rollout): Promise<void> {
    const { deployment, newSet, sets } = rollout;
    await rollout.save(countedStatus(deployment, sets, newSet, this.#frame.clock.wallNow()));
  }

  async #report(rollout: Rollout): Promise<ReconcileResult | void> {
    const { deployment, newSet, sets } = rollout;
    const wallMs = this.#frame.clock.wallNow();
    const status = rolloutStatus(deployment, sets, newSet, wallMs);
    if (await rollout.save(status) || isComplete(deployment, status)) return;
    if (progressOf(deployment.status)?.reason === REASONS.timedOut) return;
    const leftMs = deadlineMs(deployment) - wallMs;
    if (leftMs < Infinity) return { requeueAfterMs: Math.max(leftMs, 0) + 1000 };
  }

  /** Follows a change of `spec.replicas`, in the middle of a rollout too. */
  async #rescale(rollout: Rollout): Promise<void> {
    const { deployment, newSet, oldSets, sets } = rollout;
    const replicas = replicasOf(deployment);
    const active = sets.filter((set) => replicasOf(set) > 0);
    if (active.length < 2) {
      const target = active[0] ?? newSet ?? oldSets.at(-1);
      if (target !== undefined && replicasOf(target) !== replicas) {
        await rollout.scale(target, replicas);
      }
      return;
    }
    const isSaturated = newSet !== undefined && replicasOf(newSet) === replicas &&
      annotatedNumber(newSet, DESIRED_REPLICAS) === replicas &&
      newSet.status?.availableReplicas === replicas;
    if (isSaturated) {
      for (const set of oldSets) if (replicasOf(set) > 0) await rollout.scale(set, 0);
    } else if (deployment.spec?.strategy?.type !== "Recreate") {
      for (const [set, size] of proportionally(deployment, active)) await rollout.scale(set, size);
    }
  }

  async #recreate(rollout: Rollout): Promise<void> {
    let isScaledDown = false;
    for (const set of rollout.oldSets) {
      if (replicasOf(set) > 0) isScaledDown = await rollout.scale(set, 0) || isScaledDown;
    }
    if (isScaledDown || this.#hasOldPods(rollout)) return;
    if (rollout.newSet === undefined) await rollout.createNewSet();
    const { deployment, newSet } = rollout;
    if (newSet !== undefined && replicasOf(newSet) !== replicasOf(deployment)) {
      await rollout.scale(newSet, replicasOf(deployment));
    }
    if (isComplete(deployment, deployment.status)) await rollout.cleanUp();
  }

  #hasOldPods({ oldSets }: Rollout): boolean {
    return total(oldSets, "replicas") > 0 ||
      oldSets.some((set) =>
        controlledBy(this.#pods, set as KubeObject).some((pod) => !isOver(pod))
      );
  }

  async #roll(rollout: Rollout): Promise<void> {
    if (rollout.newSet === undefined) await rollout.createNewSet();
    if (await this.#growNew(rollout) || await this.#shrinkOld(rollout)) return;
    const { deployment } = rollout;
    if (isComplete(deployment, deployment.status)) await rollout.cleanUp();
  }

  async #growNew(rollout: Rollout): Promise<boolean> {
    const { deployment, newSet, sets } = rollout;
    if (newSet === undefined) return false;
    const present = replicasOf(newSet);
    const replicas = replicasOf(deployment);
    if (present === replicas) return false;
    const wanted = present > replicas ? replicas : newSetReplicas(deployment, sets, present);
    return wanted !== present && await rollout.scale(newSet, wanted);
  }

  /** Scales down old ReplicaSets as far as availability allows, unhealthy replicas first. */
  async #shrinkOld(rollout: Rollout): Promise<boolean> {
    const { deployment, newSet, sets } = rollout;
    if (newSet === undefined || wantedBy(rollout.oldSets) === 0) return false;
    const minAvailable = replicasOf(deployment) - limitsOf(deployment).unavailable;
    const unavailableNew = replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
    const most = wantedBy(sets) - minAvailable - unavailableNew;
    if (most <= 0) return false;
    const unhealthy = await this.#take(
      rollout,
      most,
      (set) => replicasOf(set) - (set.status?.availableReplicas ?? 0),
    );
    const healthy = await this.#take(
      rollout,
      total(rollout.sets, "availableReplicas") - minAvailable,
      replicasOf,
    );
    return unhealthy + healthy > 0;
  }

  /** Takes up to `most` replicas from the old ReplicaSets, from each as many as `spare` says; returns how many. */
  async #take(
    rollout: Rollout,
    most: number,
    spare: (set: Cached<ReplicaSet>) => number,
  ): Promise<number> {
    let taken = 0;
    for (const set of rollout.oldSets) {
      const count = Math.min(most - taken, spare(set), replicasOf(set));
      if (count <= 0) continue;
      await rollout.scale(set, replicasOf(set) - count);
      taken += count;
    }
    return taken;
  }
}

/** Reports whether the replicas of the Deployment have changed since its ReplicaSets were scaled. */
function isRescaled({ deployment, sets }: Rollout): boolean {
  return sets.some((set) => {
    const desired = annotatedNumber(set, DESIRED_REPLICAS);
    return replicasOf(set) > 0 && desired !== undefined && desired !== replicasOf(deployment);
  });
}

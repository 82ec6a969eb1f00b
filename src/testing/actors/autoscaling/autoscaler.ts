import { describeError } from "@kubeloop/controller/internal/base";
import { DeletedFinalStateUnknown, type SharedInformer } from "@kubeloop/controller/cache";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  type Condition,
  formatTime,
  parseSelector,
  type Pod,
  Pods,
  type Resource,
  setStatusCondition,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  discoverResources,
  isBeingDeleted,
  isSame,
  Reconciler,
  type ServedResource,
} from "../control/mod.ts";
import {
  type HorizontalPodAutoscaler,
  HorizontalPodAutoscalers,
  type Scale,
} from "./autoscaler_kinds.ts";
import type { MetricSource } from "./metric_source.ts";
import { NoMetric, type Proposal, propose } from "./replica_calculator.ts";
import { ScalingMemory } from "./scaling_rules.ts";

/** The period of autoscalers, as in kube-controller-manager. */
const PERIOD_MS = 15_000;

type Autoscaler = Cached<HorizontalPodAutoscaler>;
type Status = NonNullable<HorizontalPodAutoscaler["status"]>;

/** Options of a {@linkcode HorizontalPodAutoscalerController}. */
export interface HorizontalPodAutoscalerOptions extends ActorOptions {
  /** The metrics. Default: none, as in a cluster without a metrics server. */
  readonly metrics?: MetricSource | undefined;
}

/**
 * Scales workloads by metrics, as kube-controller-manager does every 15 seconds: it takes the largest proposal of all metrics,
 * within the limits, the stabilization windows and the policies of the autoscaler.
 */
export class HorizontalPodAutoscalerController implements Actor {
  /** `horizontal-pod-autoscaler` */
  readonly name: string = "horizontal-pod-autoscaler";
  readonly #frame: Reconciler<HorizontalPodAutoscaler>;
  readonly #pods: SharedInformer<Pod>;
  readonly #metrics: MetricSource | undefined;
  readonly #memories = new Map<string, ScalingMemory>();
  /** The times of the next calculation of each autoscaler, which its own writes must not hasten. */
  readonly #dueMs = new Map<string, { readonly generation: number; readonly atMs: number }>();
  #served: readonly ServedResource[] = [];

  /** Creates a controller, which does nothing until {@linkcode HorizontalPodAutoscalerController.run} is called. */
  constructor(options: HorizontalPodAutoscalerOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: HorizontalPodAutoscalers,
      reconcile: (autoscaler, signal) => this.#reconcile(autoscaler, signal),
    });
    this.#metrics = options.metrics;
    this.#pods = this.#frame.related(Pods);
    this.#frame.objects.addEventHandler({
      onDelete: (last) => {
        const uid = DeletedFinalStateUnknown.lastKnownState(last)?.metadata.uid ?? "";
        this.#memories.delete(uid);
        this.#dueMs.delete(uid);
      },
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(autoscaler: Autoscaler, signal: AbortSignal): Promise<ReconcileResult | void> {
    if (isBeingDeleted(autoscaler)) return;
    const { generation = 0, uid } = autoscaler.metadata;
    const nowMs = this.#frame.clock.now();
    const due = this.#dueMs.get(uid);
    if (due?.generation === generation && due.atMs > nowMs) {
      return { requeueAfterMs: due.atMs - nowMs };
    }
    this.#dueMs.set(uid, { generation, atMs: nowMs + PERIOD_MS });
    const status = await this.#decide(autoscaler, signal);
    if (!isSame(status, autoscaler.status)) {
      const written = { ...autoscaler, status } as HorizontalPodAutoscaler;
      await this.#frame.client.updateStatus(HorizontalPodAutoscalers, written, { signal });
    }
    return { requeueAfterMs: PERIOD_MS };
  }

  async #decide(autoscaler: Autoscaler, signal: AbortSignal): Promise<Status> {
    const { metadata, spec, status: before } = autoscaler;
    const status = new AutoscalerStatus(autoscaler, this.#frame.clock.wallNow());
    let target: { resource: Resource<Scale>; scale: Scale };
    try {
      target = await this.#scaleOf(autoscaler, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const message = `the HPA controller was unable to get the target's current scale: ${
        describeError(error)
      }`;
      if (status.set("AbleToScale", "False", "FailedGetScale", message)) {
        await this.#frame.writeEvent(
          autoscaler,
          "Warning",
          "FailedGetScale",
          describeError(error),
          signal,
        );
      }
      return status.result;
    }
    status.set(
      "AbleToScale",
      "True",
      "SucceededGetScale",
      "the HPA controller was able to get the target's current scale",
    );
    const { replicas: current = 0 } = target.scale.spec ?? {};
    const { maxReplicas = 1, minReplicas = 1 } = spec ?? {};
    let desired = current;
    let why = "";
    let currentMetrics = before?.currentMetrics;
    if (current === 0 && minReplicas !== 0) {
      const message = "scaling is disabled since the replica count of the target is zero";
      status.set("ScalingActive", "False", "ScalingDisabled", message);
    } else if (current > maxReplicas) {
      [desired, why] = [maxReplicas, "Current number of replicas above Spec.MaxReplicas"];
    } else if (current < minReplicas) {
      [desired, why] = [minReplicas, "Current number of replicas below Spec.MinReplicas"];
    } else {
      const { best, failure, proposals } = this.#propose(autoscaler, target.scale);
      currentMetrics = proposals.map((one) => one.status);
      if (best === undefined || (failure !== undefined && best.replicas < current)) {
        await this.#tellFailure(autoscaler, status, failure, signal);
        return { ...status.result, currentReplicas: current, currentMetrics } as Status;
      }
      status.set(
        "ScalingActive",
        "True",
        "ValidMetricFound",
        `the HPA was able to successfully calculate a replica count from ${best.name}`,
      );
      why = best.replicas > current ? `${best.name} above target` : "All metrics below target";
      const nowMs = this.#frame.clock.now();
      const memory = this.#memoryOf(metadata.uid, current, nowMs);
      const { able, limit, replicas } = memory.decide(spec!, current, best.replicas, nowMs);
      desired = replicas;
      status.set("AbleToScale", "True", able.reason, able.message);
      status.set("ScalingLimited", limit.isLimited ? "True" : "False", limit.reason, limit.message);
    }
    const result = { currentReplicas: current, desiredReplicas: desired, currentMetrics };
    if (desired === current) return { ...status.result, ...result } as Status;
    await this.#rescale(autoscaler, target, desired, signal);
    status.set(
      "AbleToScale",
      "True",
      "SucceededRescale",
      `the HPA controller was able to update the target scale to ${desired}`,
    );
    this.#memories.get(metadata.uid)?.changed(this.#frame.clock.now(), desired - current);
    const message = `New size: ${desired}; reason: ${why}`;
    await this.#frame.writeEvent(autoscaler, "Normal", "SuccessfulRescale", message, signal);
    const lastScaleTime = formatTime(this.#frame.clock.wallNow());
    return { ...status.result, ...result, lastScaleTime } as Status;
  }

  /** A new memory holds the present size, so that a restart of the controller scales nothing down at once. */
  #memoryOf(uid: string, current: number, nowMs: number): ScalingMemory {
    let memory = this.#memories.get(uid);
    if (memory === undefined) {
      memory = new ScalingMemory();
      memory.decide({ maxReplicas: current } as never, current, current, nowMs);
      this.#memories.set(uid, memory);
    }
    return memory;
  }

  #propose(
    { metadata, spec }: Autoscaler,
    { spec: wanted, status }: Scale,
  ): { best?: Proposal; failure?: NoMetric; proposals: Proposal[] } {
    const { namespace = "" } = metadata;
    const selector = parseSelector(status?.selector ?? "");
    const pods = this.#pods.indexer.byIndex("namespace", namespace)
      .filter((pod) => selector.matches(pod.metadata.labels));
    const workload = { namespace, pods, replicas: wanted?.replicas ?? 0, source: this.#metrics };
    const proposals: Proposal[] = [];
    let failure: NoMetric | undefined;
    for (const metric of (spec?.metrics ?? []) as Parameters<typeof propose>[0][]) {
      try {
        proposals.push(propose(metric, workload));
      } catch (error) {
        if (!(error instanceof NoMetric)) throw error;
        failure ??= error;
      }
    }
    const best = proposals.reduce<Proposal | undefined>(
      (most, one) => most === undefined || one.replicas > most.replicas ? one : most,
      undefined,
    );
    return { proposals, ...(best && { best }), ...(failure && { failure }) };
  }

  async #tellFailure(
    autoscaler: Autoscaler,
    status: AutoscalerStatus,
    failure: NoMetric | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (failure === undefined) return;
    const { message, reason } = failure;
    const text = `the HPA was unable to compute the replica count: ${message}`;
    // A lasting failure has one event.
    if (!status.set("ScalingActive", "False", reason, text)) return;
    await this.#frame.writeEvent(autoscaler, "Warning", reason, message, signal);
    const count = autoscaler.spec?.metrics?.length ?? 0;
    const summary =
      `invalid metrics (${count} invalid out of ${count}), first error is: ${message}`;
    await this.#frame.writeEvent(
      autoscaler,
      "Warning",
      "FailedComputeMetricsReplicas",
      summary,
      signal,
    );
  }

  async #scaleOf(
    { metadata, spec }: Autoscaler,
    signal: AbortSignal,
  ): Promise<{ resource: Resource<Scale>; scale: Scale }> {
    const { apiVersion = "", kind = "", name = "" } = spec?.scaleTargetRef ?? {};
    const slash = apiVersion.indexOf("/");
    const group = apiVersion.slice(0, Math.max(slash, 0));
    const find = () => this.#served.find((one) => one.kind === kind && one.group === group);
    if (find() === undefined) {
      this.#served = await discoverResources(this.#frame.client, { signal });
    }
    const resource = find();
    if (resource === undefined) {
      throw new Error(`no matches for kind "${kind}" in group "${group}"`);
    }
    const call = { namespace: metadata.namespace ?? "", subresource: "scale", signal };
    const scale = await this.#frame.client.get<Scale>(resource as Resource, name, call);
    return { resource: resource as Resource<Scale>, scale };
  }

  async #rescale(
    { metadata }: Autoscaler,
    { resource, scale }: { resource: Resource<Scale>; scale: Scale },
    replicas: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { name = "", resourceVersion } = scale.metadata;
    const call = { namespace: metadata.namespace ?? "", subresource: "scale", signal };
    const patch = { metadata: { resourceVersion }, spec: { replicas } };
    await this.#frame.client.patch<Scale>(resource as Resource, name, patch, call);
  }
}

/** The status of an autoscaler, whose conditions change one after another. */
class AutoscalerStatus {
  readonly #autoscaler: Autoscaler;
  readonly #now: string;
  #conditions: Condition[];

  constructor(autoscaler: Autoscaler, wallMs: number) {
    this.#autoscaler = autoscaler;
    this.#now = formatTime(wallMs);
    this.#conditions = [...autoscaler.status?.conditions ?? []];
  }

  /** Sets a condition; returns whether its reason or message has changed. */
  set(type: string, status: Condition["status"], reason: string, message: string): boolean {
    const before = this.#conditions.find((one) => one.type === type);
    const condition = { type, status, reason, message, lastTransitionTime: this.#now };
    this.#conditions = setStatusCondition(this.#conditions, condition);
    return before?.reason !== reason || before.message !== message;
  }

  get result(): Status {
    const { metadata, status } = this.#autoscaler;
    return {
      ...status as Status,
      observedGeneration: metadata.generation ?? 0,
      conditions: this.#conditions,
    };
  }
}

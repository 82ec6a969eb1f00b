import { DeletedFinalStateUnknown } from "@kubeloop/controller/cache";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  controllerOf,
  deepCopy,
  formatTime,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  Expectations,
  isBeingDeleted,
  isSame,
  keyOf,
  Ownership,
  PodControl,
  Reconciler,
} from "../control/mod.ts";
import { finishOf, type Job, type JobCondition, Jobs, type JobStatus } from "./batch_kinds.ts";
import { type JobBackoff, nextBackoff, NO_FAILURES } from "./job_backoff.ts";
import { countPods, type JobCount } from "./job_count.ts";
import { JobPodManager, type Managed } from "./job_pod_manager.ts";
import { isTracked, TRACKING_FINALIZER } from "./job_pods.ts";
import { announced, finished, JobTracking } from "./job_tracking.ts";
import { deadlineMs, jobCondition, judgeJob } from "./job_verdict.ts";

const INDEX = "tracked-by-job";
/** The value of `managedBy` of Jobs that this controller runs. */
const THIS_CONTROLLER = "kubernetes.io/job-controller";
const REACHED = {
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/**
 * Runs Jobs to their end, as kube-controller-manager does: creates Pods up to `parallelism`, with an index each if the Job
 * is indexed, replaces failed ones with a growing delay, and decides by completions, limits and policies when the Job
 * is complete or has failed. Each Pod keeps the finalizer `batch.kubernetes.io/job-tracking` until it is counted.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
 * import { Jobs } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const outcome = () => ({ afterMs: 1000, exitCode: 0 });
 * await using _actors = startActors(server, { kubelet: { outcome } });
 * await client.create(Jobs, {
 *   metadata: { name: "backup", namespace: "default" },
 *   spec: {
 *     completions: 3,
 *     template: {
 *       spec: { restartPolicy: "Never", containers: [{ name: "main", image: "backup" }] },
 *     },
 *   },
 * });
 * await clock.advance(30_000);
 * const { conditions, succeeded } = server.get(Jobs, "backup", "default")?.status ?? {};
 * assertEquals([succeeded, conditions?.at(-1)?.type], [3, "Complete"]);
 * ```
 */
export class JobController implements Actor {
  /** `job-controller` */
  readonly name: string = "job-controller";
  readonly #frame: Reconciler<Job>;
  readonly #expectations: Expectations;
  readonly #pods: Ownership<Job, Pod>;
  readonly #tracking: JobTracking;
  readonly #manager: JobPodManager;
  /** The failures in a row of each Job, by its uid. */
  readonly #backoffs = new Map<string, JobBackoff>();

  /** Creates a controller, which does nothing until {@linkcode JobController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: Jobs,
      reconcile: (job, signal) => this.#reconcile(job, signal),
      gone: (key, signal) => this.#releaseOrphans(key, undefined, signal),
    });
    const { client, clock } = this.#frame;
    this.#expectations = new Expectations(clock);
    this.#tracking = new JobTracking(client);
    this.#pods = new Ownership(this.#frame, {
      owner: Jobs,
      resource: Pods,
      expectations: this.#expectations,
      finalizers: [TRACKING_FINALIZER],
    });
    this.#manager = new JobPodManager({
      clock,
      control: new PodControl(Jobs, this.#frame),
      expectations: this.#expectations,
      tracking: this.#tracking,
    });
    const { informer } = this.#pods;
    informer.addIndexers({ [INDEX]: (pod) => isTracked(pod) ? [jobKeyOf(pod)] : [] });
    informer.addEventHandler({
      onAdd: (pod) => this.#observed(pod),
      onUpdate: (_old, pod) => this.#observed(pod),
      onDelete: (last) => {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod !== undefined) this.#tracking.observed(pod, { isGone: true });
      },
    });
    this.#frame.objects.addEventHandler({
      onDelete: (last) => {
        const uid = DeletedFinalStateUnknown.lastKnownState(last)?.metadata.uid ?? "";
        this.#backoffs.delete(uid);
        this.#expectations.forget(uid);
      },
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  #observed(pod: Cached<Pod>): void {
    this.#tracking.observed(pod);
    // No other reconcile removes the finalizer of a Pod without an owner.
    if (isTracked(pod) && controllerOf(pod) === undefined) this.#frame.enqueue(jobKeyOf(pod));
  }

  /** Removes the finalizer from Pods whose Job is gone, or is another one of that name. */
  async #releaseOrphans(
    key: string,
    job: Cached<Job> | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    for (const pod of this.#pods.informer.indexer.byIndex(INDEX, key)) {
      if (this.#tracking.counted.has(pod.metadata.uid)) continue;
      const owner = controllerOf(pod, Jobs);
      if (owner === undefined || owner.uid !== job?.metadata.uid) {
        await this.#tracking.release(pod, signal);
      }
    }
  }

  async #reconcile(job: Cached<Job>, signal: AbortSignal): Promise<ReconcileResult | void> {
    await this.#releaseOrphans(keyOf(job), job, signal);
    const { uid } = job.metadata;
    if ((job.spec?.managedBy ?? THIS_CONTROLLER) !== THIS_CONTROLLER) return;
    if (finishOf(job) !== undefined) return void this.#backoffs.delete(uid);
    const wallMs = this.#frame.clock.wallNow();
    const waitMs = this.#expectations.waitMs(uid);
    // A copy: what the cache learns from now on, `pods` does not show.
    const counted = new Set(this.#tracking.counted);
    const pods = await this.#pods.claim(job, signal);
    const status: JobStatus = deepCopy(job.status ?? {}) as JobStatus;
    if (job.spec?.suspend !== true) status.startTime ??= formatTime(wallMs);
    const current = { ...job, status } as Cached<Job>;
    const count = countPods(current, pods, counted);
    const backoff = nextBackoff(
      this.#backoffs.get(uid) ?? NO_FAILURES,
      count.newlySucceeded,
      count.newlyFailed,
    );
    let verdict = judgeJob(current, pods, count, wallMs);
    let managed: Managed;
    if (verdict !== undefined) {
      managed = await this.#manager.stop(current, count, signal);
      // Pods that the cache does not show yet must not outlive the Job.
      if (managed.error !== undefined || waitMs > 0) verdict = undefined;
    } else if (waitMs > 0 || isBeingDeleted(job)) {
      managed = unmanaged(count);
      verdict = completion(current, count, managed.active, wallMs);
    } else {
      managed = await this.#manager.manage(current, count, backoff, signal);
      verdict = completion(current, count, managed.active, wallMs);
      if (verdict === undefined) await this.#noteSuspension(current, status, signal);
    }
    const { active, ready, terminating } = managed;
    await this.#track(
      { ...job, status: { ...status, active, ready, terminating } } as Cached<Job>,
      job,
      { count, verdict, backoff, terminating },
      signal,
    );
    if (managed.error !== undefined) throw managed.error;
    const next = Math.min(
      deadlineMs(current) - wallMs,
      managed.nextMs - wallMs,
      waitMs || Infinity,
    );
    if (next < Infinity) return { requeueAfterMs: Math.max(next, 1) };
  }

  /** Writes to the status that the Job is suspended or resumed. */
  async #noteSuspension(job: Cached<Job>, status: JobStatus, signal: AbortSignal): Promise<void> {
    const isSuspended = job.spec?.suspend === true;
    const present = status.conditions?.find(({ type }) => type === "Suspended");
    if (isSuspended === (present?.status === "True")) return;
    const wallMs = this.#frame.clock.wallNow();
    const [reason, message] = isSuspended
      ? ["JobSuspended", "Job suspended"]
      : ["JobResumed", "Job resumed"];
    const condition = jobCondition(
      "Suspended",
      { reason, message },
      wallMs,
      isSuspended ? "True" : "False",
    );
    const conditions = status.conditions ?? [];
    status.conditions = present === undefined
      ? [...conditions, condition]
      : conditions.map((one) => one === present ? condition : one);
    // The deadline counts from the last start.
    if (!isSuspended) status.startTime = formatTime(wallMs);
    await this.#frame.writeEvent(
      job,
      "Normal",
      isSuspended ? "Suspended" : "Resumed",
      message,
      signal,
    );
  }

  /**
   * Counts the Pods that have ended. To count none twice, the status lists them first; then they lose their finalizers,
   * and then they are counted. At last, the Job is marked as finished.
   */
  async #track(
    job: Cached<Job>,
    before: Cached<Job>,
    { backoff, count, terminating, verdict }: {
      readonly count: JobCount;
      readonly verdict: JobCondition | undefined;
      readonly backoff: JobBackoff;
      readonly terminating: number;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { ended, isAll, ...noted } = this.#tracking.note(
      job,
      job.status as JobStatus,
      count,
      verdict,
    );
    const listed = verdict === undefined ? noted.status : announced(noted.status, verdict);
    const saved = await this.#save(before, listed, signal);
    this.#backoffs.set(job.metadata.uid, backoff);
    const results = await Promise.allSettled(
      ended.map((pod) => this.#tracking.release(pod, signal)),
    );
    const released = ended.filter((_pod, i) => results[i]?.status === "fulfilled");
    const counted = [...count.counted, ...released.map(({ metadata }) => metadata.uid)];
    let status = this.#tracking.settle(listed, { ...count, counted: new Set(counted) });
    const { failed = [], succeeded = [] } = status.uncountedTerminatedPods ?? {};
    if (isIndexedStatus(listed)) status = { ...status, succeeded: listed.succeeded ?? 0 };
    const isFinished = verdict !== undefined && isAll && terminating === 0 &&
      failed.length + succeeded.length === 0;
    if (isFinished) status = finished(status, verdict, this.#frame.clock.wallNow());
    await this.#save(saved, status, signal);
    const error = results.find((result) => result.status === "rejected")?.reason;
    if (error !== undefined) throw error;
    if (isFinished) await this.#tellFinish(job, status, verdict, signal);
  }

  async #save(job: Cached<Job>, status: JobStatus, signal: AbortSignal): Promise<Cached<Job>> {
    if (isSame(status, job.status)) return job;
    return await this.#frame.client.updateStatus(Jobs, { ...job, status } as Job, { signal });
  }

  async #tellFinish(
    job: Cached<Job>,
    { succeeded = 0 }: JobStatus,
    verdict: JobCondition,
    signal: AbortSignal,
  ): Promise<void> {
    if (verdict.type !== "SuccessCriteriaMet") {
      return await this.#frame.writeEvent(
        job,
        "Warning",
        verdict.reason ?? "",
        verdict.message ?? "",
        signal,
      );
    }
    if (succeeded > (job.spec?.completions ?? Infinity)) {
      const message = "Too many succeeded pods running after completion count reached";
      await this.#frame.writeEvent(job, "Warning", "TooManySucceededPods", message, signal);
    }
    await this.#frame.writeEvent(job, "Normal", "Completed", "Job completed", signal);
  }
}

/** Returns the key of the Job of a Pod. The key of an orphan belongs to no Job. */
function jobKeyOf(pod: Cached<Pod>): string {
  const owner = controllerOf(pod, Jobs);
  return owner === undefined ? `${keyOf(pod)}/orphan` : `${pod.metadata.namespace}/${owner.name}`;
}

/** The status of an indexed Job counts indexes, not Pods. */
function isIndexedStatus(status: JobStatus): boolean {
  return status.completedIndexes !== undefined;
}

function unmanaged({ active, ready, terminating }: JobCount): Managed {
  return { active: active.length, ready, terminating, nextMs: Infinity };
}

/** Returns the condition of a Job that has all its completions. */
function completion(
  { spec }: Cached<Job>,
  { succeeded }: JobCount,
  active: number,
  wallMs: number,
): JobCondition | undefined {
  const isComplete = active === 0 && succeeded >= (spec?.completions ?? 1);
  return isComplete ? jobCondition("SuccessCriteriaMet", REACHED, wallMs) : undefined;
}

import { describeError } from "@kubeloop/controller/internal/base";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  apiVersionOf,
  type Cached,
  controllerReference,
  deepCopy,
  formatTime,
  isAlreadyExists,
  isControlledBy,
  isNotFound,
  type ObjectReference,
  type Stored,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  controlledBy,
  isBeingDeleted,
  isSame,
  Ownership,
  Reconciler,
  unlessGone,
  whenTerminating,
} from "../control/mod.ts";
import { type CronJob, CronJobs, finishOf, type Job, Jobs } from "./batch_kinds.ts";
import { CronSchedule } from "../../cron/mod.ts";
import { cronTimes, zonedTime } from "./cron_times.ts";

const SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
/** The controller looks a little after the time, so that it is over for certain. */
const DELTA_MS = 100;

type Status = NonNullable<CronJob["status"]>;

/** The result of evaluating a schedule. */
interface Run {
  readonly status: Status;
  /** The wall time of the next look, in milliseconds. */
  readonly nextMs?: number | undefined;
  readonly error?: unknown;
}

/**
 * Creates Jobs on the schedules of CronJobs, as kube-controller-manager does, with time zones, concurrency policies, starting
 * deadlines and limits on the history.
 */
export class CronJobController implements Actor {
  /** `cronjob-controller` */
  readonly name: string = "cronjob-controller";
  readonly #frame: Reconciler<CronJob>;
  readonly #jobs: Ownership<CronJob, Job>;

  /** Creates a controller, which does nothing until {@linkcode CronJobController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: CronJobs,
      reconcile: (cron, signal) => this.#reconcile(cron, signal),
    });
    // CronJobs have no selector: they adopt nothing.
    this.#jobs = new Ownership<CronJob, Job>(this.#frame, { owner: CronJobs, resource: Jobs });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(cached: Cached<CronJob>, signal: AbortSignal): Promise<ReconcileResult | void> {
    const jobs = controlledBy(this.#jobs.informer, cached);
    const cron = await this.#latest(cached, jobs, signal);
    const seen = await this.#seeJobs(cron, jobs, signal);
    const { error, nextMs, status } = await this.#runDue(cron, seen, signal);
    await this.#removeOldest(cron, jobs, signal);
    if (!isSame(status, cron.status)) {
      const written = { ...cron, status } as CronJob;
      await this.#frame.client.updateStatus(CronJobs, written, { signal });
    }
    if (error !== undefined && !whenTerminating(error)) throw error;
    if (nextMs === undefined) return;
    return { requeueAfterMs: Math.max(nextMs + DELTA_MS - this.#frame.clock.wallNow(), DELTA_MS) };
  }

  /** The cache may show a new Job before the status that lists it: then the CronJob is read again. */
  async #latest(
    cron: Cached<CronJob>,
    jobs: readonly Cached<Job>[],
    signal: AbortSignal,
  ): Promise<Cached<CronJob>> {
    const isBehind = jobs.some((job) => finishOf(job) === undefined && !isListed(cron.status, job));
    if (!isBehind) return cron;
    const { name, namespace = "" } = cron.metadata;
    return await this.#frame.client.get(CronJobs, name, { namespace, signal });
  }

  /** Notes which Jobs have ended or are missing. */
  async #seeJobs(
    cron: Cached<CronJob>,
    jobs: readonly Cached<Job>[],
    signal: AbortSignal,
  ): Promise<Status> {
    const status = deepCopy(cron.status ?? {}) as Status;
    const drop = (uid: string | undefined) => {
      status.active = (status.active ?? []).filter((one) => one.uid !== uid);
    };
    for (const job of jobs) {
      const { name, uid } = job.metadata;
      const finish = finishOf(job);
      const isActive = isListed(status, job);
      if (finish === undefined) {
        if (isActive) continue;
        const message = `Saw a job that the controller did not create or forgot: ${name}`;
        await this.#frame.writeEvent(cron, "Warning", "UnexpectedJob", message, signal);
        continue;
      }
      if (isActive) {
        drop(uid);
        const message = `Saw completed job: ${name}, condition: ${finish}`;
        await this.#frame.writeEvent(cron, "Normal", "SawCompletedJob", message, signal);
      }
      const { completionTime = "" } = job.status ?? {};
      if (finish === "Complete" && completionTime > (status.lastSuccessfulTime ?? "")) {
        status.lastSuccessfulTime = completionTime;
      }
    }
    for (const { name = "", namespace = "", uid } of status.active ?? []) {
      if (jobs.some(({ metadata }) => metadata.uid === uid)) continue;
      // The cache may not show the Job yet.
      const job = await this.#frame.client.get(Jobs, name, { namespace, signal }).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      if (job !== undefined) continue;
      drop(uid);
      await this.#frame.writeEvent(
        cron,
        "Normal",
        "MissingJob",
        `Active job went missing: ${name}`,
        signal,
      );
    }
    return status;
  }

  /** Creates the Job that is due. */
  async #runDue(cron: Cached<CronJob>, status: Status, signal: AbortSignal): Promise<Run> {
    const { concurrencyPolicy, suspend } = cron.spec ?? {};
    if (isBeingDeleted(cron)) return { status };
    const schedule = await this.#scheduleOf(cron, signal);
    if (schedule === undefined || suspend === true) return { status };
    const nowMs = this.#frame.clock.wallNow();
    const { dueMs, missedMany, nextMs } = cronTimes({ ...cron, status }, schedule, nowMs);
    if (dueMs === undefined) return { status, nextMs };
    if (missedMany) {
      const message =
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      await this.#frame.writeEvent(cron, "Warning", "TooManyMissedTimes", message, signal);
    }
    const name = `${cron.metadata.name}-${Math.floor(dueMs / 60_000)}`;
    const isDone = status.lastScheduleTime === formatTime(dueMs) ||
      status.active?.some((one) => one.name === name);
    if (isDone) return { status, nextMs };
    if (concurrencyPolicy === "Forbid" && (status.active?.length ?? 0) > 0) {
      const message =
        "Not starting job because prior execution is running and concurrency policy is Forbid";
      await this.#frame.writeEvent(cron, "Normal", "JobAlreadyActive", message, signal);
      return { status, nextMs };
    }
    if (concurrencyPolicy === "Replace") {
      for (const job of status.active ?? []) await this.#deleteJob(cron, job, signal);
      status.active = [];
    }
    return await this.#create(cron, status, { name, dueMs, nextMs }, signal);
  }

  async #scheduleOf(cron: Cached<CronJob>, signal: AbortSignal): Promise<CronSchedule | undefined> {
    const { schedule = "", timeZone } = cron.spec ?? {};
    try {
      return new CronSchedule(schedule, timeZone);
    } catch (error) {
      const [reason, message] = error instanceof RangeError
        ? [
          "UnknownTimeZone",
          `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`,
        ]
        : [
          "UnparseableSchedule",
          `unparseable schedule: ${JSON.stringify(schedule)} : ${describeError(error)}`,
        ];
      await this.#frame.writeEvent(cron, "Warning", reason, message, signal);
      return undefined;
    }
  }

  async #create(
    cron: Cached<CronJob>,
    status: Status,
    { dueMs, name, nextMs }: { name: string; dueMs: number; nextMs: number | undefined },
    signal: AbortSignal,
  ): Promise<Run> {
    const { namespace = "" } = cron.metadata;
    const { metadata = {}, spec } = deepCopy(cron.spec!.jobTemplate) as {
      metadata?: Job["metadata"];
      spec: NonNullable<Job["spec"]>;
    };
    const { annotations = {}, labels = {} } = metadata;
    const wanted: Job = {
      metadata: {
        name,
        namespace,
        labels,
        annotations: { ...annotations, [SCHEDULED]: zonedTime(dueMs, cron.spec?.timeZone) },
        ownerReferences: [controllerReference(cron as Stored<CronJob>, CronJobs)],
      },
      spec,
    };
    let job: Stored<Job>;
    try {
      job = await this.#frame.client.create(Jobs, wanted, { signal });
      await this.#frame.writeEvent(
        cron,
        "Normal",
        "SuccessfulCreate",
        `Created job ${name}`,
        signal,
      );
    } catch (error) {
      if (!isAlreadyExists(error)) {
        if (!signal.aborted && !whenTerminating(error)) {
          const message = `Error creating job: ${describeError(error)}`;
          await this.#frame.writeEvent(cron, "Warning", "FailedCreate", message, signal);
        }
        return { status, error };
      }
      // It was created, but the status was not written.
      job = await this.#frame.client.get(Jobs, name, { namespace, signal });
      if (!isControlledBy(job, cron)) return { status };
    }
    const reference: ObjectReference = {
      kind: Jobs.kind,
      namespace,
      name,
      uid: job.metadata.uid,
      apiVersion: apiVersionOf(Jobs),
      resourceVersion: job.metadata.resourceVersion,
    };
    const active = [...status.active ?? [], reference];
    return { status: { ...status, active, lastScheduleTime: formatTime(dueMs) }, nextMs };
  }

  /** Deletes the oldest finished Jobs, beyond the limits of the history. */
  async #removeOldest(
    cron: Cached<CronJob>,
    jobs: readonly Cached<Job>[],
    signal: AbortSignal,
  ): Promise<void> {
    if (isBeingDeleted(cron)) return;
    const { failedJobsHistoryLimit = 1, successfulJobsHistoryLimit = 3 } = cron.spec ?? {};
    const age = ({ metadata, status }: Cached<Job>) => `${status?.startTime} ${metadata.name}`;
    const limits = [["Complete", successfulJobsHistoryLimit], ["Failed", failedJobsHistoryLimit]];
    for (const [finish, limit] of limits as [string, number][]) {
      const finished = jobs.filter((job) => finishOf(job) === finish && !isBeingDeleted(job))
        .sort((a, b) => age(a) < age(b) ? -1 : 1);
      for (const { metadata } of finished.slice(0, Math.max(0, finished.length - limit))) {
        await this.#deleteJob(cron, metadata, signal);
      }
    }
  }

  async #deleteJob(
    cron: Cached<CronJob>,
    { name = "", namespace = "", uid }: ObjectReference,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#frame.client.delete(Jobs, name, {
      namespace,
      propagationPolicy: "Background",
      preconditions: { uid },
      signal,
    }).catch(unlessGone);
    await this.#frame.writeEvent(cron, "Normal", "SuccessfulDelete", `Deleted job ${name}`, signal);
  }
}

function isListed(status: Cached<CronJob>["status"], { metadata }: Cached<Job>): boolean {
  return status?.active?.some(({ uid }) => uid === metadata.uid) === true;
}

import {
  checkedElsewhere,
  type Clock,
  type Environment,
  ENVIRONMENT_CHECKS,
  forkRandom,
  inherit,
  isName,
  isSignal,
  isTimeLimit,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  type OptionChecks,
  PacedLogger,
  type Random,
  randomUuid,
  realClock,
  realRandom,
  type Redact,
  redactOf,
  requireMethods,
  requireOptions,
  safeLogger,
  type Timer,
  withTimeLimit,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  type DeepReadonly,
  explainError,
  formatMicroTime,
  type KubeObject,
  type ResourceDescriptor,
} from "../types/mod.ts";
import { type DropReason, EventCounts } from "./event_counts.ts";
import { type DeliveryOwner, EventDelivery, MAX_QUEUED, MAX_TRIES } from "./event_delivery.ts";
import { EventNames, isSubdomain } from "./event_names.ts";
import {
  type EventReport,
  fittingText,
  identityOf,
  referenceOf,
  requireReport,
} from "./event_report.ts";
import { CLUSTER_EVENTS_NAMESPACE } from "./event_v1.ts";
import { EventWriter } from "./event_writer.ts";
import { isUnwritten, type KnownEvent, KnownEvents } from "./known_events.ts";
import { SimilarNotes } from "./similar_notes.ts";
import { SpamFilter } from "./spam_filter.ts";

export type { DropReason } from "./event_counts.ts";

/** The client of an {@linkcode EventRecorder}: a `Client`, or an object with these methods. */
export interface EventClient extends Pick<Client, "create" | "patch"> {
  /** The clock, random source, logger and metrics that the recorder inherits. */
  readonly environment?: Environment;
}

/** Options of an {@linkcode EventRecorder}. */
export interface EventRecorderOptions extends Environment {
  /** The name of the controller in its Events, such as `widgets.acme.io` or `acme.io/widgets`. */
  readonly reportingController: string;
  /**
   * The name of this instance of the controller, such as the name of its Pod. Default: the name of the controller and eight
   * random digits.
   */
  readonly reportingInstance?: string | undefined;
  /** The label `controller` of the metrics. Default: `reportingController`. */
  readonly controller?: string | undefined;
}

const CHECKS: OptionChecks<EventRecorderOptions> = {
  ...ENVIRONMENT_CHECKS,
  reportingController: checkedElsewhere,
  reportingInstance: checkedElsewhere,
  controller: isName,
};
const RUN_CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = {
  signal: isSignal,
};
const FLUSH_CHECKS: OptionChecks<{ readonly timeoutMs?: number }> = { timeoutMs: isTimeLimit };

/** The state of an {@linkcode EventRecorder}. */
export interface EventRecorderSnapshot {
  /** The number of waiting events. */
  readonly queued: number;
  /** The number of events that may still be repeated. */
  readonly known: number;
  /** The number of calls of `event`. */
  readonly occurrences: number;
  /** The number of written Events and series. */
  readonly writes: number;
  /** The number of dropped occurrences and counts of series, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
}

/** The default time limit of a flush, and the time limit of the flush at the end. */
const FLUSH_MS = 5_000;

/** The limits of events.k8s.io/v1, in bytes. */
const MAX_NOTE = 1_024;
const MAX_WORD = 128;
/** Maximum length of the name of a controller after its prefix. */
const MAX_CONTROLLER = 63;

/**
 * Records events.k8s.io/v1 Events, for `kubectl describe` and `kubectl events`: client-go's `EventRecorder`.
 *
 * {@linkcode EventRecorder.event} is synchronous, never waits, and never fails because of the server. It adds the event to a
 * queue of at most 1,000 events. {@linkcode EventRecorder.run} writes the queue with one request at a time; up to seven
 * requests that take longer than two seconds may run beside it. Events that cannot be written are dropped, counted in
 * `snapshot` and the metrics, and logged with at most ten lines in ten seconds.
 *
 * **Series** are as in client-go's `tools/events`. The first occurrence creates an Event, and the second one patches its
 * `series`. Later ones are counted in memory. The count is written after six quiet minutes, every 30 minutes while it
 * grows, and at the end. If the Event of a series is gone, it is created again.
 *
 * **Spam control** is as in client-go's `tools/record`, because `tools/events` has none. Requests about one object are
 * limited to a burst of 25, then one in five minutes. Repetitions that are only counted make no request and are not limited.
 * Events with different notes are separate Events, as in `tools/record`; `tools/events` would show only the first note. From
 * the tenth different note within ten minutes on, they are combined into one series, whose note begins with
 * `(combined from similar events): `.
 *
 * **Retries**: if the server cannot be reached or answers 429 or 5xx, an event is tried up to twelve times. The pauses are
 * 10 to 12.5 s, or the time in `Retry-After`. Other events are written meanwhile. After 25 consecutive failures, there is one
 * try per second. When 1,000 events wait, a new event replaces the event with the most failures. An event that the server
 * refuses is dropped at once, for example because its namespace terminates or a right is missing.
 *
 * The client needs the verbs `create` and `patch` on `events` of `events.k8s.io`. An Event is in the namespace of its
 * object, or in `default` for a cluster-scoped object.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { EventRecorder, EventsV1 } from "@kubeloop/controller/events";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const map = await client.create(ConfigMaps, { metadata: { name: "a", namespace: "default" } });
 *
 * const recorder = new EventRecorder(client, { reportingController: "colors.acme.io" });
 * const stop = new AbortController();
 * const running = recorder.run({ signal: stop.signal });
 * recorder.event(ConfigMaps, map, { type: "Normal", reason: "Painted", note: "It is red now" });
 * stop.abort();
 * await running;
 *
 * const { items: [event] } = await client.list(EventsV1, { namespace: "default" });
 * assertEquals([event?.regarding.name, event?.note], ["a", "It is red now"]);
 * ```
 */
export class EventRecorder {
  readonly #controller: string;
  readonly #instance: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #redact: Redact;
  readonly #counts: EventCounts;
  readonly #names: EventNames;
  readonly #spam: SpamFilter;
  readonly #notes: SimilarNotes;
  readonly #known = new KnownEvents();
  readonly #delivery: EventDelivery;
  #phase: "new" | "running" | "stopped" = "new";

  /**
   * Creates a recorder. It makes no request before {@linkcode EventRecorder.run}.
   *
   * @param client The client that writes the Events. The recorder inherits its environment.
   * @param options The name of the controller.
   * @throws {TypeError} If the client lacks a method, or a name is not valid.
   */
  constructor(client: EventClient, options: EventRecorderOptions) {
    requireMethods("a client for the Events", client, "create", "patch");
    requireOptions("EventRecorder", options, CHECKS);
    const { reportingController, reportingInstance, controller = reportingController } = options;
    requireReportingController("reportingController", reportingController);
    if (reportingInstance !== undefined && !isWord(reportingInstance)) {
      throw new TypeError("reportingInstance must be a name, such as that of the Pod");
    }
    const environment = inherit(options, client.environment);
    const { clock = realClock, random = realRandom } = environment;
    this.#clock = clock;
    this.#random = forkRandom(random, `events of ${reportingController}`);
    const logger = safeLogger(environment.logger);
    this.#logger = new PacedLogger(logger, clock);
    this.#redact = redactOf(logger);
    this.#controller = reportingController;
    this.#instance = fittingText(
      reportingInstance ?? `${reportingController}-${randomUuid(this.#random).slice(0, 8)}`,
      MAX_WORD,
    );
    this.#counts = new EventCounts(environment.metrics ?? noopMetrics, controller);
    this.#names = new EventNames(clock, this.#random);
    this.#delivery = new EventDelivery({
      clock,
      random: this.#random,
      writer: new EventWriter(client, this.#names),
      owner: this.#owner(),
    });
    this.#spam = new SpamFilter(clock);
    this.#notes = new SimilarNotes(clock);
  }

  /**
   * Records an event about an object. Returns at once; the Event is written later, or dropped.
   *
   * @param resource The resource of the object.
   * @param object The object. It may be a read-only object from a cache.
   * @param report The type, the reason and the note.
   * @throws {TypeError} If a field of the report is missing, the type is neither `Normal` nor `Warning`, or the object has
   * no name. These are bugs of the caller.
   */
  event(
    resource: ResourceDescriptor,
    object: DeepReadonly<KubeObject>,
    report: EventReport,
  ): void {
    requireReport(report);
    const regarding = referenceOf(resource, object);
    const { related } = report;
    const relatedTo = related && referenceOf(related.resource, related.object);
    this.#counts.occurred();
    const { type, reason: fullReason, action: fullAction = "Reconcile" } = report;
    const reason = fittingText(fullReason, MAX_WORD);
    const action = fittingText(fullAction, MAX_WORD);
    const source = identityOf(regarding);
    const group = JSON.stringify([source, identityOf(relatedTo), type, reason, action]);
    const plainNote = fittingText(this.#redact(report.note), MAX_NOTE);
    const isCombined = this.#notes.combines(group, plainNote);
    const nowMs = this.#clock.now();
    const lastWallMs = this.#clock.wallNow();
    const key = isCombined ? group : JSON.stringify([group, plainNote]);
    const known = this.#known.find(key, nowMs);
    if (known !== undefined) {
      known.count++;
      known.lastMs = nowMs;
      known.lastWallMs = lastWallMs;
      this.#remember(known);
      // Later occurrences of a series are only counted.
      if (known.written < 2 && !known.isQueued) this.#enqueue(known);
      return;
    }
    const note = isCombined
      ? fittingText(`(combined from similar events): ${plainNote}`, MAX_NOTE)
      : plainNote;
    const added: KnownEvent = {
      key,
      object: source,
      event: {
        metadata: {
          name: this.#names.next(regarding.name),
          namespace: regarding.namespace ?? CLUSTER_EVENTS_NAMESPACE,
        },
        eventTime: formatMicroTime(lastWallMs),
        reportingController: this.#controller,
        reportingInstance: this.#instance,
        action,
        reason,
        regarding,
        ...(relatedTo === undefined ? {} : { related: relatedTo }),
        note,
        type,
      },
      count: 1,
      lastMs: nowMs,
      lastWallMs,
      written: 0,
      isQueued: false,
      tries: 0,
      failedMs: 0,
      pauseMs: 0,
      retryAfterMs: 0,
    };
    if (this.#enqueue(added)) this.#remember(added);
  }

  /**
   * Writes events until the signal aborts. Then it writes the remaining events and the counts of all series, for at most
   * five seconds. Resolves when no request or timer is left. The recorder can be run again afterwards; events in between
   * are dropped.
   *
   * @param call The signal that stops the recorder.
   * @throws {Error} If the recorder is running already.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    requireOptions("EventRecorder.run()", call, RUN_CHECKS);
    if (this.#phase === "running") {
      throw new Error("The EventRecorder is already running: run it once, until its signal aborts");
    }
    this.#phase = "running";
    const stop = new LinkedAbort(call.signal);
    const requests = new LinkedAbort();
    let timer: Timer | undefined;
    const release = onAbort(stop.signal, () => {
      timer = this.#clock.setTimer(() => requests.abort(), FLUSH_MS);
    });
    try {
      await this.#delivery.work({ until: stop.signal, requests: requests.signal, isFlush: false });
      const { signal } = requests;
      await this.#delivery.work({ until: signal, requests: signal, isFlush: true });
      await this.#delivery.ended();
    } finally {
      timer?.cancel();
      release();
      stop.release();
      this.#phase = "stopped";
      this.#dropQueue();
    }
  }

  /**
   * Writes the queue and the counts of all series, whether the recorder is running or not.
   *
   * @param options The time limit in milliseconds. Default 5,000.
   * @returns Whether all events were written or dropped in time. The others stay in the queue.
   * @throws {RangeError} If `timeoutMs` is not a number above 0.
   */
  async flush(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    requireOptions("EventRecorder.flush()", options, FLUSH_CHECKS);
    const { timeoutMs = FLUSH_MS } = options;
    const late = () => `the events were not written within ${timeoutMs} ms`;
    return await withTimeLimit(
      { clock: this.#clock, limitMs: timeoutMs, late },
      async (signal) => {
        await this.#delivery.work({ until: signal, requests: signal, isFlush: true });
        return this.#delivery.queue.length === 0;
      },
    );
  }

  /** Returns the length of the queue and the counters. */
  snapshot(): EventRecorderSnapshot {
    const { occurrences, writes, dropped } = this.#counts;
    return {
      queued: this.#delivery.queue.length,
      known: this.#known.size,
      occurrences,
      writes,
      dropped: { ...dropped },
    };
  }

  /** Adds an event to the queue, or drops the occurrence. A count that does not fit is written later. */
  #enqueue(known: KnownEvent): boolean {
    const isNew = known.written === 0;
    if (this.#phase === "stopped") {
      if (isNew) this.#drop(known, "stopped", "the recorder has stopped");
      return false;
    }
    if (!this.#hasRoom()) {
      if (isNew) this.#drop(known, "overflow", `${MAX_QUEUED} events are waiting to be written`);
      return false;
    }
    if (!this.#spam.allows(known.object)) {
      if (isNew) this.#drop(known, "spam", "there were too many about this object");
      return false;
    }
    this.#delivery.push(known);
    return true;
  }

  /** Makes room in a full queue by removing a failed event. Returns false if none has failed. */
  #hasRoom(): boolean {
    if (!this.#delivery.isFull) return true;
    const evicted = this.#delivery.queue.evict();
    if (evicted === undefined) return false;
    this.#giveUp(
      evicted,
      "overflow",
      `${MAX_QUEUED} events are waiting to be written, and ${evicted.tries} tries have failed`,
    );
    return true;
  }

  #remember(known: KnownEvent): void {
    const evicted = this.#known.remember(known);
    if (evicted !== undefined) this.#finish(evicted);
  }

  /** Queues the last count of a finished series. */
  #finish(known: KnownEvent): void {
    if (known.isQueued || !isUnwritten(known)) return;
    if (this.#hasRoom()) this.#delivery.push(known);
    else this.#drop(known, "overflow", `${MAX_QUEUED} events are waiting to be written`);
  }

  /** Returns the callbacks of the delivery. */
  #owner(): DeliveryOwner {
    const known = this.#known;
    return {
      collect: (isFlush) => this.#collect(isFlush),
      get dueMs() {
        return known.dueMs;
      },
      written: (event) => {
        this.#counts.written();
        // The second occurrence was recorded during the write of the first one.
        if (event.written === 1 && isUnwritten(event)) this.#enqueue(event);
      },
      refused: (event, error) => this.#giveUp(event, "refused", explainError(error)),
      failed: (event, error) =>
        this.#giveUp(event, "failed", `${MAX_TRIES} tries failed: ${explainError(error)}`),
      retried: (error) =>
        this.#logger.warn(
          `${this.#controller}: cannot write an Event, trying again: ${explainError(error)}`,
        ),
    };
  }

  /** Queues the counts of series that are finished or due. */
  #collect(isFlush: boolean): void {
    const nowMs = this.#clock.now();
    const { queue } = this.#delivery;
    while (!this.#delivery.isFull) {
      const finished = this.#known.takeFinished(nowMs);
      if (finished === undefined) break;
      this.#finish(finished);
    }
    const isEmpty = queue.length === 0;
    if (!(isFlush && isEmpty) && !this.#known.isRefreshDue(nowMs)) return;
    const room = MAX_QUEUED - queue.length;
    for (const known of this.#known.unwritten().slice(0, room)) this.#delivery.push(known);
  }

  /** Drops the unwritten occurrences of an event. */
  #giveUp(known: KnownEvent, reason: DropReason, why: string): void {
    this.#drop(known, reason, why);
    // The next write of the series includes the dropped count.
    if (known.written > 0) known.written = known.count;
  }

  #drop({ event, count, written }: KnownEvent, reason: DropReason, why: string): void {
    this.#counts.drop(reason);
    const { regarding: { kind, namespace, name } } = event;
    const what = written === 0 ? "an event" : `the count ${count} of the event`;
    const object = `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
    const line = `${this.#controller}: dropped ${what} ${event.reason} of ${object}: ${why}`;
    // The spam filter works as intended, so this is not a warning.
    if (reason === "spam") this.#logger.info(line);
    else this.#logger.warn(line);
  }

  #dropQueue(): void {
    for (const known of this.#delivery.queue.clear()) {
      this.#drop(known, "stopped", `it could not be written within ${FLUSH_MS} ms after the stop`);
    }
  }
}

function isWord(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/**
 * Requires the name of a controller to be a qualified name, like the key of a label.
 *
 * @throws {TypeError} If the name is not valid.
 *
 * @internal
 */
export function requireReportingController(what: string, name: unknown): void {
  const parts = typeof name === "string" ? name.split("/") : [];
  const [prefix, last] = parts.length === 2 ? parts : [undefined, parts[0]];
  const isValid = parts.length <= 2 && last !== undefined && last.length <= MAX_CONTROLLER &&
    /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(last) &&
    (prefix === undefined || isSubdomain(prefix));
  if (isValid) return;
  throw new TypeError(
    `${what} must be a name such as widgets.acme.io, or acme.io/widgets with at most ` +
      `${MAX_CONTROLLER} characters after the slash: received ${
        typeof name === "string"
          ? JSON.stringify(name.slice(0, 100))
          : `a value of type ${typeof name}`
      }`,
  );
}

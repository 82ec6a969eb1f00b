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
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  type DeepReadonly,
  explainError,
  formatMicroTime,
  type KubeObject,
  type ResourceDescriptor,
} from "../../types/mod.ts";
import { type DropReason, EventCounts } from "./event_counts.ts";
import { type DeliveryOwner, EventDelivery, MAX_QUEUED, MAX_TRIES } from "./event_delivery.ts";
import { EventNames, isSubdomain } from "./event_names.ts";
import { type EventReport, identityOf, referenceOf, requireReport } from "./event_report.ts";
import { CLUSTER_EVENTS_NAMESPACE } from "./event_v1.ts";
import { EventWriter } from "./event_writer.ts";
import { fittingText } from "./fitting_text.ts";
import { isUnwritten, type KnownEvent, KnownEvents } from "./known_events.ts";
import { SimilarNotes } from "./similar_notes.ts";
import { SpamFilter } from "./spam_filter.ts";

export type { DropReason } from "./event_counts.ts";

/** The client of an {@linkcode EventRecorder}: a `Client`, or something with these methods. */
export interface EventClient extends Pick<Client, "create" | "patch"> {
  /** The clock, random source, logger and metrics that the recorder inherits. */
  readonly environment?: Environment;
}

/** Options of an {@linkcode EventRecorder}. */
export interface EventRecorderOptions extends Environment {
  /** The name of the controller in its Events, such as `widgets.acme.io` or `acme.io/widgets`. */
  readonly reportingController: string;
  /**
   * The name of this instance of the controller, such as that of its Pod. Default: the name of the controller, and eight
   * random digits.
   */
  readonly reportingInstance?: string | undefined;
  /** The label `controller` of the metrics. Default: `reportingController`. */
  readonly controller?: string | undefined;
}

const CHECKS: OptionChecks<EventRecorderOptions> = {
  ...ENVIRONMENT_CHECKS,
  // It is needed, so it is checked also if it is undefined.
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
  /** The number of events that wait to be written. */
  readonly queued: number;
  /** The number of events that may still be repeated. */
  readonly known: number;
  /** The number of calls of `event`. */
  readonly occurrences: number;
  /** The number of Events and series that were written. */
  readonly writes: number;
  /** The number of occurrences, or counts of series, that were dropped, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
}

/** The default time limit of a flush, and of the one at the end. */
const FLUSH_MS = 5_000;

/** The limits of events.k8s.io/v1, in bytes. */
const MAX_NOTE = 1_024;
const MAX_WORD = 128;
/** The longest name of a controller after its prefix. */
const MAX_CONTROLLER = 63;

/**
 * Records events.k8s.io/v1 Events, for `kubectl describe` and `kubectl events`: client-go's `EventRecorder`.
 *
 * {@linkcode EventRecorder.event} is synchronous, never waits, and never fails because of the server. It puts the event
 * into a queue of at most 1,000; {@linkcode EventRecorder.run} writes what is in there, one request at a time, and beside it
 * up to seven that take longer than two seconds. What cannot be written is dropped, counted (`snapshot`, metrics) and logged,
 * ten lines in ten seconds at most.
 *
 * **Series** are those of client-go's `tools/events`: the first occurrence creates an Event, the second one patches its
 * `series`, and further ones are counted. The count is written when there was none for six minutes, every 30 minutes, and
 * at the end. A series of which the Event is gone is created again.
 *
 * **Spam control** is that of client-go's `tools/record`, since `tools/events` has none. Requests about one object are
 * limited to a burst of 25 and one in five minutes after it. Repetitions that only count cost no request and are not
 * limited. Events that differ only in their note are separate Events, as in `tools/record`: in `tools/events` they would
 * be one series that shows the first note for ever. From the tenth different note within ten minutes on they are combined
 * into one series, whose note begins with `(combined from similar events): `.
 *
 * **Retries**: an event is tried twelve times with pauses of 10 to 12.5 s, or as long as `Retry-After` says, if the server
 * cannot be reached or answers 429 or 5xx. Other events are written meanwhile; after 25 failures in a row, one event is tried
 * per second. When 1,000 are waiting, a new one takes the place of the one that has failed most often. An event is dropped at
 * once if the server refuses it, for example since the namespace terminates (403) or a right is missing. The controller needs
 * `create` and `patch` of `events.events.k8s.io`.
 *
 * An Event is in the namespace of its object, or in `default` for a cluster-scoped object.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { EventRecorder, EventsV1 } from "@kubeloop/controller/operator";
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
   * Creates a recorder, which writes nothing until it is run.
   *
   * @param client Writes the Events. The recorder inherits its environment.
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
   * Records an event about an object. It returns at once; the Event is written later, or dropped.
   *
   * @param resource The resource of the object.
   * @param object The object. It may be a read-only object from a cache.
   * @param report What happened.
   * @throws {TypeError} If the report lacks something, the type is neither `Normal` nor `Warning`, or the object has no
   * name. These are bugs of the caller.
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
      // A series that has begun is written later.
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
   * Writes events until the signal aborts, and then what is still to be written, the counts of all series included, for
   * at most five seconds. Resolves when it makes no further request and has no timer. It can be run again afterwards;
   * events in between are dropped.
   *
   * @param call The `signal` stops the recorder.
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
   * Writes what is in the queue, and the counts of all series, whether the recorder is running or not.
   *
   * @param options The time limit in milliseconds. Default 5,000.
   * @returns Whether everything was written or dropped in time. If not, the rest stays in the queue.
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

  /** Puts an event into the queue, or drops the occurrence. A count that is dropped here is written later. */
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

  /** Makes room for an event in the queue, if the queue is full and an event in it has failed. */
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

  /** Writes the last count of a series that is over. */
  #finish(known: KnownEvent): void {
    if (known.isQueued || !isUnwritten(known)) return;
    if (this.#hasRoom()) this.#delivery.push(known);
    else this.#drop(known, "overflow", `${MAX_QUEUED} events are waiting to be written`);
  }

  /** Returns what the delivery calls. */
  #owner(): DeliveryOwner {
    const known = this.#known;
    return {
      collect: (isFlush) => this.#collect(isFlush),
      get dueMs() {
        return known.dueMs;
      },
      written: (event) => {
        this.#counts.written();
        // The second occurrence came while the first one was written.
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

  /** Puts the series into the queue that are over, or due for another reason. */
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

  /** Drops what an event still has to write. */
  #giveUp(known: KnownEvent, reason: DropReason, why: string): void {
    this.#drop(known, reason, why);
    // The count is tried again with the next one that is to be written.
    if (known.written > 0) known.written = known.count;
  }

  #drop({ event, count, written }: KnownEvent, reason: DropReason, why: string): void {
    this.#counts.drop(reason);
    const { regarding: { kind, namespace, name } } = event;
    const what = written === 0 ? "an event" : `the count ${count} of the event`;
    const object = `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
    const line = `${this.#controller}: dropped ${what} ${event.reason} of ${object}: ${why}`;
    // Too many events about an object are what the filter is for.
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
 * Checks the name of a controller: a qualified name, as those of labels.
 *
 * @throws {TypeError} If it is none.
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

import { requireSync, toError } from "../../base/mod.ts";
import { explainError, type KubeObject } from "../../types/mod.ts";
import { metaNamespaceKeyFunc } from "../store/mod.ts";
import type { ReflectorContext } from "./reflector_context.ts";
import { type AfterWatchList, afterWatchList, type StreamEnd } from "./watch_end.ts";
import { type EventStore, WatchEvents } from "./event_handling.ts";
import type { WatchSession } from "./watch_session.ts";
import { requestFailure } from "./watch_error.ts";
import { Watchdog } from "./watchdog.ts";

/** The time after which a warning is logged: a healthy server is done within seconds. client-go warns after 10 s. */
const WARNING_MS = 5_000;
/** The default of `watchListTimeoutMs`. */
const SILENCE_MS = 10_000;
/**
 * The limit of the whole streaming list, as a multiple of the silence limit: live events can keep a stream from being
 * silent.
 */
const TOTAL_FACTOR = 12;

/** The result of a streaming list. */
export type StreamingListResult<T extends KubeObject> =
  /** The store has the objects, and the same watch continues from there. */
  | { readonly session: WatchSession<T>; readonly wasSilent: false }
  /** A plain list is needed instead. A server that `wasSilent` may not know streaming lists at all. */
  | { readonly session: undefined; readonly wasSilent: boolean };

/** One attempt at a streaming list. */
interface Attempt<T extends KubeObject> {
  readonly end: StreamEnd;
  readonly session: WatchSession<T> | undefined;
  readonly events: WatchEvents<T>;
  readonly objects: TemporaryStore<T>;
  readonly durationMs: number;
}

/**
 * Requests a streaming list (WatchList): a watch that starts with the current objects. Replaces the content of the
 * store once the bookmark says that they are complete.
 *
 * @throws {Error} If the store refuses the list, or the request fails for good; `signal.reason` on abort.
 */
export async function streamIntoStore<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<StreamingListResult<T>> {
  const { position, pacer } = context;
  for (let earlyEnds = 0;;) {
    await context.paced(pacer.before(signal));
    signal.throwIfAborted();
    const askedForNewest = position.isUnavailable;
    const attempt = await attemptStream(context, signal);
    const { session, events, end, durationMs } = attempt;
    if (session !== undefined && events.initialEventsEnd !== undefined) {
      await keep(context, session, attempt, signal);
      return { session, wasSilent: false };
    }
    await session?.close();
    signal.throwIfAborted();
    const eventCount = events.count;
    const next = afterWatchList({ end, eventCount, durationMs, earlyEnds, askedForNewest });
    noteFailure(context, end, next);
    if (next === "fall-back") return { session: undefined, wasSilent: end.kind === "silent" };
    if (next === "retry-newest") position.markUnavailable();
    else await context.backOff(signal, end.kind === "error" ? end.error : undefined);
    if (end.kind === "closed") earlyEnds++;
  }
}

async function attemptStream<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<Attempt<T>> {
  const { clock, status, position, store } = context;
  status.listStarted("streamingLists");
  const startedAtMs = clock.now();
  const resourceVersion = position.rewatchResourceVersion;
  const objects = new TemporaryStore<T>(store.transformer);
  const events = new WatchEvents<T>(context, objects, {
    resourceVersion,
    advance: () => {},
    initialEventsOnly: true,
  });
  let session: WatchSession<T> | undefined;
  let end: StreamEnd;
  try {
    session = await context.open({
      resourceVersion,
      resourceVersionMatch: "NotOlderThan",
      sendInitialEvents: true,
    }, signal);
    end = await consumeInitialEvents(context, session, events);
  } catch (error) {
    if (signal.aborted) throw error;
    end = { kind: "error", error };
  }
  return { end, session, events, objects, durationMs: clock.now() - startedAtMs };
}

async function consumeInitialEvents<T extends KubeObject>(
  { clock, logger, name, options }: ReflectorContext<T>,
  session: WatchSession<T>,
  events: WatchEvents<T>,
): Promise<StreamEnd> {
  const silenceMs = options.watchListTimeoutMs ?? SILENCE_MS;
  const totalMs = TOTAL_FACTOR * silenceMs;
  const warning = clock.setTimer(
    () => logger.warn(`${name}: the streaming list has not ended after ${WARNING_MS} ms`),
    WARNING_MS,
  );
  const silence = new Watchdog(
    clock,
    silenceMs,
    () => session.cut(`It sent no event for ${silenceMs} ms`),
  );
  const total = clock.setTimer(
    () => session.cut(`The initial events did not end within ${totalMs} ms`),
    totalMs,
  );
  try {
    const end = await session.consume((event) => {
      silence.feed();
      return events.handle(event);
    });
    return events.error === undefined ? end : { kind: "error", error: events.error };
  } finally {
    warning.cancel();
    silence.stop();
    total.cancel();
  }
}

async function keep<T extends KubeObject>(
  context: ReflectorContext<T>,
  session: WatchSession<T>,
  { events, objects, durationMs }: Attempt<T>,
  signal: AbortSignal,
): Promise<void> {
  const resourceVersion = events.initialEventsEnd ?? "";
  const items = objects.list();
  try {
    await context.replace(items, resourceVersion, signal);
  } catch (error) {
    if (!signal.aborted) context.status.listFailed(toError(error));
    await session.close();
    throw error;
  }
  context.status.listed(items.length, durationMs, resourceVersion);
  context.logger.debug(
    `${context.name}: streamed ${items.length} objects at resourceVersion ${resourceVersion}`,
  );
}

/**
 * Counts and logs a streaming list that ended before its bookmark.
 *
 * @throws {Error} If the reflector must end ("Failed to list Pod: …"). Its owner logs the error.
 */
function noteFailure<T extends KubeObject>(
  context: ReflectorContext<T>,
  end: StreamEnd,
  next: AfterWatchList,
): void {
  const { status, logger, name } = context;
  const error = end.kind === "error" ? toError(end.error) : new Error(
    end.kind === "silent" ? end.reason : "It was closed before the initial events ended",
  );
  if (next === "retry-backoff" || next === "fail") status.listFailed(error);
  if (next === "fail") throw requestFailure("list", context.kind, error);
  // A fallback is not a failed list: unless the server is just too old, the plain list fails too and reports the
  // reason.
  if (next === "fall-back") status.counters.fallbacks++;
  // An unreachable or overloaded server is reported as for a plain list.
  if (end.kind === "error" && next === "retry-backoff") {
    return context.report(requestFailure("list", context.kind, end.error));
  }
  const then = next === "fall-back" ? "falling back to a plain list" : "trying again";
  logger.info(`${name}: the streaming list failed, ${then}: ${explainError(error)}`);
}

/** Holds the initial objects of a streaming list until the bookmark says that they are complete. */
class TemporaryStore<T extends KubeObject> implements EventStore<T> {
  readonly #objects = new Map<string, T>();
  readonly #transformer: ((obj: T) => T) | undefined;

  /** @param transformer Applied to each object at once, so that what it strips does not take memory. */
  constructor(transformer: ((obj: T) => T) | undefined) {
    this.#transformer = transformer;
  }

  add(obj: T): void {
    const kept = this.#transformer === undefined
      ? obj
      : requireSync("transformer", this.#transformer(obj));
    this.#objects.set(metaNamespaceKeyFunc(kept), kept);
  }

  update(obj: T): void {
    this.add(obj);
  }

  delete(obj: T): void {
    this.#objects.delete(metaNamespaceKeyFunc(obj));
  }

  list(): T[] {
    return [...this.#objects.values()];
  }
}

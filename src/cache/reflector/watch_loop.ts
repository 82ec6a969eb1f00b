import {
  describeError,
  LinkedAbort,
  onAbort,
  requireSync,
  type Timer,
  toError,
  WATCH_PACE,
} from "../../base/mod.ts";
import { explainError, isExactVersion, isExpired, type KubeObject } from "../../types/mod.ts";
import type { ReflectorContext } from "./reflector_context.ts";
import { RetryWithDeadline } from "./retry_with_deadline.ts";
import {
  type AfterWatch,
  afterWatch,
  isInternal,
  isVersionUnavailable,
  isVeryShort,
  isWatchRetriable,
  type StreamEnd,
} from "./watch_end.ts";
import { WatchEvents } from "./event_handling.ts";
import { requestFailure, stackOf } from "./watch_error.ts";
import type { WatchSession } from "./watch_session.ts";

/** The minimal pause before a watch is reopened after several in a row delivered an event and ended within a second. */
const REWATCH_PAUSE_MS = 1_000;

/**
 * Applies watch events to the store until the objects must be listed again, and resyncs the store meanwhile. Starts
 * with the watch `streamed` if it is given.
 *
 * @throws {Error} If a watch does not open, or fails for good ("Failed to watch Pod: …"); `signal.reason` on abort.
 */
export async function watchWithResync<T extends KubeObject>(
  context: ReflectorContext<T>,
  streamed: WatchSession<T> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const link = new LinkedAbort(signal);
  const resync = startResync(context, (error) => link.abort(error));
  try {
    await watchUntilRelist(context, streamed, link.signal);
  } catch (error) {
    // A failed resync is not a failure of the watch. The list that follows repairs the store.
    if (signal.aborted || !link.signal.aborted) throw error;
  } finally {
    resync.cancel();
    link.release();
  }
}

function startResync<T extends KubeObject>(
  { clock, store, options, status, logger, name }: ReflectorContext<T>,
  onError: (error: unknown) => void,
): Timer {
  const { resyncPeriodMs = 0, shouldResync } = options;
  if (resyncPeriodMs <= 0) return { cancel: () => {} };
  const fire = () => {
    try {
      if (shouldResync === undefined || requireSync("shouldResync", shouldResync())) store.resync();
      timer = clock.setTimer(fire, resyncPeriodMs);
    } catch (error) {
      status.storeFailed(toError(error));
      logger.error(`${name}: resync failed, listing again: ${describeError(error)}`, error);
      onError(error);
    }
  };
  let timer = clock.setTimer(fire, resyncPeriodMs);
  return { cancel: () => timer.cancel() };
}

async function watchUntilRelist<T extends KubeObject>(
  context: ReflectorContext<T>,
  streamed: WatchSession<T> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { clock, pacer, position, status, options } = context;
  const retries = new RetryWithDeadline(clock, options.maxInternalErrorRetryDurationMs ?? 0);
  let session = streamed;
  for (let quickWatches = 0, silentWatches = 0;;) {
    if (session === undefined) {
      await context.paced(pacer.before(signal));
      signal.throwIfAborted();
    }
    // Measured from the request on, since some proxies hold the answer back until the first event.
    const startedAtMs = clock.now();
    session ??= await openWatch(context, signal);
    if (session === undefined) continue;
    status.phase = "watching";
    // A watch from "" or "0" misses what was deleted between the list and the watch, unless it is the list.
    const hasGap = session !== streamed && !isExactVersion(position.resourceVersion);
    const { end, eventCount, lostVersion } = await consume(context, session, signal);
    const durationMs = clock.now() - startedAtMs;
    status.watchEnded(eventCount, durationMs);
    await session.close();
    session = undefined;
    signal.throwIfAborted();
    if (end.kind === "error" && isInternal(end.error)) retries.after();
    silentWatches = end.kind === "silent" && eventCount === 0 ? silentWatches + 1 : 0;
    const next = afterWatch({
      end,
      eventCount,
      durationMs,
      quickWatches,
      silentWatches,
      isResumable: !hasGap && !lostVersion && isExactVersion(position.resourceVersion),
      retryInternalErrors: retries.shouldRetry(),
    });
    if (next === "relist-newest") position.markUnavailable();
    if (end.kind === "error" && isVersionUnavailable(end.error)) position.markUnwatchable();
    noteEnd(context, end, next, isVeryShort(eventCount, durationMs));
    if (next === "relist" || next === "relist-newest" || next === "stop") return;
    quickWatches = durationMs < WATCH_PACE.shortMs ? quickWatches + 1 : 0;
    if (next === "rewatch-backoff") {
      await context.backOff(signal, end.kind === "error" ? end.error : undefined);
    }
    if (next === "rewatch-paced") await context.pause(REWATCH_PAUSE_MS, signal);
  }
}

/**
 * Opens a watch from the last resource version. Returns undefined, after the backoff delay, if the caller should retry.
 */
async function openWatch<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<WatchSession<T> | undefined> {
  const { status, logger, name, position } = context;
  status.watchStarted();
  try {
    return await context.open({ resourceVersion: position.resourceVersion }, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    status.watchFailed(toError(error));
    if (isVersionUnavailable(error)) position.markUnwatchable();
    const failure = requestFailure("watch", context.kind, error);
    if (!isWatchRetriable(error)) throw failure;
    logger.warn(`${name}: ${explainError(failure)}; trying again`);
    await context.backOff(signal, error);
    return undefined;
  }
}

async function consume<T extends KubeObject>(
  context: ReflectorContext<T>,
  session: WatchSession<T>,
  signal: AbortSignal,
): Promise<{ end: StreamEnd; eventCount: number; lostVersion: boolean }> {
  const events = new WatchEvents<T>(context, context.store, {
    resourceVersion: context.position.resourceVersion,
    advance: context.advance,
  });
  // This signal also aborts when a resync fails. The watch of a streaming list was opened before the signal existed.
  const release = onAbort(signal, () => session.cut("The objects must be listed again"));
  const end = await session.consume((event) => events.handle(event));
  release();
  return {
    end: events.error === undefined ? end : { kind: "error", error: events.error },
    eventCount: events.count,
    lostVersion: events.lostVersion,
  };
}

/**
 * Counts and logs the way in which a watch ended.
 *
 * @throws {Error} If the reflector must end ("Failed to watch Pod: …"). Its owner logs the error.
 */
function noteEnd<T extends KubeObject>(
  { status, logger, name, kind }: ReflectorContext<T>,
  end: StreamEnd,
  next: AfterWatch,
  veryShort: boolean,
): void {
  if (end.kind === "error") {
    status.watchFailed(toError(end.error));
    if (next === "fail") throw requestFailure("watch", kind, end.error);
    const line = `${name}: the watch failed: ${explainError(end.error)}`;
    if (isExpired(end.error)) logger.info(line);
    else logger.warn(line, ...stackOf(end.error));
  } else if (end.kind === "silent") {
    status.counters.silentWatches++;
    const then = next === "rewatch" ? "resuming it without a list" : "listing again";
    logger.info(`${name}: dropped the watch, ${then}: ${end.reason}`);
  } else if (veryShort) {
    const error = new Error("The watch was closed within a second and without an event");
    status.shortWatch(error);
    logger.warn(`${name}: ${error.message}`);
  } else {
    logger.debug(`${name}: watch closed`);
  }
}

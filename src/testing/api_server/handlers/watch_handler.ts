import { randomInt } from "@kubeloop/controller/internal/base";
import { INITIAL_EVENTS_END, type KubeObject } from "@kubeloop/controller/types";
import type { CacheView } from "../lag/mod.ts";
import {
  type LiveEntry,
  type LogEntry,
  type ResourceStore,
  type StoredObject,
  WatchStream,
} from "../storage/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import {
  type ListQuery,
  parseLabelSelector,
  parseRevision,
  PROTOBUF_STREAM,
  readListQuery,
  requireStream,
} from "../http/mod.ts";
import { parseFieldSelector, parseShardSelector } from "../kinds/mod.ts";
import { unreadyCache } from "./unreadable.ts";
import { ApiError, expired, internalError } from "../../values/mod.ts";
import { badRevision, cacheView, tooLargeRevision } from "./read_handlers.ts";
import { objectsOf, WatchConversion } from "./watch_conversion.ts";
import { WatchEncoder } from "./watch_encoder.ts";

/** The filter of a watch. */
interface WatchFilter {
  /** Whether the filter selects every object of the namespace. */
  readonly all: boolean;
  matches(object: StoredObject, value: () => KubeObject): boolean;
}

/** How often the start of a watch is converted, because objects change while a webhook converts others. */
const MAX_CONVERSIONS = 100;

/**
 * The age from which a watch gets bookmarks even if nothing at all is written, in milliseconds. A real server renews its own
 * Lease that often, so that its revision moves on; here, the bookmark then repeats the start of the watch.
 */
const LEASE_RENEWAL_MS = 10_000;

/** The first part of a watch, before live writes. */
interface Start {
  /** The current objects, which come first. */
  readonly objects: readonly StoredObject[];
  /** The past writes, which come next. */
  readonly entries: readonly LogEntry[];
  /** The revision up to which live writes are not sent. */
  readonly after: number;
  /** The revision of the bookmark that ends the initial events; undefined if there are no initial events. */
  readonly endMark: number | undefined;
}

/** The answer to a watch. */
interface OpenedWatch {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** Whether it begins with a streaming list. */
  readonly isList: boolean;
}

/** Opens a watch. */
export async function openWatch(exchange: ResourceExchange): Promise<OpenedWatch> {
  const options = readListQuery(exchange.query, true);
  const isList = options.sendInitialEvents === true && options.allowWatchBookmarks;
  const { info, resource, server } = exchange;
  const filter = filterOf(exchange, options);
  const watchEncoder = new WatchEncoder(exchange);
  const contentType = exchange.representation.format === "protobuf"
    ? PROTOBUF_STREAM
    : "application/json";
  const asked = await askedRevision(exchange, options);
  const view = asked.failure === undefined ? await watchView(exchange, options, asked) : undefined;
  requireStream(exchange.representation);
  if (resource.conversionWebhook !== undefined && !(view instanceof EventError)) {
    await convertStart(exchange, () => startOf(exchange, options, asked.revision, view));
  }
  exchange.request.signal.throwIfAborted();
  // No await from here on, so that no write falls between the snapshot and the subscription.
  let start: Start;
  try {
    if (asked.failure !== undefined) throw asked.failure;
    if (view instanceof EventError) throw view;
    start = selected(startOf(exchange, options, asked.revision, view), exchange, filter);
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    // The API server detects this after it has sent the response headers, so it reports the failure as an event.
    return { body: oneLine(watchEncoder.error(error.failure)), contentType, isList };
  }
  const { reader, store } = exchange;
  // No event is a list. The real server finds that out with the first event, and ends the watch.
  const unfit = exchange.representation.as === "PartialObjectMetadataList";
  if (unfit && (start.objects.length > 0 || start.entries.length > 0)) {
    return { body: oneLine(undefined), contentType, isList };
  }
  const after = start.after;
  const gate = server.lags.gate({
    reader,
    limit: server.watchBacklogLimit,
    onBacklog: server.watches.onBacklog,
    typeOf: (entry) => entry.revision > after ? liveType(entry, info.namespace, filter) : undefined,
  });
  if (server.lags.isActive) {
    start = {
      ...start,
      objects: server.lags.arrange(reader, start.objects),
      entries: gate.begin(start.entries.map(replayed)),
    };
  }
  const conversion = resource.conversionWebhook === undefined ? undefined : new WatchConversion({
    resource,
    converter: server.converter,
    next: gate,
    limit: server.watchBacklogLimit,
    onOverflow: () => stream.drop(),
    onFailure: (error) => {
      server.logger.warn(`The API server ends a watch of ${resource.storageName}`, error);
      stream.end("closed");
    },
  });
  const progressFrom = Math.max(start.after, start.endMark ?? 0);
  const renewalMs = server.clock.now() + LEASE_RENEWAL_MS;
  const stream = new WatchStream({
    clock: server.clock,
    lane: server.turns.lane(reader.identity),
    backlogLimit: server.watchBacklogLimit,
    onBacklog: server.watches.onBacklog,
    signal: exchange.request.signal,
    timeoutMs: timeoutOf(exchange, options),
    initial: initialLines(start, exchange, filter, watchEncoder, options.allowWatchBookmarks),
    encode: (entry) => {
      if (entry.revision <= after) return undefined;
      const line = liveLine(entry, info.namespace, filter, watchEncoder);
      if (!unfit || line === undefined) return line;
      stream.end("closed");
      return undefined;
    },
    bookmark: options.allowWatchBookmarks
      ? () => {
        // etcd tells the watch caches its revision every few seconds. Only bookmarks show that, so it is computed here.
        store.observe(server.storage.revision);
        const observed = store.observedRevision;
        const revision = gate.progress(conversion?.progress(observed) ?? observed);
        const isIdle = server.storage.revision === progressFrom && server.clock.now() >= renewalMs;
        return revision > progressFrom || (isIdle && revision === progressFrom)
          ? watchEncoder.bookmark(revision)
          : undefined;
      }
      : undefined,
    onEnd: () => {
      unsubscribe();
      conversion?.close();
      gate.close();
    },
  });
  const unsubscribe = server.watches.add({
    author: exchange.author,
    namespace: info.namespace,
    store,
    stream,
    observer: conversion ?? gate,
  });
  gate.connect(stream);
  return { body: stream.body, contentType, isList };
}

/**
 * Converts, by a webhook, the objects with which a watch starts. When this returns, they can be read, and so can the
 * objects of the writes since it was called.
 *
 * @throws {ApiError} 429, if the webhook fails; 500, if writes are faster than it.
 */
async function convertStart(
  exchange: ResourceExchange,
  startNow: () => Start,
): Promise<void> {
  const { resource, server } = exchange;
  for (let tries = 0; tries < MAX_CONVERSIONS; tries++) {
    let start: Start;
    try {
      start = startNow();
    } catch (error) {
      // The watch fails for that reason a moment later.
      if (error instanceof EventError) return;
      throw error;
    }
    const objects = [...start.objects, ...start.entries.flatMap(objectsOf)];
    const prepared = server.converter.prepare(resource, objects);
    if (prepared === undefined) return;
    try {
      await prepared;
    } catch (error) {
      if (!ApiError.is(error)) throw error;
      const failure = await unreadyCache(exchange, objects);
      if (failure !== undefined) throw failure;
    }
  }
  throw internalError(`conversion webhook for ${resource.storageName} is slower than the writes`);
}

/** A failure that becomes an ERROR event in an answer with status 200. */
class EventError extends Error {
  readonly failure: ApiError;

  constructor(failure: ApiError) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Returns the requested revision, or 0 for none. A watch with initial events waits for the revision; the result has a
 * failure if the server does not reach it.
 */
async function askedRevision(
  exchange: ResourceExchange,
  options: ListQuery,
): Promise<{ revision: number; failure?: EventError }> {
  const { storage } = exchange.server;
  const asked = options.resourceVersion;
  const revision = asked === "" ? 0 : parseRevision(asked);
  if (revision === undefined) throw internalError(badRevision(asked));
  if (options.sendInitialEvents !== true || await storage.reaches(revision)) return { revision };
  return { revision, failure: new EventError(tooLargeRevision(revision, storage.revision)) };
}

/**
 * Returns what the watch cache shows, if it is behind, or the failure of a watch with initial events for which the cache
 * does not catch up. Such a watch without a version waits for the newest one.
 */
async function watchView(
  exchange: ResourceExchange,
  options: ListQuery,
  { revision }: { readonly revision: number },
): Promise<CacheView | EventError | undefined> {
  const { sendInitialEvents, resourceVersion } = options;
  if (sendInitialEvents !== true && revision > 0) return undefined;
  const least = resourceVersion === "" ? exchange.server.storage.revision : revision;
  try {
    return await cacheView(exchange, least);
  } catch (error) {
    if (ApiError.is(error)) return new EventError(error);
    throw error;
  }
}

function startOf(
  exchange: ResourceExchange,
  options: ListQuery,
  revision: number,
  view: CacheView | undefined,
): Start {
  const { info, store, server: { storage } } = exchange;
  if (view !== undefined) return startOfView(exchange, options, view);
  if (options.sendInitialEvents) {
    store.observe(options.resourceVersion === "" ? storage.revision : revision);
    return {
      objects: store.list(info.namespace),
      entries: [],
      after: 0,
      endMark: store.observedRevision,
    };
  }
  if (revision === 0) {
    return { objects: [], entries: [], after: storage.revision, endMark: undefined };
  }
  return {
    objects: [],
    entries: entriesAfter(store, revision),
    after: revision,
    endMark: undefined,
  };
}

/** Returns the start of a watch from a cache that is behind: the writes that it has not seen come later. */
function startOfView(
  { info, store }: ResourceExchange,
  options: ListQuery,
  view: CacheView,
): Start {
  const { revision } = view;
  const initial = options.sendInitialEvents === true;
  return {
    objects: initial ? view.list(info.namespace) : [],
    entries: entriesAfter(store, revision),
    after: revision,
    endMark: initial ? revision : undefined,
  };
}

/** Returns the past writes after a revision. */
function entriesAfter(store: ResourceStore, revision: number): readonly LogEntry[] {
  const entries = store.entriesAfter(revision);
  if (entries !== undefined) return entries;
  throw new EventError(expired(`too old resource version: ${revision} (${store.windowStart})`));
}

/**
 * Returns the start of a watch without the objects and writes that the filter does not select. A reader that stops
 * reading would keep them in memory, long after they have changed.
 */
function selected(start: Start, { info, resource }: ResourceExchange, filter: WatchFilter): Start {
  if (filter.all && info.namespace === "") return start;
  return {
    ...start,
    objects: start.objects.filter((object) => filter.matches(object, () => resource.read(object))),
    entries: start.entries.filter((entry) =>
      liveType(replayed(entry), info.namespace, filter) !== undefined
    ),
  };
}

function* initialLines(
  start: Start,
  exchange: ResourceExchange,
  filter: WatchFilter,
  watchEncoder: WatchEncoder,
  bookmarks: boolean,
): IterableIterator<Uint8Array> {
  for (const object of start.objects) yield watchEncoder.event("ADDED", object);
  // Of a cache that is behind, the mark comes before the writes that the cache has not seen: it is older than they are.
  if (start.endMark !== undefined && bookmarks) {
    yield watchEncoder.bookmark(start.endMark, { [INITIAL_EVENTS_END]: "true" });
  }
  for (const entry of start.entries) {
    const line = liveLine(replayed(entry), exchange.info.namespace, filter, watchEncoder);
    if (line !== undefined) yield line;
  }
}

/** Returns a past write in the form of a live one. No other watch shares its lines. */
function replayed(entry: LogEntry): LiveEntry {
  return {
    ...entry,
    get value() {
      return entry.object.parse();
    },
    previousValue: () => entry.previous?.parse(),
    lines: new Map(),
  };
}

/**
 * Returns the line for a write, or undefined if the watch does not see it. An object that starts to match the filter is
 * ADDED. An object that stops matching is DELETED, in its last matching state and with the revision of the write.
 */
function liveLine(
  entry: LiveEntry,
  namespace: string,
  filter: WatchFilter,
  watchEncoder: WatchEncoder,
): Uint8Array | undefined {
  const type = liveType(entry, namespace, filter);
  return type === undefined ? undefined : watchEncoder.shared(entry, type);
}

/** Returns the type of the event for a write, or undefined if the watch does not see it. */
function liveType(
  entry: LiveEntry,
  namespace: string,
  filter: WatchFilter,
): LogEntry["type"] | undefined {
  const { object, previous } = entry;
  if (namespace !== "" && object.namespace !== namespace) return undefined;
  if (filter.all) return entry.type;
  const before = previous !== undefined && filter.matches(previous, () => entry.previousValue()!);
  const now = entry.type !== "DELETED" && filter.matches(object, () => entry.value);
  if (now) return before ? "MODIFIED" : "ADDED";
  return before ? "DELETED" : undefined;
}

function filterOf(exchange: ResourceExchange, options: ListQuery): WatchFilter {
  const { resource, info } = exchange;
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(options.fieldSelector, resource.kind);
  const parsed = parseShardSelector(options.shardSelector, resource.kind.release);
  const name = info.watchPath ? info.name : "";
  const isPlain = labels.isEmpty && fields.isEmpty && name === "";
  // Without a watch cache, Kubernetes 1.36 overlooks a shard selector that is the only selector.
  const isOverlooked = isPlain && resource.definition.uncached === true &&
    !resource.kind.release.has({ since: "1.37" });
  const shards = isOverlooked ? undefined : parsed;
  return {
    all: isPlain && shards === undefined,
    matches: (object, value) =>
      (name === "" || object.name === name) &&
      (shards === undefined || shards.matches(object)) &&
      (labels.isEmpty || labels.matches(object.labels)) &&
      (fields.isEmpty || fields.matches(
        resource.conversionWebhook === undefined
          ? resource.fromStorage(value())
          : resource.read(object),
      )),
  };
}

function timeoutOf({ reader, server }: ResourceExchange, options: ListQuery): number {
  // A negative time has passed already.
  if (options.timeoutSeconds !== 0) return Math.max(0, options.timeoutSeconds * 1000);
  const random = server.random.timeouts.of(reader.identity);
  return server.minRequestTimeoutMs + randomInt(random, server.minRequestTimeoutMs);
}

function oneLine(line: Uint8Array | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (line !== undefined) controller.enqueue(line);
      controller.close();
    },
  });
}

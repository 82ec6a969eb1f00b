import {
  isTrue,
  type ListQuery,
  parseLabelSelector,
  parseRevision,
  readListQuery,
} from "../http/mod.ts";
import { parseFieldSelector, parseShardSelector, requiredFieldValue } from "../kinds/mod.ts";
import {
  ApiError,
  badRequest,
  expired,
  failure,
  internalError,
  notFound,
} from "../../values/mod.ts";
import type { ListMeta } from "@kubeloop/controller/types";
import type { CacheView } from "../lag/mod.ts";
import {
  decodeContinue,
  encodeContinue,
  objectKey,
  type ResourceStore,
  type StoredObject,
} from "../storage/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { prepareRead, unreadableList, unreadyCache } from "./unreadable.ts";
import { listAnswer } from "./views.ts";

/** Answers a GET of one object. */
export async function handleGet(exchange: ResourceExchange): Promise<Answer> {
  const { query, resource, server } = exchange;
  requireName(exchange);
  if (isTrue(query.get("export") || "0")) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const asked = query.get("resourceVersion") ?? "";
  if (asked !== "" && asked !== "0") {
    const revision = parseRevision(asked);
    if (revision === undefined) throw internalError(badRevision(asked));
    await requireReached(exchange, revision);
  }
  const view = asked === "" ? undefined : await cacheView(exchange, Number(asked));
  const stored = findObject(exchange, view);
  if (stored === undefined) throw notFound(resource.definition, exchange.info.name);
  server.storage.store(resource.storageName).observe(server.storage.revision);
  const prepared = prepareRead(exchange, stored, asked === "");
  if (prepared !== undefined) await prepared;
  return { type: "object", code: 200, text: resource.text(stored) };
}

/** Refuses a name with a percent sign, which starts an escape sequence in a path. */
function requireName({ info: { name } }: ResourceExchange): void {
  if (!name.includes("%")) return;
  throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not contain '%'`);
}

/**
 * Returns the stored object that the path names, or undefined if it does not exist.
 *
 * @param view Where to look. Default: the newest state.
 * @throws {ApiError} 400, if the name is not a valid path segment.
 */
export function findObject(
  exchange: ResourceExchange,
  view?: CacheView,
): StoredObject | undefined {
  const { info, resource, store } = exchange;
  requireName(exchange);
  const namespace = resource.namespaced ? info.namespace : "";
  return view === undefined
    ? store.get(objectKey(namespace, info.name))
    : view.get(namespace, info.name);
}

/**
 * Returns what the watch cache shows, if it is behind; undefined for the newest state.
 *
 * @throws {ApiError} 504, if the cache does not reach the revision `least` within three seconds.
 */
export async function cacheView(
  exchange: ResourceExchange,
  least: number,
): Promise<CacheView | undefined> {
  const { reader, server: { lags } } = exchange;
  if (!lags.isActive) return undefined;
  const view = await lags.view(reader, least);
  if (view !== undefined && view.revision < least) throw tooLargeRevision(least, view.revision);
  return view;
}

/** Answers a list, or one page of it. */
export async function handleList(exchange: ResourceExchange): Promise<Answer> {
  const options = readListQuery(exchange.query, false);
  const matches = selectorOf(exchange, options);
  const page = await readPage(exchange, options, matches);
  const { reader, server } = exchange;
  const isPaged = limitOf(options) > 0 || options.continue !== "";
  const objects = isPaged ? page.objects : server.lags.arrange(reader, page.objects);
  return listAnswer(exchange, objects, page.listMeta);
}

/** A predicate that selects stored objects. */
export type ObjectFilter = (object: StoredObject) => boolean;

/**
 * Returns the filter for the selectors of the query, or undefined if the query has none.
 *
 * @throws {ApiError} 400, if a selector is invalid or names a field that is not supported.
 */
export function selectorOf(
  exchange: ResourceExchange,
  options: ListQuery,
): ObjectFilter | undefined {
  const { resource } = exchange;
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(options.fieldSelector, resource.kind);
  if (labels.isEmpty && fields.isEmpty) return undefined;
  return (object) =>
    (labels.isEmpty || labels.matches(object.labels)) &&
    (fields.isEmpty || fields.matches(resource.read(object)));
}

/** One page of a list. */
interface Page {
  readonly objects: readonly StoredObject[];
  readonly listMeta: ListMeta;
}

/** The objects to list, before selectors and limit. */
interface Range {
  readonly objects: readonly StoredObject[];
  readonly revision: number;
  /** Whether the watch cache has no snapshot of that revision. A compaction drops all snapshots up to its revision. */
  readonly uncached?: boolean;
}

/** Returns the maximum number of items; 0 means all. */
function limitOf({ limit, resourceVersion }: ListQuery): number {
  // A list at resourceVersion "0" comes from the watch cache, which ignores the limit.
  return resourceVersion === "0" ? 0 : Math.max(0, limit);
}

/** Whether a selector names one object, which the real server then gets without paging. */
function isForOne(
  { info, resource }: ResourceExchange,
  { fieldSelector }: ListQuery,
): boolean {
  return requiredFieldValue(fieldSelector, "metadata.name") !== undefined &&
    (info.namespace !== "" || !resource.definition.namespaced);
}

/** Returns the filter for the name that a selector requires. */
function nameFilter({ fieldSelector }: ListQuery): ObjectFilter {
  const name = requiredFieldValue(fieldSelector, "metadata.name");
  return (object) => object.name === name;
}

/** Returns the error of a list with objects that a webhook does not convert; undefined if it converts them one by one. */
function unreadablePage(
  exchange: ResourceExchange,
  { limit, labelSelector, fieldSelector }: ListQuery,
  objects: readonly StoredObject[],
): Promise<ApiError | undefined> {
  // The watch cache is not ready then. A real server reads some lists from etcd instead.
  const isPage = limit > 0 && labelSelector === "" && fieldSelector === "";
  if (exchange.method !== "DELETE" && !isPage) return unreadyCache(exchange, objects);
  return unreadableList(exchange, limit > 0 ? objects.slice(0, limit) : objects);
}

/** Reads the page of a list that `options` ask for: of the objects that `selects` and the shard selector match. */
export async function readPage(
  exchange: ResourceExchange,
  options: ListQuery,
  selects: ObjectFilter | undefined,
): Promise<Page> {
  const { release } = exchange.resource.kind;
  const shards = parseShardSelector(options.shardSelector, release);
  const matches: ObjectFilter | undefined = shards === undefined
    ? selects
    : (object) => shards.matches(object) && (selects === undefined || selects(object));
  const { objects: range, revision, uncached } = await readRange(exchange, options);
  const isOne = isForOne(exchange, options);
  // No other object has to be parsed.
  const all = isOne ? range.filter(nameFilter(options)) : range;
  const { resource, server } = exchange;
  const prepare = async (objects: readonly StoredObject[]) => {
    const prepared = server.converter.prepare(resource, objects);
    if (prepared === undefined) return;
    try {
      await prepared;
    } catch (error) {
      if (!ApiError.is(error)) throw error;
      const failure = await unreadablePage(exchange, options, objects);
      if (failure !== undefined) throw failure;
    }
  };
  // A webhook may have to convert the objects before their fields can be compared.
  if (options.fieldSelector !== "") await prepare(all);
  const listMeta: ListMeta = { resourceVersion: String(revision) };
  const shardInfo = shards === undefined ? {} : shardInfoOf(exchange, shards.text);
  const limit = limitOf(options);
  if (limit === 0 || isOne) {
    const objects = matches === undefined ? all : all.filter(matches);
    await prepare(objects);
    return { objects, listMeta: { ...listMeta, ...shardInfo } };
  }
  const objects: StoredObject[] = [];
  let read = 0;
  while (read < all.length && objects.length < limit) {
    const object = all[read++]!;
    if (matches === undefined || matches(object)) objects.push(object);
  }
  const last = objects[objects.length - 1];
  if (read < all.length && last !== undefined) {
    const start = startAfter(exchange, last, uncached);
    listMeta.continue = encodeContinue({ revision, start });
    // Kubernetes 1.36 overlooks the shard selector.
    const isCounted = matches === undefined ||
      selects === undefined && !release.has({ since: "1.37" });
    if (isCounted) listMeta.remainingItemCount = all.length - limit;
  }
  await prepare(objects);
  return { objects, listMeta: { ...listMeta, ...shardInfo } };
}

/** Returns the part of the metadata that repeats a shard selector. Tables and lists of custom resources do not have it. */
function shardInfoOf({ representation, resource }: ResourceExchange, selector: string): object {
  if (resource.custom || representation.as !== "Object") return {};
  return { shardInfo: { selector } };
}

/**
 * Returns the start key for a continue token: the first key after `object`, relative to the prefix of the list. It
 * begins with a slash if the list comes from a watch cache, which leaves the slash there.
 */
function startAfter(
  exchange: ResourceExchange,
  object: StoredObject,
  uncached: boolean = exchange.resource.definition.uncached === true,
): string {
  const relative = object.key.slice(prefixOf(exchange).length) + "\0";
  return uncached ? relative : `/${relative}`;
}

function prefixOf({ info }: ResourceExchange): string {
  return info.namespace === "" ? "" : `${info.namespace}/`;
}

async function readRange(exchange: ResourceExchange, options: ListQuery): Promise<Range> {
  if (options.continue !== "") return readContinued(exchange, options);
  const { info, store, server: { storage } } = exchange;
  const { resourceVersion: asked, resourceVersionMatch: match } = options;
  if (asked === "") {
    // A consistent read brings the watch cache up to the newest revision.
    store.observe(storage.revision);
    return { objects: store.list(info.namespace), revision: storage.revision };
  }
  const revision = parseRevision(asked);
  if (revision === undefined) throw badRequest(`invalid resource version: ${badRevision(asked)}`);
  if (revision > 0) await requireReached(exchange, revision);
  // A limit without a resourceVersionMatch means Exact, as it did before resourceVersionMatch existed.
  if (revision > 0 && (match === "Exact" || (match === "" && options.limit > 0))) {
    const objects = store.listAt(info.namespace, revision);
    if (objects === undefined) {
      throw expired("The resourceVersion for the provided list is too old.");
    }
    return { objects, revision, ...ifUncached(store, revision) };
  }
  const view = await cacheView(exchange, revision);
  if (view !== undefined) {
    return { objects: view.list(info.namespace), revision: view.revision };
  }
  store.observe(revision);
  return { objects: store.list(info.namespace), revision: store.observedRevision };
}

async function readContinued(exchange: ResourceExchange, options: ListQuery): Promise<Range> {
  const { info, store, server: { storage } } = exchange;
  const token = decodeContinue(options.continue);
  if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const first = prefixOf(exchange) + token.start;
  let revision = token.revision;
  if (revision < 0) {
    revision = storage.revision;
    store.observe(revision);
  } else await requireReached(exchange, revision);
  const objects = store.listAt(info.namespace, revision);
  if (objects === undefined) throw expiredContinue(token.start);
  const page = { objects: objects.filter((object) => object.key >= first), revision };
  return token.revision < 0 ? page : { ...page, ...ifUncached(store, revision) };
}

function ifUncached(store: ResourceStore, revision: number): Pick<Range, "uncached"> {
  return store.historyStart > 0 && revision <= store.historyStart ? { uncached: true } : {};
}

/**
 * Returns the 410 for an old continue token. It carries a token to continue with, at the price of an inconsistent list.
 */
function expiredContinue(start: string): ApiError {
  return expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    encodeContinue({ revision: -1, start }),
  );
}

/**
 * Waits until the server reaches a revision.
 *
 * @throws {ApiError} 504, if it does not within three seconds.
 */
export async function requireReached(
  exchange: ResourceExchange,
  revision: number,
): Promise<void> {
  const { storage } = exchange.server;
  if (await storage.reaches(revision)) return;
  throw tooLargeRevision(revision, storage.revision);
}

/** Returns the 504 for a revision that the server has not reached. */
export function tooLargeRevision(asked: number, current: number): ApiError {
  return failure(504, `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    reason: "Timeout",
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}

/** Returns the message for a resource version that is not a number. */
export function badRevision(text: string): string {
  const quoted = JSON.stringify(text);
  const why = /^[0-9]+$/.test(text) ? "value out of range" : "invalid syntax";
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`;
}

import {
  abortable,
  delay,
  describeError,
  toError,
  TurnBudget,
  withTimeLimit,
} from "../../base/mod.ts";
import { ListPager, type PagedList, PageProgress } from "../../pager/mod.ts";
import {
  AnswerTooLargeError,
  explainError,
  fillInKind,
  isExactVersion,
  type KubeList,
  type KubeObject,
  type ListOptions,
  receivedVersion,
} from "../../types/mod.ts";
import type { ReflectorContext } from "./reflector_context.ts";
import { isRefused, isVersionUnavailable, mayBeAboutVersion } from "./watch_end.ts";
import { isTable } from "./event_handling.ts";
import { requestFailure } from "./watch_error.ts";

/**
 * The number of pages per list that may hold less than half of the requested objects before further pages are paced.
 * API servers fill their pages. The limit slows down a server that sends an endless list object by object.
 */
const MAX_SCANT_PAGES = 100;

/** The default time limit of one page. */
const LIST_TIMEOUT_MS = 90_000;

/** The number of items that are checked in one step. */
const ITEMS_PER_STEP = 32;

/**
 * Lists page by page, then replaces the content of the store. Besides the items read so far, it holds only the page
 * that is being read.
 *
 * @throws {Error} If the list fails ("Failed to list Pod: …") or the store refuses it; `signal.reason` on abort.
 */
export async function listIntoStore<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, name, logger, status } = context;
  const startedAtMs = clock.now();
  let isFetched = false;
  try {
    const { list, paginated } = await listNewestIfUnavailable(context, signal);
    isFetched = true;
    const resourceVersion = receivedVersion(list.metadata);
    const items = await usableItems(context, list.items, signal);
    await context.replace(items, resourceVersion, signal);
    status.listed(items.length, clock.now() - startedAtMs, resourceVersion);
    logger.debug(
      `${name}: listed ${items.length} objects at resourceVersion ${resourceVersion}` +
        (paginated ? " in pages" : ""),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    status.listFailed(toError(error));
    throw isFetched ? error : requestFailure("list", context.kind, error);
  }
}

/**
 * Lists the objects. If the server does not have the resource version, or refuses it, lists once more at once, at the
 * newest version. A list that is too large for one answer is listed in pages from then on.
 */
async function listNewestIfUnavailable<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<PagedList<T>> {
  const { name, logger, position } = context;
  const resourceVersion = position.relistResourceVersion;
  try {
    return await listAt(context, resourceVersion, signal);
  } catch (error) {
    if (AnswerTooLargeError.is(error) && position.pageSize(resourceVersion) === 0) {
      logger.info(`${name}: listing in pages instead: ${describeError(error)}`);
      position.alwaysPage();
      return await listAt(context, resourceVersion, signal);
    }
    // A refusal of "any version" is about something else, such as a selector.
    const isVersionRefused = isExactVersion(resourceVersion) && isRefused(error);
    if (!isVersionUnavailable(error) && !isVersionRefused) {
      if (isExactVersion(resourceVersion) && mayBeAboutVersion(error)) position.noteFailure();
      throw error;
    }
    logger.info(`${name}: listing at the newest version instead: ${explainError(error)}`);
    position.markUnavailable();
    return await listAt(context, position.relistResourceVersion, signal);
  }
}

async function listAt<T extends KubeObject>(
  context: ReflectorContext<T>,
  resourceVersion: string,
  signal: AbortSignal,
): Promise<PagedList<T>> {
  const { clock, position, pacer } = context;
  let progress = new PageProgress();
  let scantPages = 0;
  const pager = new ListPager<T>(async (options) => {
    // The pager starts over when a later page has expired. The first objects come again then.
    if (!options.continue) progress = new PageProgress();
    if (!options.continue) await context.paced(pacer.beforeList(signal));
    else if (progress.isMade && scantPages < MAX_SCANT_PAGES) pacer.notePage();
    else await context.paced(pacer.beforeIdlePage(signal));
    const page = await listPage(context, options, signal);
    progress.tokenAfter(page);
    if (page.items.length * 2 < (options.limit ?? 0)) scantPages++;
    return page;
  }, { pageSize: position.pageSize(resourceVersion) });
  const result = await pager.list({ resourceVersion }, {
    signal,
    // Each page is parsed in its own turn of the event loop, so that a long list does not block the loop.
    afterPage: () => delay(0, { clock, signal }),
  });
  if (result.paginated) position.paged(resourceVersion);
  return result;
}

async function listPage<T extends KubeObject>(
  context: ReflectorContext<T>,
  options: ListOptions,
  signal: AbortSignal,
): Promise<KubeList<T>> {
  const { clock, pacer, status, listerWatcher, name } = context;
  if (!options.continue) status.listStarted("lists");
  const timeoutMs = context.options.listTimeoutMs ?? LIST_TIMEOUT_MS;
  const late = () => new Error(`List was not answered within ${timeoutMs} ms`);
  try {
    const answer = await withTimeLimit(
      { clock, signal, limitMs: timeoutMs, late },
      (signal) => abortable(listerWatcher.list(options, { signal }), signal),
    );
    const page = validatePage(answer, name);
    if (!options.continue || page.metadata.continue !== options.continue) return fillInKind(page);
    throw new Error(
      `List of ${name} cannot end: the server returned the same continue token again`,
    );
  } catch (error) {
    pacer.noteFailure(error);
    throw error;
  }
}

/** Checks that the answer is a list: a proxy, or a server at a wrong URL, may answer anything. */
function validatePage<T extends KubeObject>(page: KubeList<T>, name: string): KubeList<T> {
  const flaw = flawOf(page);
  if (flaw !== undefined) {
    throw new TypeError(
      `List of ${name} ${flaw}: expected metadata and items, ` +
        "check that the server's URL is that of a Kubernetes API",
    );
  }
  // Servers written in Go encode an empty list as null.
  return Array.isArray(page.items) ? page : { ...page, items: [] };
}

function flawOf(page: unknown): string | undefined {
  if (typeof page !== "object" || page === null) return "is not an object";
  if (isTable(page)) return "is a Table, which holds no objects";
  const { metadata, items } = page as { metadata?: unknown; items?: unknown };
  if (typeof metadata !== "object" || metadata === null) return "has no metadata";
  if (!Array.isArray(items ?? [])) return "has items that are not an array";
  return undefined;
}

/**
 * Returns the items that have a name, in the same array if all have one. An item that is unusable must not keep the
 * others out of the cache.
 */
async function usableItems<T extends KubeObject>(
  context: ReflectorContext<T>,
  items: T[],
  signal: AbortSignal,
): Promise<T[]> {
  const budget = new TurnBudget(context.clock);
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    if (!hasKey(items[i] as T)) count++;
    if (i % ITEMS_PER_STEP === 0 && budget.isSpent()) await budget.renew(signal);
  }
  if (count === 0) return items;
  context.status.skipped(count);
  context.logger.error(
    `${context.name}: skipped ${count} of ${items.length} listed objects: ` +
      "they have no metadata.name, or a metadata.namespace that is no string",
  );
  return items.filter(hasKey);
}

function hasKey(item: KubeObject): boolean {
  const name: unknown = item?.metadata?.name;
  const namespace: unknown = item?.metadata?.namespace ?? "";
  return typeof name === "string" && name !== "" && typeof namespace === "string";
}

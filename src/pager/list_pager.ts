import {
  abortable,
  isCount,
  isFlag,
  LinkedAbort,
  type OptionChecks,
  requireCount,
  requireOptions,
} from "../base/mod.ts";
import { type KubeList, type KubeObject, type ListOptions, StatusError } from "../types/mod.ts";
import { PageBuffer } from "./page_buffer.ts";
import { PageProgress } from "./page_progress.ts";

/**
 * The function that requests one page of a list.
 *
 * @typeParam T The interface of the items.
 */
export type PageFn<T extends KubeObject = KubeObject> = (
  options: ListOptions,
  call: { readonly signal?: AbortSignal | undefined },
) => Promise<KubeList<T>>;

/** Options of a {@linkcode ListPager}. */
export interface ListPagerOptions {
  /**
   * The number of items per page if the list options have no `limit`; 0 means all in one page. Default 500, as in
   * client-go.
   */
  readonly pageSize?: number | undefined;
  /**
   * The number of pages that {@linkcode ListPager.eachListItem} and {@linkcode ListPager.eachPage} buffer while a page
   * is processed. One more page is listed ahead and waits for a place in the buffer, also with 0. Default 10.
   */
  readonly pageBufferSize?: number | undefined;
  /** Whether {@linkcode ListPager.list} starts over with an unpaged list if a later page has expired. Default true. */
  readonly fullListIfExpired?: boolean | undefined;
}

const CHECKS: OptionChecks<ListPagerOptions> = {
  pageSize: isCount(0),
  pageBufferSize: isCount(0),
  fullListIfExpired: isFlag,
};

/** Options of {@linkcode ListPager.list}. */
export interface PagedCall {
  /** Stops the list. It is passed to the page function too. */
  readonly signal?: AbortSignal | undefined;
  /** Called and awaited after each page, for example to let the event loop turn. */
  readonly afterPage?: (() => void | Promise<void>) | undefined;
}

/** The result of {@linkcode ListPager.list}. */
export interface PagedList<T extends KubeObject = KubeObject> {
  /** All items, with the resource version of the first page. */
  readonly list: KubeList<T>;
  /** Whether the server returned the list in more than one page. */
  readonly paginated: boolean;
}

/**
 * A pager that reads a list page by page, like client-go's pager, so that server and client handle one page at a
 * time instead of one large response.
 *
 * All pages show the state at the resource version of the first page, and the result has that resource version. If the
 * state has expired when a later page is requested (410, reason `Expired`), {@linkcode ListPager.list} reads the list
 * again in one request, at the resource version that the caller asked for.
 *
 * @typeParam T The interface of the items.
 *
 * @example
 * ```ts
 * import { ListPager } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * const names = ["a", "b", "c"];
 * const pager = new ListPager((options) => {
 *   const start = Number(options.continue ?? 0);
 *   const end = start + (options.limit || names.length);
 *   return Promise.resolve({
 *     metadata: { resourceVersion: "7", continue: end < names.length ? String(end) : "" },
 *     items: names.slice(start, end).map((name) => ({ metadata: { name } })),
 *   });
 * }, { pageSize: 2 });
 *
 * const { list, paginated } = await pager.list({});
 * assertEquals(list.items.length, 3);
 * assertEquals(paginated, true);
 * ```
 */
export class ListPager<T extends KubeObject = KubeObject> {
  readonly #pageFn: PageFn<T>;
  readonly #pageSize: number;
  readonly #pageBufferSize: number;
  readonly #fullListIfExpired: boolean;

  /**
   * Creates a pager.
   *
   * @param pageFn The function that requests one page.
   * @param options The size of the pages and of the buffer.
   * @throws {RangeError} If `pageSize` or `pageBufferSize` is not a whole number of at least 0.
   */
  constructor(pageFn: PageFn<T>, options: ListPagerOptions = {}) {
    requireOptions("ListPager", options, CHECKS);
    const { pageSize = 500, pageBufferSize = 10, fullListIfExpired = true } = options;
    this.#pageFn = pageFn;
    this.#pageSize = pageSize;
    this.#pageBufferSize = pageBufferSize;
    this.#fullListIfExpired = fullListIfExpired;
  }

  /**
   * Reads the whole list. A list that fits into the first page is returned unchanged.
   *
   * @param options The list options. A `limit` overrides the page size.
   * @param call The signal that stops the list, and a function to call after each page.
   * @returns The list, and whether the server returned it in more than one page.
   * @throws {RangeError} If `options.limit` is not a whole number of at least 0.
   * @throws {Error} If ten pages in a row have brought nothing new.
   * @throws {TypeError} If a continue token is not a string.
   * @throws The error of the page function, or `call.signal.reason`.
   */
  async list(options: ListOptions, call: PagedCall = {}): Promise<PagedList<T>> {
    const { signal } = call;
    let request = this.#firstPage(options);
    let merged: KubeList<T> | undefined;
    let progress = new PageProgress();
    let isWhole = false;
    while (true) {
      signal?.throwIfAborted();
      let page: KubeList<T>;
      try {
        // The list must end even if the page function ignores the signal.
        page = await abortable(this.#pageFn(request, { signal }), signal);
      } catch (error) {
        if (!this.#fullListIfExpired || merged === undefined || isWhole || !hasExpired(error)) {
          throw error;
        }
        // The state of the first page has expired, so the items that were read cannot be completed.
        merged = undefined;
        progress = new PageProgress();
        isWhole = true;
        const { continue: _expired, ...whole } = options;
        request = { ...whole, limit: 0 };
        continue;
      }
      const after = call.afterPage?.();
      if (after !== undefined) await abortable(Promise.resolve(after), signal);
      const token = progress.tokenAfter(page);
      if (merged === undefined) {
        if (!token) return { list: page, paginated: isWhole };
        merged = startMerge(page);
      }
      for (const item of page.items) merged.items.push(item);
      if (!token) return { list: merged, paginated: true };
      request = nextPage(request, token);
    }
  }

  /**
   * Calls `fn` with every item in order, while the next pages are listed in the background.
   *
   * An error of `fn` ends the list and is thrown unchanged. An abort takes effect between pages, where `fn` is still
   * called with the remaining items of the current page, and while a promise of `fn` is pending, after which `fn` is
   * not called again. An expired page is an error, because `fn` has already seen the items of earlier pages.
   *
   * @param options The list options. A `limit` overrides the page size.
   * @param fn The function to call with one item after the other. If it returns a promise, the promise is awaited.
   * @param call The signal that stops the list.
   * @throws {RangeError} If `options.limit` is not a whole number of at least 0.
   * @throws The error of the page function or of `fn`, or `call.signal.reason`.
   */
  eachListItem(
    options: ListOptions,
    fn: (item: T) => void | Promise<void>,
    call: Pick<PagedCall, "signal"> = {},
  ): Promise<void> {
    return this.eachPage(options, async (page) => {
      for (const item of page.items) {
        const pending = fn(item);
        if (pending === undefined) continue;
        await pending;
        // eachPage() has ended with the abort already.
        call.signal?.throwIfAborted();
      }
    }, call);
  }

  /**
   * Calls `fn` with every page in order, while the next pages are listed in the background. Errors, aborts and expired
   * pages have the same effect as in {@linkcode ListPager.eachListItem}.
   *
   * @param options The list options. A `limit` overrides the page size.
   * @param fn The function to call with one page after the other. If it returns a promise, the promise is awaited.
   * @param call The signal that stops the list.
   * @throws {RangeError} If `options.limit` is not a whole number of at least 0.
   * @throws The error of the page function or of `fn`, or `call.signal.reason`.
   */
  async eachPage(
    options: ListOptions,
    fn: (page: KubeList<T>) => void | Promise<void>,
    call: Pick<PagedCall, "signal"> = {},
  ): Promise<void> {
    const link = new LinkedAbort(call.signal);
    const buffer = new PageBuffer<KubeList<T>>(this.#pageBufferSize);
    const prefetching = this.#prefetch(options, buffer, link.signal).then(
      () => buffer.end(),
      (reason) => buffer.end({ reason }),
    );
    try {
      while (true) {
        const page = await buffer.shift(link.signal);
        if (page === undefined) return;
        link.signal.throwIfAborted();
        const pending = fn(page);
        if (pending !== undefined) await abortable(Promise.resolve(pending), link.signal);
      }
    } finally {
      link.abort(new DOMException("The caller has stopped reading pages", "AbortError"));
      await prefetching;
    }
  }

  async #prefetch(
    options: ListOptions,
    buffer: PageBuffer<KubeList<T>>,
    signal: AbortSignal,
  ): Promise<void> {
    let request = this.#firstPage(options);
    const progress = new PageProgress();
    while (true) {
      signal.throwIfAborted();
      // eachPage() must end even if the page function ignores the signal.
      const page = await abortable(this.#pageFn(request, { signal }), signal);
      await buffer.push(page, signal);
      const token = progress.tokenAfter(page);
      if (!token) return;
      request = nextPage(request, token);
    }
  }

  #firstPage(options: ListOptions): ListOptions {
    const { limit = 0 } = options;
    requireCount("limit", limit, 0);
    return { ...options, limit: limit || this.#pageSize };
  }
}

/**
 * Reports whether a continue token has expired. Only the reason tells: a bare 410 says nothing about continue tokens.
 */
function hasExpired(error: unknown): boolean {
  return StatusError.is(error) && error.reason === "Expired";
}

/** Returns a list with the metadata of `first`, but without its continue token and its items. */
function startMerge<T extends KubeObject>(first: KubeList<T>): KubeList<T> {
  const { continue: _token, remainingItemCount: _remaining, ...metadata } = first.metadata;
  return { ...first, metadata, items: [] };
}

/**
 * Returns the options of the request for the next page. They have no resource version: the continue token contains it,
 * and the server answers 400 to a request that has both.
 */
function nextPage(request: ListOptions, token: string): ListOptions {
  const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = request;
  return { ...rest, continue: token };
}

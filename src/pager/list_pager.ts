import { abortable, LinkedAbort, requireCount } from "../base/mod.ts";
import { type KubeList, type KubeObject, type ListOptions, StatusError } from "../types/mod.ts";
import { PageBuffer } from "./page_buffer.ts";

/**
 * Reads one page of a list.
 *
 * @typeParam T The interface of the items.
 */
export type PageFn<T extends KubeObject = KubeObject> = (
  options: ListOptions,
  call: { readonly signal?: AbortSignal | undefined },
) => Promise<KubeList<T>>;

/** Options of a {@linkcode ListPager}. */
export interface ListPagerOptions {
  /** The number of items per page if the list options set no limit; 0 means all in one page. Default 500, client-go's. */
  readonly pageSize?: number | undefined;
  /** The number of pages that {@linkcode ListPager.eachListItem} lists ahead; 0 means one, like 1. Default 10. */
  readonly pageBufferSize?: number | undefined;
  /** Whether {@linkcode ListPager.list} starts over without pages if a later page has expired. Default true. */
  readonly fullListIfExpired?: boolean | undefined;
}

/** What a list over pages may be told. */
export interface PagedCall {
  /** Stops between pages, and is passed on to the page function. */
  readonly signal?: AbortSignal | undefined;
  /** Awaited after each page: the place to let the event loop turn. */
  readonly afterPage?: (() => void | Promise<void>) | undefined;
}

/** What {@linkcode ListPager.list} found. */
export interface PagedList<T extends KubeObject = KubeObject> {
  /** All items, with the resource version of the first page. */
  readonly list: KubeList<T>;
  /** Whether the server answered in more than one page. */
  readonly paginated: boolean;
}

/**
 * Reads a list page by page, as client-go's pager does: the server and the client then hold a page at a time instead of
 * one enormous answer.
 *
 * All pages show the state of the first one, so the result carries the first page's resource version. When the server has
 * forgotten that state by the time a later page is asked for (410, reason `Expired`), the list is read again in one piece,
 * at the resource version that was asked for.
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
   * @param pageFn Reads one page.
   * @param options The sizes of pages and of the buffer.
   * @throws {RangeError} If `pageSize` or `pageBufferSize` is not a whole number of at least 0.
   */
  constructor(pageFn: PageFn<T>, options: ListPagerOptions = {}) {
    const { pageSize = 500, pageBufferSize = 10, fullListIfExpired = true } = options;
    requireCount("pageSize", pageSize, 0);
    requireCount("pageBufferSize", pageBufferSize, 0);
    this.#pageFn = pageFn;
    this.#pageSize = pageSize;
    this.#pageBufferSize = pageBufferSize;
    this.#fullListIfExpired = fullListIfExpired;
  }

  /**
   * The whole list. A list that fits the first page is handed on untouched.
   *
   * @param options What to list; its `limit` overrides the page size.
   * @param call The signal that stops it, and what to do after each page.
   * @returns The list, and whether it took more than one page.
   * @throws {RangeError} If `options.limit` is not a whole number of at least 0.
   * @throws What the page function throws, and `call.signal.reason` between pages.
   */
  async list(options: ListOptions, call: PagedCall = {}): Promise<PagedList<T>> {
    const { signal } = call;
    let request = this.#firstPage(options);
    let merged: KubeList<T> | undefined;
    while (true) {
      signal?.throwIfAborted();
      let page: KubeList<T>;
      try {
        page = await this.#pageFn(request, { signal });
      } catch (error) {
        if (!this.#fullListIfExpired || merged === undefined || !hasExpired(error)) throw error;
        // A snapshot that is gone cannot be completed: what has been read is worth nothing.
        merged = undefined;
        const { continue: _expired, ...whole } = options;
        const list = await this.#pageFn({ ...whole, limit: 0 }, { signal });
        await call.afterPage?.();
        return { list, paginated: true };
      }
      await call.afterPage?.();
      const token = page.metadata.continue;
      if (merged === undefined) {
        if (!token) return { list: page, paginated: false };
        merged = startMerge(page);
      }
      for (const item of page.items) merged.items.push(item);
      if (!token) return { list: merged, paginated: true };
      request = nextPage(request, page, token);
    }
  }

  /**
   * Calls `fn` with every item in order, while the next pages are being listed in the background.
   *
   * An error of `fn` ends it and is thrown as it is. An abort takes effect between pages: `fn` sees the page that it has
   * begun to its end. A page that has expired is an error, since the items of earlier pages have been handed out.
   *
   * @param options What to list; its `limit` overrides the page size.
   * @param fn Called with one item after the other; a promise that it returns is awaited.
   * @param call The signal that stops it.
   * @throws {RangeError} If `options.limit` is not a whole number of at least 0.
   * @throws What the page function or `fn` throws, and `call.signal.reason`.
   */
  eachListItem(
    options: ListOptions,
    fn: (item: T) => void | Promise<void>,
    call: Pick<PagedCall, "signal"> = {},
  ): Promise<void> {
    return this.eachPage(options, async (page) => {
      for (const item of page.items) {
        const pending = fn(item);
        if (pending !== undefined) await pending;
      }
    }, call);
  }

  /**
   * Calls `fn` with every page in order, while the next ones are being listed in the background. Errors, aborts and
   * expiry are as in {@linkcode ListPager.eachListItem}.
   *
   * @param options What to list; its `limit` overrides the page size.
   * @param fn Called with one page after the other; a promise that it returns is awaited.
   * @param call The signal that stops it.
   * @throws {RangeError} If `options.limit` is not a whole number of at least 0.
   * @throws What the page function or `fn` throws, and `call.signal.reason`.
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
        await fn(page);
      }
    } finally {
      link.abort(new DOMException("The list is no longer wanted", "AbortError"));
      await prefetching;
    }
  }

  async #prefetch(
    options: ListOptions,
    buffer: PageBuffer<KubeList<T>>,
    signal: AbortSignal,
  ): Promise<void> {
    let request = this.#firstPage(options);
    while (true) {
      signal.throwIfAborted();
      // A page function that ignores the signal must not keep eachPage() from ending.
      const page = await abortable(this.#pageFn(request, { signal }), signal);
      await buffer.push(page, signal);
      const token = page.metadata.continue;
      if (!token) return;
      request = nextPage(request, page, token);
    }
  }

  #firstPage(options: ListOptions): ListOptions {
    const { limit = 0 } = options;
    requireCount("limit", limit, 0);
    return { ...options, limit: limit || this.#pageSize };
  }
}

/** Only the reason counts: a bare 410 says nothing of continue tokens. */
function hasExpired(error: unknown): boolean {
  return StatusError.is(error) && error.reason === "Expired";
}

/** A list with the head of `first`, no token, and no items yet. */
function startMerge<T extends KubeObject>(first: KubeList<T>): KubeList<T> {
  const { continue: _token, remainingItemCount: _remaining, ...metadata } = first.metadata;
  return { ...first, metadata, items: [] };
}

/** The server answers 400 to a resource version beside a continue token, which holds the version already. */
function nextPage(request: ListOptions, page: KubeList<KubeObject>, token: string): ListOptions {
  if (page.items.length === 0 && token === request.continue) {
    throw new Error(
      "List cannot end: the server answered an empty page and the continue token it was asked for",
    );
  }
  const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = request;
  return { ...rest, continue: token };
}

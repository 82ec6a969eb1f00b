/** How many items a page has when nothing says otherwise (client-go's pager). */
export const DEFAULT_PAGE_SIZE = 500;

/**
 * How far a reflector has come in the history of its resource, and what that means for the next list or watch.
 *
 * Resource versions are opaque here: kept and handed back, never compared.
 */
export class ReflectorPosition {
  readonly #fixedPageSize: number;
  #resourceVersion = "";
  #unavailable = false;
  #paginated = false;

  /** @param fixedPageSize The page size the user wants, 0 to choose one for each list. */
  constructor(fixedPageSize: number) {
    this.#fixedPageSize = fixedPageSize;
  }

  /** The version of the last list, event or bookmark; empty before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Whether the version of the last list or event is not to be had from the server. */
  get isUnavailable(): boolean {
    return this.#unavailable;
  }

  /** The version to list at: "0" (any the server has at hand) first, then not older than what was seen. */
  get relistResourceVersion(): string {
    if (this.#unavailable) return "";
    return this.#resourceVersion === "" ? "0" : this.#resourceVersion;
  }

  /** The version to ask a streaming list for: consistent first, then not older than what was seen. */
  get rewatchResourceVersion(): string {
    return this.#unavailable ? "" : this.#resourceVersion;
  }

  /**
   * The page size for a list at `resourceVersion`; 0 means one page with everything.
   *
   * A list at a certain version is only served from the server's cache when it is not paged. A server that pages the
   * list at "0" has no such cache, so paging goes on there.
   */
  pageSize(resourceVersion: string): number {
    if (this.#fixedPageSize !== 0) return this.#fixedPageSize;
    if (this.#paginated || resourceVersion === "" || resourceVersion === "0") {
      return DEFAULT_PAGE_SIZE;
    }
    return 0;
  }

  /** The server no longer has, or not yet has, the version that was asked for: ask for the newest. */
  markUnavailable(): void {
    this.#unavailable = true;
  }

  /** A list, of either kind, has arrived. Its version counts even when it is older than what was seen. */
  listed(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    this.#unavailable = false;
  }

  /** Notes that the server paged a list at `requestedResourceVersion`. */
  paged(requestedResourceVersion: string): void {
    if (requestedResourceVersion === "0") this.#paginated = true;
  }

  /** An event or bookmark has been handled. The last one counts, whatever its version. */
  advance(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }
}

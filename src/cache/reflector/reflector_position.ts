/** The default number of items per page (client-go's pager). */
export const DEFAULT_PAGE_SIZE = 500;

/** The number of lists at one version that may fail with an answer of the server. */
const MAX_FAILURES = 5;

/**
 * The last resource version of a reflector, and the parameters of the next list or watch that follow from it.
 *
 * Resource versions are opaque here: they are stored and sent back to the server, never compared.
 */
export class ReflectorPosition {
  readonly #fixedPageSize: number;
  readonly #firstVersion: "" | "0";
  #resourceVersion = "";
  #unavailable = false;
  #failures = 0;
  #paginated = false;

  /**
   * @param fixedPageSize The page size that the user wants, or 0 to choose one for each list.
   * @param consistentStart Whether the first list is at the newest version.
   */
  constructor(fixedPageSize: number, consistentStart: boolean) {
    this.#fixedPageSize = fixedPageSize;
    this.#firstVersion = consistentStart ? "" : "0";
  }

  /** The resource version of the last list, event or bookmark; empty before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Whether the server cannot serve the last resource version. */
  get isUnavailable(): boolean {
    return this.#unavailable;
  }

  /**
   * The resource version of the next list: "0" (any version in the watch cache) for the first list, or "" (the newest)
   * for a consistent start; then the last version, or "" if the server cannot serve that one.
   */
  get relistResourceVersion(): string {
    if (this.#unavailable) return "";
    return this.#resourceVersion === "" ? this.#firstVersion : this.#resourceVersion;
  }

  /**
   * The resource version of the next streaming list: "" (the newest) for the first list, then the last version, or ""
   * again if the server cannot serve that one.
   */
  get rewatchResourceVersion(): string {
    return this.#unavailable ? "" : this.#resourceVersion;
  }

  /**
   * Returns the page size of a list at `resourceVersion`; 0 means one page with all items.
   *
   * Servers answer a list at a certain version from the watch cache only if it is not paged. A server that pages a list
   * at "0" does not use a watch cache, so later lists are paged too.
   */
  pageSize(resourceVersion: string): number {
    if (this.#fixedPageSize !== 0) return this.#fixedPageSize;
    if (this.#paginated || resourceVersion === "" || resourceVersion === "0") {
      return DEFAULT_PAGE_SIZE;
    }
    return 0;
  }

  /**
   * Notes that the server no longer has, or not yet has, the requested version. The next request is for the newest one.
   */
  markUnavailable(): void {
    this.#unavailable = true;
  }

  /**
   * Notes that no watch can start from the last version any more. An unpaged list then shows a newer state. A paged
   * list shows exactly the requested version as long as the server has it, so the watch after it would fail again:
   * therefore the next list is for the newest version. client-go repeats both until the server is compacted.
   */
  markUnwatchable(): void {
    if (this.pageSize(this.#resourceVersion) !== 0) this.markUnavailable();
  }

  /**
   * Notes that the server answered a list at the last version with an error that may be about this version. After five
   * in a row the version is given up: the error may be a server's way to refuse it.
   */
  noteFailure(): void {
    if (++this.#failures >= MAX_FAILURES) this.markUnavailable();
  }

  /**
   * Notes the version of a plain or streaming list. It becomes the last version even if it is older than the one
   * before.
   */
  listed(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    this.#unavailable = false;
    this.#failures = 0;
  }

  /** Notes that a list is too large to be requested at once. */
  alwaysPage(): void {
    this.#paginated = true;
  }

  /** Notes that the server paged the list at `requestedResourceVersion`. */
  paged(requestedResourceVersion: string): void {
    if (requestedResourceVersion === "0") this.alwaysPage();
  }

  /** Notes the version of an event or bookmark. It becomes the last version even if it is older than the one before. */
  advance(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }
}

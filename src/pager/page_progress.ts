import type { KubeList, KubeObject } from "../types/mod.ts";

/** The number of pages in a row that may bring nothing new. Servers send an empty page now and then, not ten. */
const MAX_PAGES_WITHOUT_PROGRESS = 10;

/**
 * Notices a list that does not end: a server may send continue tokens in turn, or ever new ones for the same page. A
 * page is progress if it has items and begins with an object with which no page before it has begun.
 */
export class PageProgress {
  readonly #firstKeys = new Set<string>();
  #token = "";
  #withoutProgress = 0;

  /** Whether the last page was progress. */
  get isMade(): boolean {
    return this.#withoutProgress === 0;
  }

  /**
   * Notes a page.
   *
   * @returns The token of the next page; empty if there is none.
   * @throws {TypeError} If the continue token is not a string: the list would be taken for complete.
   * @throws {Error} If an empty page has the token that it was requested with, or the last ten pages made no progress.
   */
  tokenAfter(page: KubeList<KubeObject>): string {
    const token: unknown = page.metadata.continue ?? "";
    if (typeof token !== "string") {
      throw new TypeError(
        `List cannot go on: its continue token must be a string, received ${
          Array.isArray(token) ? "an array" : `a value of type ${typeof token}`
        }`,
      );
    }
    if (token === "") return token;
    if (page.items.length === 0 && token === this.#token) {
      throw new Error(
        "List does not end: the server returned an empty page with the continue token of the request",
      );
    }
    this.#token = token;
    this.#withoutProgress = this.#isProgress(page) ? 0 : this.#withoutProgress + 1;
    if (this.#withoutProgress < MAX_PAGES_WITHOUT_PROGRESS) return token;
    throw new Error(
      `List does not end: the server returned ${MAX_PAGES_WITHOUT_PROGRESS} pages in a row without a new object`,
    );
  }

  #isProgress({ items }: KubeList<KubeObject>): boolean {
    const [first] = items;
    if (first === undefined) return false;
    const { namespace, name }: Record<string, unknown> = { ...first?.metadata };
    const before = this.#firstKeys.size;
    this.#firstKeys.add(JSON.stringify([namespace, name]));
    return this.#firstKeys.size > before;
  }
}

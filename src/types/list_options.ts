/** The query parameters of a list or a watch, spelled as in the API. */
export interface ListOptions {
  /** Restricts the result by labels, in text form: `app=web,tier in (a,b)`. */
  labelSelector?: string | undefined;
  /** Restricts the result by fields, in text form: `spec.nodeName=n1`. */
  fieldSelector?: string | undefined;
  /**
   * The resource version to list at, or to watch from. Default: the newest. `"0"`: any version that the server has
   * cached.
   */
  resourceVersion?: string | undefined;
  /** How a list interprets `resourceVersion`. */
  resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** The maximum number of items in one page. Default, and with 0: all. */
  limit?: number | undefined;
  /** The continue token: selects the next page. */
  continue?: string | undefined;
  /** The timeout after which the server ends the list or the watch, in seconds. */
  timeoutSeconds?: number | undefined;
  /** Whether the server may send bookmarks in a watch. */
  allowWatchBookmarks?: boolean | undefined;
  /**
   * Whether a watch starts with an ADDED event for each current object, followed by a bookmark that marks the end of
   * these.
   */
  sendInitialEvents?: boolean | undefined;
}

/** The query parameters of a list or a watch, spelled as in the API. */
export interface ListOptions {
  /** Restricts the result by labels, in text form: `app=web,tier in (a,b)`. */
  labelSelector?: string;
  /** Restricts the result by fields, in text form: `spec.nodeName=n1`. */
  fieldSelector?: string;
  /**
   * The resource version to list at, or to watch from. Default: the newest. `"0"`: any version that the server has
   * cached.
   */
  resourceVersion?: string;
  /** How a list interprets `resourceVersion`. */
  resourceVersionMatch?: "Exact" | "NotOlderThan";
  /** The maximum number of items in one page. Default, and with 0: all. */
  limit?: number;
  /** The continue token: selects the next page. */
  continue?: string;
  /** The timeout after which the server ends the list or the watch, in seconds. */
  timeoutSeconds?: number;
  /** Whether the server may send bookmarks in a watch. */
  allowWatchBookmarks?: boolean;
  /**
   * Whether a watch starts with an ADDED event for each current object, followed by a bookmark that marks the end of
   * these.
   */
  sendInitialEvents?: boolean;
}

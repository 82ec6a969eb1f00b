/** What a list or a watch may ask for: the query parameters of the API, spelled as they are there. */
export interface ListOptions {
  /** Which labels the objects must have, as text: `app=web,tier in (a,b)`. */
  labelSelector?: string;
  /** Which fields the objects must have, as text: `spec.nodeName=n1`. */
  fieldSelector?: string;
  /** The version to list at, or to watch from. Absent: the newest. `"0"`: any that the server has at hand. */
  resourceVersion?: string;
  /** How `resourceVersion` is meant in a list. */
  resourceVersionMatch?: "Exact" | "NotOlderThan";
  /** At most this many items in one page. Absent or 0: all. */
  limit?: number;
  /** The token of the next page. */
  continue?: string;
  /** When the server shall end the list or the watch, in seconds. */
  timeoutSeconds?: number;
  /** Whether a watch may send bookmarks. */
  allowWatchBookmarks?: boolean;
  /** Whether a watch begins with the present objects and a bookmark that ends them. */
  sendInitialEvents?: boolean;
}

/**
 * Following the logs of all Pods of a selector, through restarts, broken connections and Pods that come and go.
 *
 * Start with {@linkcode followLogs}. The log of one container is `Client.logs`.
 *
 * @module
 */

export {
  followLogs,
  FollowedLogs,
  type FollowFailure,
  type FollowLogsOptions,
} from "./follow_logs.ts";
export type { FollowedLine } from "./line_queue.ts";

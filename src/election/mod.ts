/**
 * Leader election and sharding by Leases, so that one of several replicas works on a key at a time.
 *
 * {@linkcode LeaderElector} runs a function on one replica. {@linkcode Sharding} spreads keys over all replicas. Both take a
 * client, and give an abort signal that aborts before another replica may begin. `Election` and `ShardingCore` decide
 * without promises; the two classes make the requests.
 *
 * @module
 */

export type { ElectionTimes } from "./election_times.ts";
export {
  type Lead,
  type LeaderElectionOptions,
  type LeaderElectionRunOptions,
  type LeaderElectionSnapshot,
  LeaderElector,
} from "./leader_elector.ts";
export { LeadershipLostError } from "./leadership_lost_error.ts";
export type { LeaseClient } from "./lease_requests.ts";
export type { ClientDefaults } from "./replica.ts";
export { shardOf } from "./shard_of.ts";
export {
  type ShardHandler,
  Sharding,
  type ShardingClient,
  type ShardingOptions,
  type ShardingRunOptions,
  type ShardingSnapshot,
} from "./sharding.ts";

/**
 * Who of several replicas works: leader election with a Lease, and shards of keys that are spread over the replicas by
 * Leases.
 *
 * In come a client, and what was seen of the Leases. Out go an abort signal that ends before another replica may begin,
 * and for shards, which keys are this replica's. `Election` and `ShardingCore` decide, without promises; `LeaderElector`
 * and `Sharding` make the requests.
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
export type { ClientDefaults } from "./place.ts";
export { shardOf } from "./shard_of.ts";
export {
  type ShardHandler,
  Sharding,
  type ShardingClient,
  type ShardingOptions,
  type ShardingRunOptions,
  type ShardingSnapshot,
} from "./sharding.ts";

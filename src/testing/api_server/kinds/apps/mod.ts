/**
 * Deployments, ReplicaSets, StatefulSets, DaemonSets and ControllerRevisions.
 *
 * @module
 */

export { CONTROLLER_REVISION } from "./controller_revision.ts";
export { DAEMON_SET } from "./daemon_set.ts";
export { DEPLOYMENT } from "./deployment.ts";
export { REPLICA_SET } from "./replica_set.ts";
export { STATEFUL_SET } from "./stateful_set.ts";

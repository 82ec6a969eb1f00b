/**
 * The common parts of all actors: the frame of a controller, and the creation, adoption and counting of owned objects.
 *
 * @module
 */

export {
  type Actor,
  ACTOR_WATCHES,
  actorInformers,
  type ActorOptions,
  environmentOf,
} from "./actor.ts";
export { claim } from "./claim.ts";
export { discoverResources, type ServedResource } from "./discovery.ts";
export { unlessGone, unlessNotFound, whenTerminating } from "./errors.ts";
export { EventWriter } from "./event_writer.ts";
export { Expectations } from "./expectations.ts";
export { type IntOrPercent, scaledValue } from "./int_or_percent.ts";
export { isSame, withoutEmpty } from "./is_same.ts";
export { setCondition, withoutCondition } from "./conditions.ts";
export { matchesNode } from "./node_affinity.ts";
export { unschedulableMessage, whyNot } from "./node_fit.ts";
export { controlledBy, indexByController, Ownership } from "./ownership.ts";
export { PodControl, podFromTemplate } from "./pod_control.ts";
export {
  availableAtMs,
  isActive,
  isAvailable,
  isBeingDeleted,
  isOver,
  isReady,
  readySinceMs,
} from "./pod_facts.ts";
export { keyOf, Reconciler } from "./reconciler.ts";
export { actorRetries } from "./retries.ts";
export { slowStart } from "./slow_start.ts";
export { templateHash } from "./template_hash.ts";
export {
  type PersistentVolume,
  type PersistentVolumeClaim,
  PersistentVolumeClaims,
  PersistentVolumes,
  type StorageClass,
  StorageClasses,
} from "./storage_kinds.ts";
export {
  NOT_READY,
  repellingTaint,
  type Taint,
  tolerates,
  type Toleration,
  tolerationsOf,
  UNREACHABLE,
} from "./taints.ts";

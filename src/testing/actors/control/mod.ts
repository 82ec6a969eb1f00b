/**
 * What all actors share: how an actor is built and run, and how controllers create, adopt and count the objects that
 * they own. In come the options of actors and objects of caches; out go requests of one controller.
 *
 * @module
 */

export { type Actor, type ActorOptions, environmentOf } from "./actor.ts";
export { claim, type ClaimContext } from "./claim.ts";
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
export { keyOf, Reconciler, type ReconcilerOptions } from "./reconciler.ts";
export { actorRetries } from "./retries.ts";
export { slowStart } from "./slow_start.ts";
export { templateHash } from "./template_hash.ts";
export {
  type ClaimReference,
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

/**
 * The minimal, hand-written interfaces of the Kubernetes API: what every object has, how a resource is described, a Pod
 * and an Event. Everything else is built on them. The generated `Pod` and `Event` extend the interfaces here.
 *
 * @module
 */

export type { Event, ObjectReference } from "./event.ts";
export type {
  Condition,
  KubeList,
  KubeObject,
  LabelSelector,
  LabelSelectorRequirement,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./meta.ts";
export type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from "./pod.ts";
export {
  apiVersionOf,
  builtinResource,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "./resource.ts";
export type { Status, StatusCause, StatusDetails } from "./status.ts";

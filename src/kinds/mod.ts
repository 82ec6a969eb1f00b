/**
 * The types of the built-in kinds, with all fields: one module for each API group and version, such as `apps/v1.ts`,
 * which is an entry point, `./types/apps/v1`. `deno task schemas` writes these modules from the Go types.
 *
 * Here are the kinds that controllers use most often, which leave the library through `./types` and the root. Importing
 * them loads no module of a group.
 *
 * @module
 */

export {
  ConfigMaps,
  CustomResourceDefinitions,
  Deployments,
  Events,
  Jobs,
  Leases,
  Namespaces,
  Nodes,
  Pods,
  ReplicaSets,
  Secrets,
  ServiceAccounts,
  Services,
} from "./often.ts";
export type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from "./apiextensions/types.ts";
export type { Deployment, ReplicaSet } from "./apps/types.ts";
export type { Job } from "./batch/types.ts";
export type { Lease } from "./coordination/types.ts";
export type {
  ConfigMap,
  Container,
  ContainerStatus,
  Event,
  Namespace,
  Node,
  ObjectReference,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  Secret,
  Service,
  ServiceAccount,
  ServicePort,
} from "./core/types.ts";
export type { Base64, IntOrString, MicroTime, OpenEnum, Quantity, Time } from "./scalars.ts";

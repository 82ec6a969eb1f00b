/**
 * Tools to test controllers with: an API server and the rest of a cluster in this process, a virtual clock, and
 * reproducible randomness.
 *
 * @module
 */

export {
  type Actor,
  type ActorOptions,
  Actors,
  type ActorServer,
  type ContainerExit,
  CronJobController,
  DaemonSetController,
  DeploymentController,
  EndpointsController,
  EndpointSliceController,
  GarbageCollector,
  JobController,
  Kubelet,
  type KubeletOptions,
  NamespaceController,
  type NamespaceControllerOptions,
  NodeController,
  type NodeControllerOptions,
  PersistentVolumeBinder,
  PersistentVolumeReclaimer,
  type PodLife,
  type PodOutcome,
  type ProbeFailure,
  ReplicaSetController,
  Scheduler,
  type SchedulerOptions,
  startActors,
  type StartActorsOptions,
  StatefulSetController,
} from "./actors/mod.ts";
export {
  ApiServer,
  type ApiServerClientOptions,
  type ApiServerOptions,
  type CoalesceOptions,
  type Cut,
  type Fault,
  FaultInjector,
  type FaultRequest,
  type FaultTarget,
  type FreezeOptions,
  type HoldOptions,
  type KubernetesMinor,
  type Lag,
  type LagEvent,
  LagInjector,
  type LagOptions,
  type ServedApi,
  type ServeOptions,
  type ServerState,
  type ServerWrite,
  type ShuffleOptions,
  type StateObject,
  type TokenUser,
  type WebhookConnection,
  type WebhookHandler,
} from "./api_server/mod.ts";
export {
  type FakeChange,
  FakeControllerSource,
  type FakeControllerSourceOptions,
} from "./fake_controller_source.ts";
export type { Clock, Logger, Random, Timer } from "@kubeloop/controller/base";
export type {
  Bookmark,
  KubeList,
  KubeObject,
  ListerWatcher,
  ListerWatcherCall,
  ListMeta,
  ListOptions,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  Resource,
  ResourceDescriptor,
  Status,
  StatusCause,
  StatusDetails,
  WatchEvent,
} from "@kubeloop/controller/types";
export { SeededRandom } from "./seeded_random.ts";
export { VirtualClock, type VirtualClockOptions } from "./virtual_clock.ts";

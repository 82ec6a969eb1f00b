/**
 * The components of a cluster besides the API server: kubelets, a scheduler and the controllers of
 * kube-controller-manager that manage nodes, namespaces, quotas, garbage and workloads.
 *
 * @module
 */

export {
  HorizontalPodAutoscalerController,
  type HorizontalPodAutoscalerOptions,
  type MetricQuery,
  type MetricSource,
} from "./autoscaling/mod.ts";
export { type Actor, type ActorOptions, StorageClasses } from "./control/mod.ts";
export { GarbageCollector } from "./garbage_collector.ts";
export {
  annotatedOutcome,
  type ContainerExit,
  type ContainerUsage,
  type ExecAnswer,
  Kubelet,
  type KubeletOptions,
  type LogSink,
  type PodLife,
  type PodOutcome,
  type PortAnswer,
  type ProbeFailure,
  type ScriptedLine,
  type UsageSink,
} from "./kubelet.ts";
export { NamespaceController, type NamespaceControllerOptions } from "./namespace_controller.ts";
export { NamespaceDefaults, type NamespaceDefaultsOptions } from "./namespace_defaults.ts";
export { NodeController, type NodeControllerOptions } from "./node_controller.ts";
export type { LeaseRenewals } from "./node_registration.ts";
export { ResourceQuotaController } from "./resource_quota_controller.ts";
export { Scheduler, type SchedulerOptions } from "./scheduler.ts";
export { EndpointsController, EndpointSliceController } from "./services/mod.ts";
export { StorageVersionMigrator } from "./storage_migration/mod.ts";
export { PersistentVolumeBinder, PersistentVolumeReclaimer } from "./volumes/mod.ts";
export {
  type CalledPort,
  type CalledProcess,
  type PodCalls,
  requireLives,
  type TextWriter,
} from "./pods/mod.ts";
export {
  Actors,
  type ActorServer,
  type ProgramList,
  startActors,
  type StartActorsOptions,
} from "./start_actors.ts";
export {
  CronJobController,
  DaemonSetController,
  DeploymentController,
  JobController,
  ReplicaSetController,
  StatefulSetController,
} from "./workloads/mod.ts";

/**
 * The controllers of kube-controller-manager that run Pods for Deployments, Jobs and other workloads. Each is built with
 * this library.
 *
 * @module
 */

export { CronJobController } from "./cron_job_controller.ts";
export { DaemonSetController } from "./daemon_set_controller.ts";
export { DeploymentController } from "./deployment_controller.ts";
export { JobController } from "./job_controller.ts";
export { ReplicaSetController } from "./replica_set_controller.ts";
export { StatefulSetController } from "./stateful_set_controller.ts";
export { workloadControllers } from "./workload_controllers.ts";

import type { Actor, ActorOptions } from "../control/mod.ts";
import { CronJobController } from "./cron_job_controller.ts";
import { DaemonSetController } from "./daemon_set_controller.ts";
import { DeploymentController } from "./deployment_controller.ts";
import { JobController } from "./job_controller.ts";
import { ReplicaSetController } from "./replica_set_controller.ts";
import { StatefulSetController } from "./stateful_set_controller.ts";
import { TtlAfterFinishedController } from "./ttl_controller.ts";

/** Returns the controllers of all workloads. */
export function workloadControllers(options: ActorOptions): Actor[] {
  return [
    CronJobController,
    DaemonSetController,
    DeploymentController,
    JobController,
    ReplicaSetController,
    StatefulSetController,
    TtlAfterFinishedController,
  ].map((Workload) => new Workload(options));
}

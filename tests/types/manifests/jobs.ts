import type { Job } from "@kubeloop/controller";
import type { CronJob } from "@kubeloop/controller/types/batch/v1";

export const migration: Job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "migration", namespace: "default" },
  spec: {
    backoffLimit: 2,
    activeDeadlineSeconds: 600,
    ttlSecondsAfterFinished: 3600,
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "migrate", image: "registry.example.com/migrate:1.4.2" }],
      },
    },
  },
};

export const indexed: Job = {
  metadata: { name: "indexed", namespace: "default" },
  spec: {
    completionMode: "Indexed",
    completions: 10,
    parallelism: 3,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 5,
    successPolicy: { rules: [{ succeededIndexes: "0-4", succeededCount: 3 }] },
    podFailurePolicy: {
      rules: [
        {
          action: "FailIndex",
          onExitCodes: { containerName: "work", operator: "In", values: [42] },
        },
        {
          action: "Ignore",
          onPodConditions: [{ type: "DisruptionTarget", status: "True" }],
        },
      ],
    },
    podReplacementPolicy: "Failed",
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "work", image: "registry.example.com/work:7" }],
      },
    },
  },
};

export const suspended: Job = {
  metadata: { name: "suspended", namespace: "default" },
  spec: {
    suspend: true,
    managedBy: "kueue.x-k8s.io/multikueue",
    template: {
      spec: {
        restartPolicy: "OnFailure",
        containers: [{ name: "train", image: "registry.example.com/train:2.0.0" }],
      },
    },
  },
};

export const adopted: Job = {
  metadata: { name: "adopted", namespace: "default" },
  spec: {
    manualSelector: true,
    selector: { matchLabels: { job: "adopted" } },
    template: {
      metadata: { labels: { job: "adopted" } },
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "main", image: "busybox:1.37" }],
      },
    },
  },
};

export const backup: CronJob = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "backup", namespace: "default" },
  spec: {
    schedule: "0 3 * * *",
    timeZone: "Europe/Berlin",
    startingDeadlineSeconds: 600,
    concurrencyPolicy: "Forbid",
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: {
      metadata: { labels: { app: "backup" } },
      spec: {
        backoffLimit: 1,
        template: {
          spec: {
            restartPolicy: "Never",
            containers: [{
              name: "dump",
              image: "postgres:18",
              command: ["pg_dump", "-Fc", "-f", "/backup/db"],
              volumeMounts: [{ name: "backup", mountPath: "/backup" }],
            }],
            volumes: [{ name: "backup", persistentVolumeClaim: { claimName: "backup" } }],
          },
        },
      },
    },
  },
};

export const report: CronJob = {
  metadata: { name: "report", namespace: "default" },
  spec: {
    schedule: "*/15 * * * *",
    suspend: true,
    concurrencyPolicy: "Replace",
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: "OnFailure",
            containers: [{ name: "report", image: "registry.example.com/report:1" }],
          },
        },
      },
    },
  },
};

/** With fields of Kubernetes 1.37. */
export const gang: Job = {
  metadata: { name: "gang", namespace: "default" },
  spec: {
    parallelism: 4,
    completions: 4,
    completionMode: "Indexed",
    scheduling: {
      schedulingPolicy: { gang: { minCount: 4 } },
      schedulingConstraints: { topology: [{ key: "topology.kubernetes.io/rack" }] },
      disruptionMode: { all: {} },
      resourceClaims: [
        { name: "gpu", resourceClaimTemplateName: "gpu" },
        { name: "shared", resourceClaimName: "shared-gpu" },
      ],
    },
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "train", image: "registry.example.com/train:2.0.0" }],
      },
    },
  },
};

/** With fields of Kubernetes 1.37. */
export const single: Job = {
  metadata: { name: "single", namespace: "default" },
  spec: {
    scheduling: { schedulingPolicy: { basic: {} }, disruptionMode: { single: {} } },
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "train", image: "registry.example.com/train:2.0.0" }],
      },
    },
  },
};

import { merge, post, put, type RequestStep, type StepScenario, strategic } from "../step.ts";
import { core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-rollouts";
const SETS = grouped("apps/v1", NS, "statefulsets");
const DAEMONS = grouped("apps/v1", NS, "daemonsets");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const REPLICAS = grouped("apps/v1", NS, "replicasets");
const REVISIONS = grouped("apps/v1", NS, "controllerrevisions");
const CONTROLLERS = core(NS, "replicationcontrollers");
const TEMPLATES = core(NS, "podtemplates");
const JOBS = grouped("batch/v1", NS, "jobs");
const CRONS = grouped("batch/v1", NS, "cronjobs");

const labels = { app: "a" };
const containers = [{ name: "c", image: "i:1" }];
const selected = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers } },
};

/** A template with other fields of its Pods. */
const withPods = (spec: object) => ({
  template: { metadata: { labels }, spec: { containers, ...spec } },
});

const trial = (path: string, spec: object, name = "x"): RequestStep =>
  post(`${path}?dryRun=All`, { metadata: { name }, spec });

const workload = (path: string, spec: object): RequestStep => trial(path, { ...selected, ...spec });

const ran = { template: { spec: { restartPolicy: "Never", containers } } };

const job = (spec: object): RequestStep => trial(JOBS, { ...ran, ...spec });

const cron = (spec: object, name?: string): RequestStep =>
  trial(CRONS, { schedule: "0 0 * * *", jobTemplate: { spec: ran }, ...spec }, name);

/** Several fields of a status, whose rules are checked on an update. */
const status = (path: string, value: object): RequestStep =>
  merge(`${path}/status?dryRun=All`, { status: value });

const claim = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    ...spec,
  },
});

/** Refusals and defaults of the kinds of apps and batch. */
export const rollouts: StepScenario = {
  name: "rollouts",
  steps: [
    namespaced(NS),
    // StatefulSets
    post(SETS, {
      metadata: { name: "s" },
      spec: { ...selected, serviceName: "v", volumeClaimTemplates: [claim("data")] },
    }),
    workload(SETS, {
      podManagementPolicy: "Odd",
      updateStrategy: { type: "Odd" },
      replicas: -1,
      minReadySeconds: -1,
      revisionHistoryLimit: -1,
      ordinals: { start: -1 },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Odd", whenScaled: "" },
      ...withPods({ restartPolicy: "OnFailure", activeDeadlineSeconds: 5 }),
    }),
    workload(SETS, {
      updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
      serviceName: "Not_Valid",
    }),
    workload(SETS, {
      updateStrategy: { rollingUpdate: { partition: -1, maxUnavailable: "0%" } },
    }),
    workload(SETS, { updateStrategy: { rollingUpdate: { maxUnavailable: "101%" } } }),
    workload(SETS, { updateStrategy: { rollingUpdate: { maxUnavailable: "x" } } }),
    trial(SETS, { template: selected.template }),
    trial(SETS, { ...selected, selector: {} }),
    trial(SETS, { ...selected, selector: { matchLabels: { app: "b" } } }),
    trial(SETS, selected, "a.b"),
    trial(SETS, selected, "A"),
    merge(`${SETS}/s`, {
      spec: {
        serviceName: "w",
        podManagementPolicy: "Parallel",
        selector: { matchLabels: { b: "c" } },
      },
    }),
    merge(`${SETS}/s`, { spec: { volumeClaimTemplates: [claim("data"), claim("more")] } }),
    merge(`${SETS}/s?dryRun=All`, {
      spec: {
        replicas: 0,
        minReadySeconds: 3,
        ordinals: { start: 2 },
        revisionHistoryLimit: 2,
        persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" },
        updateStrategy: { type: "OnDelete", rollingUpdate: null },
      },
    }),
    status(`${SETS}/s`, {
      replicas: 1,
      readyReplicas: 2,
      currentReplicas: 3,
      updatedReplicas: -1,
      availableReplicas: 4,
      observedGeneration: -1,
      collisionCount: -1,
    }),
    status(`${SETS}/s`, { replicas: 3, readyReplicas: 1, availableReplicas: 2 }),
    // DaemonSets
    post(DAEMONS, { metadata: { name: "d" }, spec: selected }),
    workload(DAEMONS, {
      updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } },
      minReadySeconds: -1,
      revisionHistoryLimit: -1,
      ...withPods({ restartPolicy: "Never" }),
    }),
    workload(DAEMONS, { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: "5%" } } }),
    workload(DAEMONS, {
      updateStrategy: { rollingUpdate: { maxUnavailable: "120%", maxSurge: "x" } },
    }),
    workload(DAEMONS, {
      updateStrategy: { type: "Odd" },
      ...withPods({ activeDeadlineSeconds: 9 }),
    }),
    workload(DAEMONS, { updateStrategy: { type: "OnDelete" } }),
    trial(DAEMONS, { ...selected, selector: {} }),
    merge(`${DAEMONS}/d`, { spec: { selector: { matchLabels: { app: "b" } } } }),
    status(`${DAEMONS}/d`, {
      currentNumberScheduled: -1,
      numberMisscheduled: -1,
      desiredNumberScheduled: -1,
      numberReady: -1,
      updatedNumberScheduled: -1,
      numberAvailable: -1,
      numberUnavailable: -1,
      observedGeneration: -1,
      collisionCount: -1,
    }),
    // Deployments and ReplicaSets
    post(DEPLOYMENTS, { metadata: { name: "d" }, spec: selected }, { unseen: true }),
    workload(DEPLOYMENTS, { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
    workload(DEPLOYMENTS, { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "0%" } } }),
    workload(DEPLOYMENTS, {
      strategy: { rollingUpdate: { maxSurge: -1, maxUnavailable: "150%" } },
      minReadySeconds: 600,
      progressDeadlineSeconds: 600,
      replicas: -2,
      revisionHistoryLimit: -1,
    }),
    workload(DEPLOYMENTS, { strategy: { type: "Odd" }, progressDeadlineSeconds: -1 }),
    workload(DEPLOYMENTS, { strategy: { rollingUpdate: { maxSurge: true } } }),
    workload(DEPLOYMENTS, { strategy: { rollingUpdate: { maxSurge: "x", maxUnavailable: "5" } } }),
    trial(DEPLOYMENTS, {
      ...selected,
      selector: {
        matchExpressions: [{ key: "app", operator: "Odd" }, { key: "a b", operator: "In" }],
      },
    }),
    workload(DEPLOYMENTS, withPods({ terminationGracePeriodSeconds: -1, restartPolicy: "Never" })),
    status(`${DEPLOYMENTS}/d`, {
      replicas: 1,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 4,
      unavailableReplicas: -1,
      terminatingReplicas: -1,
    }),
    status(`${DEPLOYMENTS}/d`, { replicas: 2, readyReplicas: 1, availableReplicas: 2 }),
    merge(`${DEPLOYMENTS}/d/status`, { status: { collisionCount: 2 } }, { unseen: true }),
    status(`${DEPLOYMENTS}/d`, { collisionCount: 1 }),
    status(`${DEPLOYMENTS}/d`, { collisionCount: null }),
    trial(REPLICAS, { selector: { matchLabels: labels } }),
    trial(REPLICAS, {
      ...selected,
      replicas: -1,
      minReadySeconds: -1,
      ...withPods({ containers: [] }),
    }),
    workload(REPLICAS, withPods({ volumes: [{ name: "v", gcePersistentDisk: { pdName: "p" } }] })),
    workload(REPLICAS, {
      replicas: 2,
      ...withPods({
        volumes: [{ name: "v", gcePersistentDisk: { pdName: "p" } }],
        containers: [{ ...containers[0], volumeMounts: [{ name: "v", mountPath: "/v" }] }],
      }),
    }),
    // ReplicationControllers, revisions and templates
    trial(CONTROLLERS, { template: selected.template }),
    trial(CONTROLLERS, { selector: { app: "b" }, template: selected.template }),
    trial(CONTROLLERS, { replicas: -1, minReadySeconds: -1, selector: labels }),
    trial(CONTROLLERS, {}),
    post(`${REVISIONS}?dryRun=All`, { metadata: { name: "r" } }),
    post(`${REVISIONS}?dryRun=All`, { metadata: { name: "r" }, revision: -1, data: { a: 1 } }),
    post(`${REVISIONS}?dryRun=All`, { metadata: { name: "R" }, revision: 1, data: [1] }),
    post(REVISIONS, { metadata: { name: "r" }, revision: 3, data: { a: { b: [1] } } }),
    merge(`${REVISIONS}/r`, { data: { a: 2 }, revision: 2 }),
    merge(`${REVISIONS}/r?dryRun=All`, { revision: 4 }),
    post(`${TEMPLATES}?dryRun=All`, {
      metadata: { name: "t" },
      template: { spec: { containers } },
    }),
    post(`${TEMPLATES}?dryRun=All`, {
      metadata: { name: "t" },
      template: {
        metadata: { labels: { "a b": "c" } },
        spec: { containers: [], restartPolicy: "Odd" },
      },
    }),
    post(`${TEMPLATES}?dryRun=All`, { metadata: { name: "t" } }),
    // Jobs
    post(JOBS, { metadata: { name: "j" }, spec: { ...ran, suspend: true } }, { unseen: true }),
    job({
      parallelism: -1,
      completions: -1,
      backoffLimit: -1,
      activeDeadlineSeconds: -1,
      ttlSecondsAfterFinished: -1,
      completionMode: "Odd",
      podReplacementPolicy: "Odd",
    }),
    job({ completionMode: "Indexed" }),
    job({ completionMode: "Indexed", completions: 5, parallelism: 100001 }),
    job({ completionMode: "Indexed", completions: 100001, parallelism: 10001 }),
    job({ backoffLimitPerIndex: 1, maxFailedIndexes: 1, completions: 2 }),
    job({
      completionMode: "Indexed",
      completions: 2,
      backoffLimitPerIndex: -1,
      maxFailedIndexes: -1,
    }),
    job({
      template: { spec: { restartPolicy: "OnFailure", containers } },
      podFailurePolicy: { rules: [] },
    }),
    job({
      podFailurePolicy: {
        rules: [
          {},
          { action: "Odd", onExitCodes: { operator: "In", values: [0, 1, 1] } },
          { action: "Ignore", onExitCodes: { operator: "Odd", values: [] } },
          {
            action: "Count",
            onExitCodes: { containerName: "none", operator: "NotIn", values: [3, 2] },
          },
          { action: "FailIndex", onPodConditions: [{ type: "", status: "Odd" }] },
          {
            action: "FailJob",
            onExitCodes: { operator: "In", values: [1] },
            onPodConditions: [{ type: "DisruptionTarget" }],
          },
          { action: "FailJob", onPodConditions: [{ type: "DisruptionTarget" }] },
        ],
      },
      podReplacementPolicy: "TerminatingOrFailed",
    }),
    job({ successPolicy: { rules: [] } }),
    job({
      completionMode: "Indexed",
      completions: 3,
      successPolicy: {
        rules: [
          {},
          { succeededIndexes: "x" },
          { succeededIndexes: "0-9" },
          { succeededIndexes: "2,1" },
          { succeededIndexes: "0,2", succeededCount: 3 },
          { succeededCount: 9 },
          { succeededCount: -1 },
        ],
      },
    }),
    job({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    job({ managedBy: "Bad_Name/" }),
    job({ managedBy: "example.com/mine" }),
    job({ selector: { matchLabels: { a: "b" } } }),
    job({ manualSelector: true }),
    job({ manualSelector: true, selector: { matchLabels: { a: "b" } } }),
    trial(JOBS, { template: { spec: { containers } } }),
    trial(JOBS, { template: { spec: { containers, restartPolicy: "Odd" } } }),
    merge(`${JOBS}/j`, {
      spec: {
        managedBy: "example.com/mine",
        successPolicy: { rules: [{ succeededCount: 1 }] },
        backoffLimitPerIndex: 1,
        podFailurePolicy: { rules: [] },
        podReplacementPolicy: "Failed",
      },
    }),
    strategic(`${JOBS}/j?dryRun=All`, {
      spec: {
        template: {
          metadata: { annotations: { a: "b" } },
          spec: { nodeSelector: { a: "b" }, tolerations: [{ operator: "Exists" }] },
        },
      },
    }),
    status(`${JOBS}/j`, {
      active: -1,
      succeeded: -1,
      failed: -1,
      ready: 2,
      terminating: -1,
      completedIndexes: "1",
      failedIndexes: "1",
    }),
    status(`${JOBS}/j`, {
      conditions: [
        { type: "Complete", status: "True" },
        { type: "Failed", status: "True" },
        { type: "Suspended", status: "True" },
      ],
      completionTime: "2026-01-01T00:00:00Z",
    }),
    status(`${JOBS}/j`, {
      startTime: "2026-01-02T00:00:00Z",
      completionTime: "2026-01-01T00:00:00Z",
      uncountedTerminatedPods: { succeeded: ["a", "a", ""], failed: ["a", "b"] },
    }),
    status(`${JOBS}/j`, { conditions: [{ type: "Complete", status: "True" }] }),
    // CronJobs
    post(CRONS, {
      metadata: { name: "c" },
      spec: { schedule: "@daily", jobTemplate: { spec: ran }, timeZone: "Europe/Zurich" },
    }),
    cron({ schedule: "" }),
    cron({ schedule: "* * * *" }),
    cron({ schedule: "60 * * * *" }),
    cron({ schedule: "*/0 * * * *" }),
    cron({ schedule: "5-1 * * * *" }),
    cron({ schedule: "a * * * *" }),
    cron({ schedule: "@often" }),
    cron({ schedule: "@every 5m" }),
    cron({ schedule: "TZ=UTC 0 0 * * *" }),
    cron({ schedule: "CRON_TZ=UTC 0 0 * * *", timeZone: "Etc/UTC" }),
    cron({ timeZone: "" }),
    cron({ timeZone: "Local" }),
    cron({ timeZone: "Nowhere/City" }),
    cron({ timeZone: " Etc/UTC" }),
    cron({
      concurrencyPolicy: "Odd",
      startingDeadlineSeconds: -1,
      successfulJobsHistoryLimit: -1,
      failedJobsHistoryLimit: -1,
    }),
    cron({}, "c".repeat(53)),
    cron({ jobTemplate: { spec: { template: { spec: { containers } } } } }),
    cron({
      jobTemplate: {
        spec: { ...ran, selector: { matchLabels: { a: "b" } }, manualSelector: true },
      },
    }),
    cron({ jobTemplate: {} }),
    merge(`${CRONS}/c?dryRun=All`, { spec: { schedule: "TZ=UTC 0 0 * * *", suspend: true } }),
    merge(`${CRONS}/c/status?dryRun=All`, {
      status: { lastScheduleTime: "2026-01-01T00:00:00Z", active: [{ name: "j", kind: "Job" }] },
    }),
    put(`${SETS}/s/scale`, { metadata: { name: "s", namespace: NS }, spec: { replicas: 4 } }),
    put(`${SETS}/s/scale`, { metadata: { name: "t", namespace: NS }, spec: { replicas: 4 } }),
    put(`${SETS}/none/scale`, { metadata: { name: "none", namespace: NS }, spec: {} }),
  ],
};

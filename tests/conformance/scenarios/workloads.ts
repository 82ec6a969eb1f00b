import { apply, del, get, jsonPatch, merge, post, type StepScenario, strategic } from "../step.ts";
import {
  configMap,
  core,
  definition,
  DEFINITIONS,
  deployment,
  grouped,
  namespaced,
} from "./_objects.ts";

const NS = "suite-workloads";
const CONFIGS = core(NS, "configmaps");
const JOBS = grouped("batch/v1", NS, "jobs");
const FLEETS = grouped("suite.example.com/v1", NS, "fleets");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");

function job(name: string, spec: object = {}): object {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] } },
      ...spec,
    },
  };
}

function fleet(name: string, spec: object): object {
  return { apiVersion: "suite.example.com/v1", kind: "Fleet", metadata: { name }, spec };
}

function scale(name: string, spec: object, metadata: object = {}): object {
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name, namespace: NS, ...metadata },
    spec,
  };
}

/** The mutable fields of Jobs, and server-side apply of Scales. */
export const workloads: StepScenario = {
  name: "workloads",
  steps: [
    namespaced(NS),
    post(JOBS, job("j")),
    merge(`${JOBS}/j`, { spec: { parallelism: 3 } }),
    merge(`${JOBS}/j`, { spec: { activeDeadlineSeconds: 60, backoffLimit: 2 } }),
    merge(`${JOBS}/j`, { spec: { completions: 4 } }),
    merge(`${JOBS}/j`, { spec: { completionMode: "Indexed" } }),
    merge(`${JOBS}/j`, { spec: { ttlSecondsAfterFinished: 5, suspend: true } }),
    merge(`${JOBS}/j`, { spec: { suspend: false } }),
    merge(`${JOBS}/j`, { spec: { selector: { matchLabels: { a: "b" } } } }),
    merge(`${JOBS}/j`, { spec: { manualSelector: true } }),
    strategic(`${JOBS}/j`, {
      spec: { template: { spec: { containers: [{ name: "c", image: "i:2" }] } } },
    }),
    merge(`${JOBS}/j`, { spec: { selector: null } }),
    get(`${JOBS}/j`),

    post(DEPLOYMENTS, deployment("d", { replicas: 2 })),
    apply(`${DEPLOYMENTS}/d/scale`, "one", scale("d", { replicas: 3 })),
    apply(`${DEPLOYMENTS}/d/scale`, "one", scale("d", { replicas: 3 }), { force: true }),
    get(`${DEPLOYMENTS}/d`),
    apply(`${DEPLOYMENTS}/d/scale`, "one", scale("d", { replicas: 4 })),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("d", { replicas: 4 })),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("d", { replicas: 5 })),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("d", { replicas: 5 }), { force: true }),
    get(`${DEPLOYMENTS}/d`),
    apply(`${DEPLOYMENTS}/d`, "one", deployment("d")),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("d", {})),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("d", { replicas: -1 })),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("d", { replicas: "x" })),
    apply(`${DEPLOYMENTS}/d/scale`, "two", scale("e", { replicas: 1 })),
    apply(`${DEPLOYMENTS}/d/scale`, "two", deployment("d")),
    apply(`${DEPLOYMENTS}/none/scale`, "two", scale("none", { replicas: 1 })),
    apply(`${DEPLOYMENTS}/d/scale?dryRun=All`, "two", scale("d", { replicas: 9 })),
    apply(
      `${DEPLOYMENTS}/d/scale`,
      "two",
      scale("d", { replicas: 9 }, { resourceVersion: "1" }),
      { force: true },
    ),
    get(`${DEPLOYMENTS}/d`),
    apply(`${DEPLOYMENTS}/e`, "me", deployment("e")),
    apply(`${DEPLOYMENTS}/e/scale`, "hpa", scale("e", { replicas: 3 })),
    apply(`${DEPLOYMENTS}/e/scale`, "hpa", scale("e", { replicas: 3 }), { force: true }),
    merge(`${DEPLOYMENTS}/e/scale`, { spec: { replicas: 6 } }),
    get(`${DEPLOYMENTS}/e`),
    apply(`${DEPLOYMENTS}/e/scale`, "hpa", scale("e", { replicas: 6 })),
    get(`${DEPLOYMENTS}/e`),
    apply(`${DEPLOYMENTS}/e/scale`, "hpa", scale("e", { replicas: 7 })),
    apply(`${DEPLOYMENTS}/e/scale`, "hpa", scale("e", { replicas: 9 }), { force: true }),
    apply(`${DEPLOYMENTS}/e`, "me", deployment("e", { replicas: 7 })),
    apply(`${DEPLOYMENTS}/e/scale`, "me", scale("e", { replicas: 8 })),
    apply(`${DEPLOYMENTS}/e/scale`, "me", scale("e", { replicas: 8 }), { force: true }),
    get(`${DEPLOYMENTS}/e`),
    apply(`${DEPLOYMENTS}/e/scale`, "", scale("e", { replicas: 8 })),
    apply(`${DEPLOYMENTS}/e/scale`, "me", { ...scale("e", {}), status: { replicas: 4 } }),
    apply(`${DEPLOYMENTS}/e/scale`, "me", { ...scale("e", { replicas: 2 }), bogus: 1 }),
    apply(`${DEPLOYMENTS}/e/scale`, "me", scale("e", { replicas: 2 }, { labels: { a: "b" } })),
    get(`${DEPLOYMENTS}/e`),

    post(
      CONFIGS,
      configMap("emptied", { k: "v" }, { labels: { a: "b" }, annotations: { c: "d" } }),
    ),
    merge(`${CONFIGS}/emptied`, { metadata: { labels: { a: null } }, data: { k: null } }),
    strategic(`${CONFIGS}/emptied`, { metadata: { annotations: { c: null } } }),
    merge(`${CONFIGS}/emptied`, { metadata: { labels: { a: "b" } } }),
    jsonPatch(`${CONFIGS}/emptied`, [{ op: "remove", path: "/metadata/labels/a" }]),
    merge(`${CONFIGS}/emptied`, { metadata: { labels: {} } }),
    merge(`${DEPLOYMENTS}/e`, { spec: { template: { spec: { nodeSelector: { a: "b" } } } } }),
    strategic(`${DEPLOYMENTS}/e`, {
      spec: { template: { spec: { nodeSelector: { a: null } } } },
    }),
    post(DEPLOYMENTS, deployment("f", { replicas: 2 })),
    apply(`${DEPLOYMENTS}/f/scale`, "hpa", scale("f", { replicas: 2 })),
    get(`${DEPLOYMENTS}/f`),
    apply(`${DEPLOYMENTS}/f/scale`, "hpa", scale("f", { replicas: 3 }), { force: true }),
    get(`${DEPLOYMENTS}/f`),
    apply(`${DEPLOYMENTS}/g`, "hpa", deployment("g", { replicas: 2 })),
    apply(`${DEPLOYMENTS}/g/scale`, "hpa", scale("g", { replicas: 2 })),
    apply(`${DEPLOYMENTS}/g/scale`, "other", scale("g", { replicas: 2 })),
    apply(`${DEPLOYMENTS}/g/scale`, "hpa", scale("g", { replicas: 3 }), { force: true }),
    apply(`${DEPLOYMENTS}/g`, "hpa", deployment("g", { replicas: 3 })),
    get(`${DEPLOYMENTS}/g`),
    post(
      DEFINITIONS,
      definition("fleets", "Fleet", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", properties: { size: { type: "integer" } } },
                status: { type: "object", properties: { size: { type: "integer" } } },
              },
            },
          },
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
          },
        }],
      }),
      { unseen: true },
    ),
    post(FLEETS, fleet("a", { size: 2 }), { whileStatus: [404] }),
    apply(`${FLEETS}/a/scale`, "one", scale("a", { replicas: 3 })),
    apply(`${FLEETS}/a/scale`, "one", scale("a", { replicas: 3 }), { force: true }),
    apply(`${FLEETS}/a/scale`, "two", scale("a", { replicas: 4 })),
    apply(`${FLEETS}/a/scale`, "one", scale("a", { replicas: -1 })),
    apply(`${FLEETS}/none/scale`, "one", scale("none", { replicas: 1 })),
    get(`${FLEETS}/a`),
    apply(`${FLEETS}/a`, "three", fleet("a", { size: 5 })),
    apply(`${FLEETS}/a/scale`, "one", scale("a", {})),
    get(`${FLEETS}/a`),
    del(`${DEFINITIONS}/fleets.suite.example.com`, undefined, { unseen: true }),
    post(`${grouped("batch/v1", NS, "jobs")}?dryRun=All`, {
      metadata: { name: "indexes" },
      spec: {
        completionMode: "Indexed",
        completions: 5,
        maxFailedIndexes: 9,
        managedBy: "x",
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] } },
      },
    }),
  ],
};

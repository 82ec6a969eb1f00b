import {
  apply,
  close,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type StepScenario,
  strategic,
  watch,
} from "../step.ts";
import { grouped, namespaced } from "./_objects.ts";

const NS = "suite-autoscalers";
const PLURAL = "horizontalpodautoscalers";
const V1 = grouped("autoscaling/v1", NS, PLURAL);
const V2 = grouped("autoscaling/v2", NS, PLURAL);
const PREFIX = "autoscaling.alpha.kubernetes.io";

const autoscaler = (version: string, name: string, spec: object = {}, more: object = {}) => {
  const { metadata = {}, ...rest } = more as { metadata?: object };
  return {
    apiVersion: `autoscaling/${version}`,
    kind: "HorizontalPodAutoscaler",
    metadata: { name, ...metadata },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 5,
      ...spec,
    },
    ...rest,
  };
};

const annotated = (annotations: Record<string, unknown>) => ({
  metadata: {
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, value]) => [
        name.includes("/") ? name : `${PREFIX}/${name}`,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
  },
});

const resource = (name: string, target: object) => ({
  type: "Resource",
  resource: { name, target },
});

const CPU = resource("cpu", { type: "Utilization", averageUtilization: 70 });
const MEMORY = resource("memory", { type: "AverageValue", averageValue: "500Mi" });
const ALL = [
  MEMORY,
  {
    type: "Pods",
    pods: {
      metric: { name: "packets", selector: { matchLabels: { a: "b" } } },
      target: { type: "AverageValue", averageValue: "1k" },
    },
  },
  {
    type: "Object",
    object: {
      describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" },
      metric: { name: "requests" },
      target: { type: "Value", value: "10k" },
    },
  },
  {
    type: "Object",
    object: {
      describedObject: { kind: "Service", name: "main" },
      metric: { name: "requests", selector: { matchLabels: { c: "d" } } },
      target: { type: "AverageValue", averageValue: "100m" },
    },
  },
  CPU,
  {
    type: "External",
    external: {
      metric: { name: "queue", selector: { matchLabels: { e: "f" } } },
      target: { type: "AverageValue", averageValue: "30" },
    },
  },
  {
    type: "External",
    external: { metric: { name: "queue" }, target: { type: "Value", value: "1500m" } },
  },
  {
    type: "ContainerResource",
    containerResource: {
      name: "cpu",
      container: "main",
      target: { type: "Utilization", averageUtilization: 60 },
    },
  },
  resource("cpu", { type: "AverageValue", averageValue: "200m" }),
];

const BEHAVIOR = {
  scaleDown: {
    stabilizationWindowSeconds: 60,
    policies: [{ type: "Pods", value: 1, periodSeconds: 30 }],
  },
  scaleUp: { selectPolicy: "Disabled", tolerance: "50m" },
};

const TIME = "2026-01-02T03:04:05Z";

const condition = (type: string, more: object = {}) => ({
  type,
  status: "True",
  lastTransitionTime: TIME,
  reason: "R",
  message: 'M "<&>"',
  ...more,
});

const STATUS = {
  observedGeneration: 1,
  lastScaleTime: TIME,
  currentReplicas: 2,
  desiredReplicas: 3,
  conditions: [condition("AbleToScale"), condition("ScalingActive", { reason: "", message: "" })],
  currentMetrics: [
    {
      type: "Resource",
      resource: { name: "cpu", current: { averageUtilization: 33, averageValue: "33m" } },
    },
    { type: "Resource", resource: { name: "memory", current: { averageValue: "5Mi" } } },
    { type: "Pods", pods: { metric: { name: "packets" }, current: { averageValue: "7" } } },
    {
      type: "Object",
      object: {
        describedObject: { apiVersion: "v1", kind: "Service", name: "main" },
        metric: { name: "requests" },
        current: { value: "5", averageValue: "2" },
      },
    },
    {
      type: "External",
      external: { metric: { name: "queue" }, current: { averageValue: "4" } },
    },
    {
      type: "ContainerResource",
      containerResource: { name: "cpu", container: "main", current: { averageUtilization: 9 } },
    },
  ],
};

const ACCEPT_TABLE = {
  headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
};

const ACCEPT_METADATA = {
  headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
};

const ACCEPT_METADATA_LIST = {
  headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
};

/** HorizontalPodAutoscalers, written in one version and read in the other. */
export const autoscalers: StepScenario = {
  name: "autoscalers",
  steps: [
    namespaced(NS),
    watch("v1", `${V1}?watch=1&resourceVersion=0&timeoutSeconds=60`),

    // Written through v1.
    post(V1, autoscaler("v1", "bare")),
    get(`${V2}/bare`),
    post(V1, autoscaler("v1", "cpu", { targetCPUUtilizationPercentage: 50, minReplicas: 2 })),
    get(`${V2}/cpu`),
    post(
      V1,
      autoscaler(
        "v1",
        "texts",
        { targetCPUUtilizationPercentage: 50 },
        annotated({
          "example.com/own": "kept",
          metrics: [
            { type: "Resource", resource: { name: "memory", targetAverageValue: "500Mi" } },
            {
              type: "Pods",
              pods: {
                metricName: "packets",
                targetAverageValue: "1k",
                selector: { matchLabels: { a: "b" } },
              },
            },
            {
              type: "Object",
              object: {
                target: { kind: "Service", name: "main" },
                metricName: "requests",
                targetValue: "10",
                averageValue: "2",
              },
            },
            {
              type: "External",
              external: {
                metricName: "queue",
                metricSelector: { matchLabels: { c: "d" } },
                targetAverageValue: "3",
              },
            },
            {
              type: "ContainerResource",
              containerResource: { name: "cpu", container: "main", targetAverageUtilization: 60 },
            },
          ],
          behavior: {
            ScaleUp: {
              StabilizationWindowSeconds: 5,
              SelectPolicy: "Min",
              Policies: [{ Type: "Pods", Value: 2, PeriodSeconds: 60 }],
            },
            ScaleDown: null,
          },
        }),
      ),
    ),
    get(`${V2}/texts`),
    get(`${V1}/texts`),
    put(`${V1}/texts`, autoscaler("v1", "texts", { targetCPUUtilizationPercentage: 90 })),
    get(`${V2}/texts`),

    // Texts that are not what they should be.
    post(V1, autoscaler("v1", "broken", {}, annotated({ metrics: "{", behavior: "[]" }))),
    get(`${V2}/broken`),
    post(V1, autoscaler("v1", "empty", {}, annotated({ metrics: "[]", behavior: "{}" }))),
    get(`${V2}/empty`),
    post(V1, autoscaler("v1", "null", {}, annotated({ metrics: "null", conditions: "null" }))),
    get(`${V2}/null`),
    post(
      V1,
      autoscaler(
        "v1",
        "lower",
        {},
        annotated({
          behavior: {
            scaleUp: { stabilizationwindowseconds: 7, policies: [] },
            scaledown: { selectPolicy: "Max", Policies: [{ type: "Pods", value: 1 }] },
          },
        }),
      ),
    ),
    post(
      V1,
      autoscaler(
        "v1",
        "lower",
        {},
        annotated({
          behavior: {
            scaledown: {
              selectPolicy: "Max",
              stabilizationWindowSeconds: 8,
              Policies: [{ type: "Pods", value: 1, periodSeconds: 9 }],
            },
          },
        }),
      ),
    ),
    get(`${V2}/lower`),
    post(
      V1,
      autoscaler("v1", "wrong", {}, annotated({ metrics: [{ type: "Resource" }, { type: "?" }] })),
    ),
    post(V1, autoscaler("v1", "wrong", {}, annotated({ metrics: [{ type: 5 }] }))),
    get(`${V2}/wrong`),
    post(
      V1,
      autoscaler(
        "v1",
        "mixed",
        {},
        annotated({
          metrics: [{ type: "Resource", resource: { name: "cpu", targetAverageUtilization: 40 } }],
        }),
      ),
    ),
    get(`${V2}/mixed`),
    get(`${V1}/mixed`),
    post(V1, autoscaler("v1", "zero", { targetCPUUtilizationPercentage: 0, maxReplicas: 0 })),
    post(
      V1,
      autoscaler(
        "v1",
        "other",
        {},
        annotated({ "current-metrics": "[]", conditions: [condition("X")] }),
      ),
    ),
    get(`${V2}/other`),

    // Written through v2.
    post(V2, autoscaler("v2", "full", { metrics: ALL, behavior: BEHAVIOR, minReplicas: 2 })),
    get(`${V1}/full`),
    put(`${V2}/full/status`, autoscaler("v2", "full", {}, { status: STATUS })),
    get(`${V1}/full`),
    get(`${V1}/full/status`),
    get(`${V2}/full`),
    get(`${V1}/full`, ACCEPT_TABLE),
    get(`${V2}/full`, ACCEPT_TABLE),
    get(`${V1}/full`, ACCEPT_METADATA),
    get(V1, ACCEPT_METADATA_LIST),
    post(
      V2,
      autoscaler("v2", "plain", {}, annotated({ metrics: "[]", "example.com/own": "kept" })),
    ),
    get(`${V1}/plain`),
    post(
      V2,
      autoscaler("v2", "twice", {
        metrics: [CPU, resource("cpu", { type: "Utilization", averageUtilization: 10 })],
      }),
    ),
    get(`${V1}/twice`),

    // Changed through the other version.
    merge(`${V1}/full`, { spec: { targetCPUUtilizationPercentage: 20 } }),
    get(`${V2}/full`),
    merge(`${V1}/full`, { metadata: { annotations: { [`${PREFIX}/metrics`]: null } } }),
    get(`${V2}/full`),
    strategic(`${V1}/full`, { metadata: { annotations: { [`${PREFIX}/behavior`]: null } } }),
    get(`${V2}/full`),
    jsonPatch(`${V1}/full`, [{ op: "remove", path: "/spec/targetCPUUtilizationPercentage" }]),
    get(`${V2}/full`),
    put(
      `${V1}/full/status`,
      autoscaler("v1", "full", {}, {
        status: { currentReplicas: 4, desiredReplicas: 4, currentCPUUtilizationPercentage: 44 },
      }),
    ),
    get(`${V2}/full`),
    merge(`${V2}/cpu`, { metadata: { annotations: { [`${PREFIX}/metrics`]: "[]" } } }),
    merge(`${V1}/cpu/status`, {
      metadata: { annotations: { [`${PREFIX}/conditions`]: JSON.stringify([condition("New")]) } },
      status: { currentReplicas: 1 },
    }),
    get(`${V2}/cpu`),

    // Server-side apply through both.
    apply(
      `${V1}/applied`,
      "one",
      autoscaler("v1", "applied", { targetCPUUtilizationPercentage: 50 }),
    ),
    get(`${V2}/applied`),
    apply(`${V2}/applied`, "two", autoscaler("v2", "applied", { metrics: [CPU] })),
    apply(`${V2}/applied`, "two", autoscaler("v2", "applied", { metrics: [CPU], maxReplicas: 7 })),
    apply(`${V2}/applied`, "two", autoscaler("v2", "applied", { metrics: [CPU], maxReplicas: 7 }), {
      force: true,
    }),
    get(`${V1}/applied`),
    apply(
      `${V1}/applied`,
      "one",
      autoscaler("v1", "applied", { targetCPUUtilizationPercentage: 50 }),
    ),
    apply(
      `${V1}/applied`,
      "one",
      autoscaler("v1", "applied", {
        targetCPUUtilizationPercentage: 50,
        maxReplicas: 7,
      }),
    ),
    apply(`${V1}/applied`, "one", autoscaler("v1", "applied", { maxReplicas: 7 })),
    get(`${V2}/applied`),
    apply(
      `${V2}/applied`,
      "two",
      autoscaler("v2", "applied", {
        metrics: [CPU, MEMORY],
        maxReplicas: 7,
        behavior: BEHAVIOR,
      }),
    ),
    get(`${V1}/applied`),
    apply(
      `${V1}/applied`,
      "one",
      autoscaler(
        "v1",
        "applied",
        { maxReplicas: 7 },
        annotated({
          metrics: [],
          "example.com/own": "a",
        }),
      ),
    ),
    merge(`${V1}/applied?fieldManager=three`, { spec: { maxReplicas: 8 } }),
    apply(`${V2}/applied`, "two", autoscaler("v2", "applied", { maxReplicas: 9 })),
    apply(`${V2}/applied`, "two", autoscaler("v2", "applied", { maxReplicas: 8 })),
    get(`${V2}/applied`),
    get(`${V1}/applied`),
    apply(`${V2}/applied/status`, "four", {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "applied" },
      status: {
        currentReplicas: 1,
        desiredReplicas: 1,
        conditions: [condition("Ok")],
        currentMetrics: null,
      },
    }),
    get(`${V1}/applied`),

    // Lists and deletions.
    get(V1),
    get(V2),
    get(V2, ACCEPT_TABLE),
    get(V1, ACCEPT_TABLE),
    put(
      `${V1}/full`,
      autoscaler("v1", "full", {}, {
        metadata: {
          annotations: { [`${PREFIX}/scale-up-tolerance`]: "1", "example.com/own": "b" },
        },
      }),
    ),
    put(
      `${V1}/full/status`,
      autoscaler("v1", "full", {}, {
        ...annotated({
          "current-metrics": [
            { type: "Resource", resource: { name: "cpu", currentAverageUtilization: 3 } },
            { type: "External", external: { metricName: "queue", currentAverageValue: "4" } },
          ],
          conditions: [{ type: "Bare", status: "Unknown", lastTransitionTime: null }],
          metrics: [],
        }),
        status: { currentReplicas: 4, desiredReplicas: 4, currentCPUUtilizationPercentage: 1 },
      }),
    ),
    get(`${V2}/full`),
    post(V1, autoscaler("v1", "checked", {}, annotated({ conditions: [{ type: 1 }] }))),
    merge(`${V1}/plain?dryRun=All`, { spec: { targetCPUUtilizationPercentage: 7 } }),
    post(`${V1}?dryRun=All`, autoscaler("v1", "dry", {}, annotated({ behavior: { ScaleUp: {} } }))),
    merge(`${V2}/texts?dryRun=All`, {
      spec: {
        behavior: {
          scaleUp: { policies: [], stabilizationWindowSeconds: -1 },
          scaleDown: { policies: [], selectPolicy: "X" },
        },
      },
    }),
    del(`${V1}/full`),
    del(`${V2}/texts`),
    del(`${V1}?fieldSelector=metadata.name=cpu`),
    close("v1", 28),
  ],
};

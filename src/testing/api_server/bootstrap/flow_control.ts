import type { KubeObject } from "@kubeloop/controller/types";
import { ALL_REQUESTS, danglingOf, MANDATORY_SCHEMAS } from "../kinds/mod.ts";
import type { JsonObject } from "../../values/mod.ts";

const GROUP_VERSION = "flowcontrol.apiserver.k8s.io/v1";

const ANNOTATIONS = { "apf.kubernetes.io/autoupdate-spec": "true" };

/** Priority levels by name: shares of the concurrency, the percentage that may be lent, queues, and hands of a request. */
const LEVELS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  "system": [30, 33, 64, 6],
  "node-high": [40, 25, 64, 6],
  "leader-election": [10, 0, 16, 4],
  "workload-high": [40, 50, 128, 6],
  "workload-low": [100, 90, 128, 6],
  "global-default": [20, 50, 128, 6],
  "catch-all": [5, 0, 0, 0],
};

/** The number of PriorityLevelConfigurations, with `exempt`. */
export const PRIORITY_LEVELS: number = Object.keys(LEVELS).length + 1;

/** Returns the PriorityLevelConfigurations. */
export function priorityLevels(): KubeObject[] {
  const limited = Object.entries(LEVELS).map(([name, [shares, lendable, queues, handSize]]) =>
    level(name, {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: shares,
        limitResponse: queues === 0
          ? { type: "Reject" }
          : { type: "Queue", queuing: { queues, handSize, queueLengthLimit: 50 } },
        lendablePercent: lendable,
      },
    })
  );
  const exempt = { nominalConcurrencyShares: 0, lendablePercent: 0 };
  return [...limited, level("exempt", { type: "Exempt", exempt })];
}

function level(name: string, spec: object): KubeObject {
  return {
    kind: "PriorityLevelConfiguration",
    apiVersion: GROUP_VERSION,
    metadata: { name, annotations: ANNOTATIONS },
    spec,
    status: {},
  } as KubeObject;
}

/** The distinguisher method of a FlowSchema. */
type Distinguished = "ByUser" | "ByNamespace" | undefined;

const EVERYBODY = [group("system:unauthenticated"), group("system:authenticated")];

const ACCOUNTS = {
  kind: "ServiceAccount",
  serviceAccount: { namespace: "kube-system", name: "*" },
};

const LEASES = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ["*"] };

const SCHEMAS: readonly KubeObject[] = [
  mandatory("exempt"),
  schema("probes", "exempt", 2, undefined, EVERYBODY, {
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  }),
  schema("system-leader-election", "leader-election", 100, "ByUser", [
    user("system:kube-controller-manager"),
    user("system:kube-scheduler"),
    ACCOUNTS,
  ], { resourceRules: [{ verbs: ["get", "create", "update"], ...LEASES }] }),
  schema("system-node-high", "node-high", 400, "ByUser", [group("system:nodes")], {
    resourceRules: [{
      verbs: ["*"],
      apiGroups: [""],
      resources: ["nodes", "nodes/status"],
      clusterScope: true,
      namespaces: ["*"],
    }, { verbs: ["*"], ...LEASES }],
  }),
  schema("system-nodes", "system", 500, "ByUser", [group("system:nodes")]),
  schema("kube-controller-manager", "workload-high", 800, "ByNamespace", [
    user("system:kube-controller-manager"),
  ]),
  schema("kube-scheduler", "workload-high", 800, "ByNamespace", [user("system:kube-scheduler")]),
  schema("kube-system-service-accounts", "workload-high", 900, "ByNamespace", [ACCOUNTS]),
  schema("service-accounts", "workload-low", 9000, "ByUser", [group("system:serviceaccounts")]),
  schema("global-default", "global-default", 9900, "ByUser", EVERYBODY),
  mandatory("catch-all"),
];

/** The number of FlowSchemas. */
export const FLOW_SCHEMAS: number = SCHEMAS.length;

/** Returns the FlowSchemas. */
export function flowSchemas(): KubeObject[] {
  return structuredClone(SCHEMAS) as KubeObject[];
}

function schema(
  name: string,
  levelName: string,
  matchingPrecedence: number,
  type: Distinguished,
  subjects: readonly object[],
  rules: object = ALL_REQUESTS,
): KubeObject {
  return {
    kind: "FlowSchema",
    apiVersion: GROUP_VERSION,
    metadata: { name, annotations: ANNOTATIONS },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence,
      ...(type === undefined ? {} : { distinguisherMethod: { type } }),
      rules: [{ subjects, ...rules }],
    },
  } as KubeObject;
}

function mandatory(name: string): KubeObject {
  return {
    kind: "FlowSchema",
    apiVersion: GROUP_VERSION,
    metadata: { name, annotations: ANNOTATIONS },
    spec: MANDATORY_SCHEMAS[name]!,
  } as KubeObject;
}

/** Returns the status of a FlowSchema whose priority level exists. */
export function foundLevel({ spec }: JsonObject, now: string): JsonObject {
  const { priorityLevelConfiguration: { name } } = spec as {
    priorityLevelConfiguration: { name: string };
  } & JsonObject;
  return { conditions: [{ ...danglingOf(name, true), lastTransitionTime: now }] };
}

function group(name: string): object {
  return { kind: "Group", group: { name } };
}

function user(name: string): object {
  return { kind: "User", user: { name } };
}

import { isRecord, own } from "../base/mod.ts";

type Fields = Readonly<Record<string, unknown>>;

const RBAC = "rbac.authorization.k8s.io";

/** Returns an object with defaults for the fields that it lacks or that are empty. */
function fill(object: Fields, defaults: Fields): Fields {
  const missing = Object.entries(defaults).filter(([key]) => !own(object, key));
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** Returns an object with defaults for the fields that it lacks. Fields with a Go pointer keep empty values. */
function fillPointers(object: Fields, defaults: Fields): Fields {
  return { ...defaults, ...object };
}

/** Completes a request for devices, or one of its alternatives. */
function deviceRequest(request: Fields): Fields {
  const complete = fill(request, { allocationMode: "ExactCount" });
  return complete["allocationMode"] === "ExactCount" ? fill(complete, { count: 1 }) : complete;
}

/** Completes a limit of a LimitRange. */
function limit(item: Fields): Fields {
  if (item["type"] !== "Container") return item;
  const amounts = (key: string) => {
    const found = own(item, key);
    return isRecord(found) ? found : {};
  };
  const limits = { ...amounts("max"), ...amounts("default") };
  const requests = { ...amounts("min"), ...limits, ...amounts("defaultRequest") };
  return { ...item, default: limits, defaultRequest: requests };
}

function matchedResources(resources: Fields): Fields {
  return fillPointers(resources, {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
  });
}

const inAllScopes = (rule: Fields) => fillPointers(rule, { scope: "*" });
const withProtocol = (port: Fields) => fill(port, { protocol: "TCP" });

/**
 * Defaults within values that are owned as a whole, by the enclosing field, or by two enclosing fields with a dot. Elsewhere,
 * the server owns the defaults that it sets.
 */
const COMPLETIONS: Readonly<Record<string, (object: Fields) => Fields>> = {
  "egress.ports": withProtocol,
  "exactly.tolerations": (toleration) => fill(toleration, { operator: "Equal" }),
  "firstAvailable.tolerations": (toleration) => fill(toleration, { operator: "Equal" }),
  "ingress.ports": withProtocol,
  "matchConstraints.excludeResourceRules": inAllScopes,
  "matchConstraints.resourceRules": inAllScopes,
  "matchResources.excludeResourceRules": inAllScopes,
  "matchResources.resourceRules": inAllScopes,
  "requests.exactly": deviceRequest,
  "requests.firstAvailable": deviceRequest,
  "spec.limits": limit,
  "spec.matchConstraints": matchedResources,
  "spec.matchResources": matchedResources,
  "subsets.ports": withProtocol,
  "volumeClaimTemplates.spec": (spec) => fillPointers(spec, { volumeMode: "Filesystem" }),
  "volumeClaimTemplates.status": (status) => fill(status, { phase: "Pending" }),
  "webhooks.rules": inAllScopes,
  ".ports": (port) => fillPointers(port, { name: "", protocol: "TCP" }),
  fieldRef: (reference) => fill(reference, { apiVersion: "v1" }),
  fileKeyRef: (reference) => fillPointers(reference, { optional: false }),
  onPodConditions: (condition) => fill(condition, { status: "True" }),
  ".roleRef": (reference) => fill(reference, { apiGroup: RBAC }),
  serviceAccountToken: (token) => fillPointers(token, { expirationSeconds: 3600 }),
  ".subjects": (subject) =>
    subject["kind"] === "User" || subject["kind"] === "Group"
      ? fill(subject, { apiGroup: RBAC })
      : subject,
  volumeClaimTemplates: (claim) => ({
    ...claim,
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    status: own(claim, "status") ?? {},
  }),
};

/** Returns an object of a built-in kind with the defaults of the server. */
export function completed(object: Fields, path: readonly string[]): Fields {
  const [name = "", around = ""] = path.toReversed().filter((element) => element.startsWith("f:"))
    .map((element) => element.slice(2));
  const complete = COMPLETIONS[`${around}.${name}`] ?? COMPLETIONS[name];
  return complete === undefined ? object : complete(object);
}

const PROBE = {
  failureThreshold: 3,
  periodSeconds: 10,
  successThreshold: 1,
  timeoutSeconds: 1,
};
const CONTAINER = {
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
};

/** The values that the server stores in place of `""`, 0, false or `[]`, by the enclosing field. */
const ZERO_DEFAULTS: Readonly<Record<string, Fields>> = {
  "": { type: "Opaque" },
  containers: CONTAINER,
  ephemeralContainers: CONTAINER,
  httpGet: { path: "/", scheme: "HTTP" },
  initContainers: CONTAINER,
  iscsi: { iscsiInterface: "default" },
  livenessProbe: PROBE,
  persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
  queuing: { handSize: 8, queueLengthLimit: 50, queues: 64 },
  rbd: { keyring: "/etc/ceph/keyring", pool: "rbd", user: "admin" },
  readinessProbe: PROBE,
  scaleIO: { fsType: "xfs", storageMode: "ThinProvisioned" },
  spec: {
    concurrencyPolicy: "Allow",
    finalizers: ["kubernetes"],
    dnsPolicy: "ClusterFirst",
    externalTrafficPolicy: "Cluster",
    matchingPrecedence: 1000,
    metrics: [{
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
    }],
    persistentVolumeReclaimPolicy: "Retain",
    podManagementPolicy: "OrderedReady",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    sessionAffinity: "None",
    type: "ClusterIP",
    volumeLifecycleModes: ["Persistent"],
  },
  startupProbe: PROBE,
  strategy: { type: "RollingUpdate" },
  updateStrategy: { type: "RollingUpdate" },
};

/**
 * Returns the value that the server stores in place of `""`, 0, false or `[]`; undefined if the field has no default.
 *
 * @param path The path of the field.
 * @param around The object that contains the field.
 */
export function zeroDefault(path: readonly string[], around: Fields): unknown {
  const [name = "", parent = ""] = path.toReversed().filter((element) => element.startsWith("f:"))
    .map((element) => element.slice(2));
  switch (name) {
    case "singular":
      return parent === "names" ? String(around["kind"]).toLowerCase() : undefined;
    case "listKind":
      return parent === "names" ? `${around["kind"]}List` : undefined;
    case "imagePullPolicy":
      return pullPolicyOf(around["image"]);
    case "pullPolicy":
      return pullPolicyOf(around["reference"]);
    case "policyTypes": {
      const { egress } = around;
      const hasEgress = Array.isArray(egress) && egress.length > 0;
      return hasEgress ? ["Ingress", "Egress"] : ["Ingress"];
    }
    case "serviceAccount":
      return around["serviceAccountName"];
    case "targetPort":
      return around["port"];
    default:
      return own(own(ZERO_DEFAULTS, parent), name);
  }
}

/** Returns the default pull policy of an image: `Always` for the tag `latest`, or without a tag. */
function pullPolicyOf(image: unknown): string | undefined {
  if (typeof image !== "string" || image === "") return undefined;
  const [named = "", digest] = image.split("@");
  const tag = named.slice(named.lastIndexOf("/") + 1).split(":")[1];
  return (tag ?? (digest === undefined ? "latest" : "")) === "latest" ? "Always" : "IfNotPresent";
}

/** Fields with a value that the server has allocated, and keeps if a client sends an empty one. */
const ALLOCATED: ReadonlySet<string> = new Set([
  "clusterIP",
  "clusterIPs",
  "healthCheckNodePort",
  "ipFamilies",
  "nodePort",
]);

/** Reports whether the server keeps the value of a field if a client sends an empty one. */
export function isAllocated(path: readonly string[]): boolean {
  return path[0] === "f:spec" && ALLOCATED.has(path.at(-1)?.slice(2) ?? "");
}

/** The taints of the tolerations that the server adds to each Pod. */
const NODE_TROUBLE = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Removes the tolerations at the end of the list that the server has added. */
export function withoutAddedTolerations(
  desired: readonly unknown[],
  live: readonly unknown[],
): readonly unknown[] {
  const isAdded = (toleration: unknown) =>
    own(toleration, "operator") === "Exists" && own(toleration, "effect") === "NoExecute" &&
    NODE_TROUBLE.some((key) => key === own(toleration, "key"));
  let end = live.length;
  while (end > desired.length && isAdded(live[end - 1])) end--;
  return live.slice(0, end);
}

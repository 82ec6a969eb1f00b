import { formatQuantity, parseQuantity } from "@kubeloop/controller/internal/base";
import type { Cached, KubeObject } from "@kubeloop/controller/types";
import {
  type CountedPod,
  hasCrossNamespaceAffinity,
  hasEnded,
  isBestEffort,
  podTotals,
} from "./pod_usage.ts";
import type { QuotaScope, ResourceQuota } from "./quota_kinds.ts";

/** Amounts by the names that a ResourceQuota has for them. */
export type Usage = Readonly<Record<string, string>>;

/** Counts the objects of one resource. */
interface Counter {
  /** Reports whether the objects use a name that a quota can limit, such as `count/pods` or `requests.cpu`. */
  counts(name: string): boolean;
  /** Returns the usage of an object at a wall time, in milliseconds. */
  usage(object: Cached<KubeObject>, nowMs: number): Usage;
  /** Reports whether a scope includes an object. Default: it does not. */
  inScope?(object: Cached<KubeObject>, scope: QuotaScope): boolean;
}

const COMPUTE: readonly string[] = ["cpu", "memory", "ephemeral-storage"];
const POD_NAMES = /^(?:pods|(?:(?:requests|limits)\.)?(?:cpu|memory|ephemeral-storage))$/;
/** The prefix of devices that a Pod requests without a claim. */
const DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";

const podCounter: Counter = {
  counts: (name) =>
    name === "count/pods" || POD_NAMES.test(name) || /^(?:requests\.)?hugepages-/.test(name) ||
    (name.startsWith("requests.") && isDevice(name, `requests.${DEVICE_CLASS}`)),
  usage(pod: CountedPod, nowMs) {
    const usage: Record<string, string> = { "count/pods": "1" };
    if (hasEnded(pod, nowMs)) return usage;
    usage["pods"] = "1";
    for (const [name, amount] of Object.entries(podTotals(pod, "requests"))) {
      const isNamed = name.startsWith("hugepages-") || COMPUTE.includes(name);
      if (isNamed) usage[name] = amount;
      if (isNamed || isDevice(name, DEVICE_CLASS)) usage[`requests.${name}`] = amount;
    }
    const limits = podTotals(pod, "limits");
    for (const name of COMPUTE) {
      if (limits[name] !== undefined) usage[`limits.${name}`] = limits[name];
    }
    return usage;
  },
  inScope(pod: CountedPod, scope) {
    const { activeDeadlineSeconds = -1, priorityClassName = "" } = pod.spec ?? {};
    switch (scope.scopeName) {
      case "Terminating":
        return activeDeadlineSeconds >= 0;
      case "NotTerminating":
        return activeDeadlineSeconds < 0;
      case "BestEffort":
        return isBestEffort(pod);
      case "NotBestEffort":
        return !isBestEffort(pod);
      case "CrossNamespacePodAffinity":
        return hasCrossNamespaceAffinity(pod);
      case "PriorityClass":
        return selects(scope, priorityClassName === "" ? [] : [priorityClassName]);
      default:
        return false;
    }
  },
};

type CountedService = Cached<KubeObject> & {
  readonly spec?: {
    readonly type?: string;
    readonly ports?: readonly { readonly nodePort?: number }[];
    readonly allocateLoadBalancerNodePorts?: boolean;
  };
};

const SERVICE_NAMES = [
  "count/services",
  "services",
  "services.loadbalancers",
  "services.nodeports",
];

const serviceCounter: Counter = {
  counts: (name) => SERVICE_NAMES.includes(name),
  usage({ spec = {} }: CountedService) {
    const { allocateLoadBalancerNodePorts = true, ports = [], type } = spec;
    const isBalanced = type === "LoadBalancer";
    const nodePorts = type === "NodePort" || (isBalanced && allocateLoadBalancerNodePorts)
      ? ports
      : isBalanced
      ? ports.filter(({ nodePort = 0 }) => nodePort !== 0)
      : [];
    return {
      "count/services": "1",
      services: "1",
      "services.loadbalancers": isBalanced ? "1" : "0",
      "services.nodeports": String(nodePorts.length),
    };
  },
};

type CountedClaim = Cached<KubeObject> & {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly resources?: { readonly requests?: { readonly storage?: string } };
  };
  readonly status?: {
    readonly allocatedResources?: { readonly storage?: string };
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: { readonly targetVolumeAttributesClassName?: string };
  };
};

const CLAIM_NAMES = ["persistentvolumeclaims", "requests.storage"];
const OF_STORAGE_CLASS = ".storageclass.storage.k8s.io/";

const claimCounter: Counter = {
  counts: (name) =>
    name === "count/persistentvolumeclaims" ||
    CLAIM_NAMES.some((own) => name === own || name.endsWith(OF_STORAGE_CLASS + own)),
  usage({ metadata, spec = {}, status = {} }: CountedClaim) {
    const own: Record<string, string> = { persistentvolumeclaims: "1" };
    const asked = spec.resources?.requests?.storage;
    if (asked !== undefined) {
      const held = status.allocatedResources?.storage ?? asked;
      own["requests.storage"] = wholeBytes(larger(asked, held));
    }
    const storageClass = metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ??
      spec.storageClassName ?? "";
    const classed = storageClass === "" ? [] : Object.entries(own)
      .map(([name, amount]) => [storageClass + OF_STORAGE_CLASS + name, amount]);
    return { "count/persistentvolumeclaims": "1", ...own, ...Object.fromEntries(classed) };
  },
  inScope({ spec = {}, status = {} }: CountedClaim, scope) {
    if (scope.scopeName !== "VolumeAttributesClass") return false;
    const classes = [
      spec.volumeAttributesClassName,
      status.currentVolumeAttributesClassName,
      status.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ].flatMap((name) => name || []);
    return selects(scope, classes);
  },
};

interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
}

type CountedDeviceClaim = Cached<KubeObject> & {
  readonly spec?: {
    readonly devices?: {
      readonly requests?: readonly {
        readonly exactly?: DeviceRequest;
        readonly firstAvailable?: readonly DeviceRequest[];
      }[];
    };
  };
};

const OF_DEVICE_CLASS = ".deviceclass.resource.k8s.io/devices";
/** The maximum number of devices of a claim. */
const MAX_DEVICES = 32;

const deviceClaimCounter: Counter = {
  counts: (name) =>
    name === "count/resourceclaims.resource.k8s.io" || name.endsWith(OF_DEVICE_CLASS),
  usage({ spec }: CountedDeviceClaim) {
    const devices = new Map<string, number>();
    for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
      const most = new Map<string, number>();
      for (const choice of exactly === undefined ? firstAvailable : [exactly]) {
        const { allocationMode, count = 0, deviceClassName = "" } = choice;
        const number = allocationMode === "All"
          ? MAX_DEVICES
          : allocationMode === "ExactCount"
          ? count
          : 0;
        most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, number));
      }
      for (const [name, number] of most) devices.set(name, (devices.get(name) ?? 0) + number);
    }
    const amounts = [...devices].map(([name, number]) => [name + OF_DEVICE_CLASS, String(number)]);
    return { "count/resourceclaims.resource.k8s.io": "1", ...Object.fromEntries(amounts) };
  },
};

const COUNTERS: ReadonlyMap<string, Counter> = new Map([
  ["pods", podCounter],
  ["services", serviceCounter],
  ["persistentvolumeclaims", claimCounter],
  ["resourceclaims.resource.k8s.io", deviceClaimCounter],
  ...["configmaps", "replicationcontrollers", "resourcequotas", "secrets"]
    .map((name) => [name, objectCounter([`count/${name}`, name])] as const),
  ...["events", "events.events.k8s.io"].map((name) => [name, objectCounter([])] as const),
]);

/** Returns the counter of a resource, such as `deployments.apps`. Other objects count by their number alone. */
function counterOf(resource: string): Counter {
  return COUNTERS.get(resource) ?? objectCounter([`count/${resource}`]);
}

function objectCounter(names: readonly string[]): Counter {
  const usage = Object.fromEntries(names.map((name) => [name, "1"]));
  return { counts: (name) => names.includes(name), usage: () => usage };
}

/** Returns the names among `limited` that the objects of a resource use. */
export function countedNames(resource: string, limited: Iterable<string>): string[] {
  const { counts } = counterOf(resource);
  return [...limited].filter(counts);
}

/** Returns the usage of a quota's names by an object of a resource. */
export function usageIn(
  quota: Cached<ResourceQuota>,
  resource: string,
  object: Cached<KubeObject>,
  { names, nowMs }: { readonly names: readonly string[]; readonly nowMs: number },
): Usage {
  const counter = counterOf(resource);
  const { scopeSelector, scopes = [] } = quota.spec ?? {};
  const isIncluded = [
    ...scopes.map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...scopeSelector?.matchExpressions ?? [],
  ].every((scope) => counter.inScope?.(object, scope) ?? false);
  if (!isIncluded) return {};
  const usage = counter.usage(object, nowMs);
  return Object.fromEntries(names.flatMap((name) => {
    const amount = usage[name];
    return amount === undefined ? [] : [[name, amount]];
  }));
}

/** Returns the sum of usages for each of the names. */
export function totalUsage(names: readonly string[], usages: readonly Usage[]): Usage {
  return Object.fromEntries(names.map((name) => [
    name,
    usages.reduce((total, usage) => sum(total, usage[name] ?? "0"), "0"),
  ]));
}

/** Reports whether two usages have equal amounts under the same names. */
export function isSameUsage(a: Usage, b: Usage): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => {
    const [left, right] = [a[name], b[name]].map((text) => parseQuantity(text ?? ""));
    return left === undefined || right === undefined
      ? a[name] === b[name]
      : left.nano === right.nano;
  });
}

function isDevice(name: string, deviceClass: string): boolean {
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  return !isNative || name.startsWith(deviceClass);
}

function selects({ operator, values = [] }: QuotaScope, classes: readonly string[]): boolean {
  switch (operator) {
    case "In":
      return classes.some((name) => values.includes(name));
    case "NotIn":
      return classes.length === 0 || classes.some((name) => !values.includes(name));
    case "Exists":
      return classes.length > 0;
    default:
      return classes.length === 0;
  }
}

function sum(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined) return b;
  if (right === undefined) return a;
  const { format } = left.nano === 0n ? right : left;
  return formatQuantity({ nano: left.nano + right.nano, format });
}

function larger(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left === undefined || (right !== undefined && right.nano > left.nano) ? b : a;
}

const NANO = 1_000_000_000n;

/** Rounds a quantity up to whole bytes. */
function wholeBytes(text: string): string {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return text;
  const { format, nano } = quantity;
  const rest = nano % NANO;
  return formatQuantity({ nano: rest > 0n ? nano - rest + NANO : nano, format });
}

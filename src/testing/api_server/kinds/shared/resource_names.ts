import { parseQuantity } from "@kubeloop/controller/internal/base";
import {
  compareQuantities,
  type FieldError,
  invalidValue,
  qualifiedName,
} from "../../../values/mod.ts";
import { NEGATIVE } from "./object_meta.ts";

/** The resources without a domain that a container can request. */
const OF_CONTAINERS = ["cpu", "memory", "ephemeral-storage"];

const NO_STANDARD = "must be a standard resource type or fully qualified";

/** The resources that are counted in whole numbers. */
const WHOLE: ReadonlySet<string> = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
]);

/** The resources without a domain that a quota can limit. */
const OF_QUOTAS: ReadonlySet<string> = new Set([
  ...WHOLE,
  "cpu",
  "memory",
  "ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "requests.storage",
]);

/** Reports whether a resource without a domain is one of Kubernetes. */
function isStandard(name: string): boolean {
  return OF_QUOTAS.has(name) || name === "storage" || name.startsWith("hugepages-") ||
    name.startsWith("requests.hugepages-");
}

/** Returns the errors of the name of a resource. */
export function resourceNameErrors(name: string, field: string): FieldError[] {
  const errors = qualifiedName(name).map((text) => invalidValue(field, name, text));
  if (errors.length > 0) return errors;
  return name.includes("/") || isStandard(name) ? [] : [invalidValue(field, name, NO_STANDARD)];
}

/** Returns the errors of the name of a resource that a container requests. */
export function containerResourceErrors(name: string, field: string): FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (name.includes("/")) {
    if (isNativeResource(name) || isExtendedResource(name)) return errors;
    return [...errors, invalidValue(field, name, "doesn't follow extended resource name standard")];
  }
  if (OF_CONTAINERS.includes(name) || name.startsWith("hugepages-")) return errors;
  return [...errors, invalidValue(field, name, "must be a standard resource for containers")];
}

/** Reports whether a resource is one of Kubernetes, and not of a device. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Reports whether a resource is one of a device, such as `example.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

/** Returns the errors of the name of a resource that a quota limits. */
export function quotaResourceErrors(name: string, field: string): FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (name.includes("/") || OF_QUOTAS.has(name) || name.startsWith("requests.hugepages-")) {
    return errors;
  }
  return [...errors, invalidValue(field, name, "must be a standard resource for quota")];
}

/** Reports whether a resource name without a domain is known to quotas. */
export function isQuotaResource(name: string): boolean {
  return OF_QUOTAS.has(name);
}

/** Returns the errors of an amount of a resource. */
export function amountErrors(name: string, amount: string, field: string): FieldError[] {
  const errors = compareQuantities(amount, "0")! < 0 ? [invalidValue(field, amount, NEGATIVE)] : [];
  const whole = WHOLE.has(name) || isExtendedResource(name);
  if (!whole || isInteger(amount)) return errors;
  return [...errors, invalidValue(field, amount, "must be an integer")];
}

function isInteger(amount: string): boolean {
  const parsed = parseQuantity(amount);
  return parsed !== undefined && parsed.nano % 1_000_000_000n === 0n;
}

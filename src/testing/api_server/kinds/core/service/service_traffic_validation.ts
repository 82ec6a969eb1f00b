import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isLegacyIpAddress,
  isObject,
  item,
  type JsonObject,
  NO_IP_ADDRESS,
  notSupported,
  qualifiedName,
  required,
} from "../../../../values/mod.ts";
import { endpointIpErrors } from "../../shared/mod.ts";
import { isExternal } from "./service_fields.ts";

const AFFINITIES = ["ClientIP", "None"];
const POLICIES = ["Cluster", "Local"];
/** In the order in which the real server lists them. */
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** The longest affinity of a client: a day. */
const MAX_AFFINITY_SECONDS = 86_400;

/** Returns the errors of the affinity of clients. */
export function affinityErrors(spec: JsonObject): FieldError[] {
  const affinity = getString(spec, "sessionAffinity");
  const field = "spec.sessionAffinity";
  if (!AFFINITIES.includes(affinity)) return [notSupported(field, affinity, AFFINITIES)];
  const config = getOwn(spec, "sessionAffinityConfig");
  const at = "spec.sessionAffinityConfig";
  if (affinity === "None") {
    const reason = "must not be set when session affinity is None";
    return config === undefined ? [] : [forbiddenField(at, reason)];
  }
  const client = getObject(config).clientIP;
  if (!isObject(client)) return [required(at, "when session affinity type is ClientIP")];
  const seconds = Number(getOwn(client, "timeoutSeconds") ?? 0);
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  const reason = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
  return [invalidValue(child(at, "clientIP.timeoutSeconds"), seconds, reason)];
}

/** Returns the errors of the addresses from outside. */
export function externalIpErrors(spec: JsonObject): FieldError[] {
  return getArray(spec, "externalIPs").map(String).flatMap((ip, index) => {
    const at = item("spec.externalIPs", index);
    if (!isLegacyIpAddress(ip)) return [invalidValue(at, ip, NO_IP_ADDRESS)];
    return endpointIpErrors(ip).map((text) => invalidValue(at, ip, text));
  });
}

/** Returns the errors of the class of the load balancer. `old` is absent on a create. */
export function balancerClassErrors(spec: JsonObject, old?: JsonObject): FieldError[] {
  const name = getOwn(spec, "loadBalancerClass");
  const field = "spec.loadBalancerClass";
  if (getString(spec, "type") !== "LoadBalancer") {
    const reason = "may only be used when `type` is 'LoadBalancer'";
    return name === undefined ? [] : [forbiddenField(field, reason)];
  }
  const fixed = old !== undefined && getString(old, "type") === "LoadBalancer" &&
    getOwn(old, "loadBalancerClass") !== name;
  return [
    ...(fixed ? [invalidValue(field, name ?? null, "may not change once set")] : []),
    ...(typeof name === "string"
      ? qualifiedName(name).map((text) => invalidValue(field, name, text))
      : []),
  ];
}

/** Returns the errors of how traffic from within the cluster finds endpoints. */
export function internalTrafficErrors(spec: JsonObject): FieldError[] {
  const type = getString(spec, "type");
  const policy = getOwn(spec, "internalTrafficPolicy");
  const field = "spec.internalTrafficPolicy";
  const errors: FieldError[] = [];
  if (policy === undefined && ["ClusterIP", "LoadBalancer", "NodePort"].includes(type)) {
    errors.push(required(field));
  }
  if (typeof policy === "string" && !POLICIES.includes(policy)) {
    errors.push(notSupported(field, policy, POLICIES));
  }
  const distribution = getString(spec, "trafficDistribution");
  if (distribution !== "" && !DISTRIBUTIONS.includes(distribution)) {
    errors.push(notSupported("spec.trafficDistribution", distribution, DISTRIBUTIONS));
  }
  return errors;
}

/** Returns the error of a policy for traffic from outside that is unknown, or that the Service cannot have. */
export function externalPolicyErrors(spec: JsonObject): FieldError[] {
  const policy = getString(spec, "externalTrafficPolicy");
  const field = "spec.externalTrafficPolicy";
  if (policy === "") return [];
  if (!isExternal(spec)) {
    return [invalidValue(field, policy, "may only be set for externally-accessible services")];
  }
  return POLICIES.includes(policy) ? [] : [notSupported(field, policy, POLICIES)];
}

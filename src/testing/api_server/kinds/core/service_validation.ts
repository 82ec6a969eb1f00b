import {
  child,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isIpAddress,
  isLegacyIpAddress,
  item,
  type Json,
  type JsonObject,
  NO_CIDR,
  NO_IP_ADDRESS,
  notSupported,
  parseCidr,
  portName,
  portNumber,
  qualifiedName,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { endpointIpErrors } from "../validation/ip.ts";
import { validateLabels } from "../validation/object_meta.ts";
import { validateClusterIps } from "./service_ips.ts";
import { isExternal, needsHealthCheckPort } from "./service_fields.ts";

const SERVICE_TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const AFFINITIES = ["ClientIP", "None"];
const MAX_AFFINITY_SECONDS = 86_400;
const TRAFFIC_POLICIES = ["Cluster", "Local"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const IP_MODES = ["Proxy", "VIP"];

/** Returns the validation errors of a Service, except those of its metadata. */
export function validateService(service: JsonObject): FieldError[] {
  const spec = getObject(service, "spec");
  const type = getString(spec, "type");
  const ports = objects(spec, "ports");
  const errors: FieldError[] = [];
  const headless = getString(spec, "clusterIP") === "None";
  if (ports.length === 0 && !headless && type !== "ExternalName") {
    errors.push(required("spec.ports"));
  }
  if (type === "ExternalName") errors.push(...validateExternalName(spec));
  else if (headless && (type === "LoadBalancer" || type === "NodePort")) {
    const text = `may not be set to 'None' for ${type} services`;
    errors.push(invalidValue("spec.clusterIPs[0]", "None", text));
  }
  errors.push(...validateServicePorts(ports));
  errors.push(...validateLabels(getObject(spec, "selector"), "spec.selector"));
  errors.push(...validateAffinity(spec));
  if (type !== "ExternalName") errors.push(...validateClusterIps(spec));
  errors.push(...validateExternalIps(spec));
  if (!SERVICE_TYPES.includes(type)) errors.push(notSupported("spec.type", type, SERVICE_TYPES));
  errors.push(...validatePortUse(ports, type));
  errors.push(...validateSourceRanges(spec, type));
  return [...errors, ...validateTypeDependent(spec, type), ...validateTraffic(spec)];
}

function validateAffinity(spec: JsonObject): FieldError[] {
  const affinity = getString(spec, "sessionAffinity");
  if (!AFFINITIES.includes(affinity)) {
    return [notSupported("spec.sessionAffinity", affinity, AFFINITIES)];
  }
  const seconds = getPath(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
  if (typeof seconds !== "number" || (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS)) return [];
  const field = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  const why = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
  return [invalidValue(field, seconds, why)];
}

function validateExternalIps(spec: JsonObject): FieldError[] {
  return getArray(spec, "externalIPs").map(String).flatMap((ip, index) => {
    const at = item("spec.externalIPs", index);
    if (!isLegacyIpAddress(ip)) return [invalidValue(at, ip, NO_IP_ADDRESS)];
    return endpointIpErrors(ip).map((text) => invalidValue(at, ip, text));
  });
}

/** Returns an error for each node port that is not allowed, and for ports that are there twice. */
function validatePortUse(ports: readonly JsonObject[], type: string): FieldError[] {
  const errors: FieldError[] = [];
  const at = (index: number) => item("spec.ports", index);
  const nodePort = (port: JsonObject) => getOwn(port, "nodePort") || 0;
  ports.forEach((port, index) => {
    if (type !== "ClusterIP" || nodePort(port) === 0) return;
    const field = child(at(index), "nodePort");
    errors.push(forbiddenField(field, "may not be used when `type` is 'ClusterIP'"));
  });
  const uses = new Set<string>();
  const isUsed = (kind: string, port: JsonObject, number: Json): boolean => {
    const use = `${kind} ${getString(port, "protocol")} ${number}`;
    return uses.size === uses.add(use).size;
  };
  ports.forEach((port, index) => {
    const number = nodePort(port);
    if (number === 0 || !isUsed("node", port, number)) return;
    errors.push(duplicate(child(at(index), "nodePort"), number));
  });
  ports.forEach((port, index) => {
    if (isUsed("cluster", port, getOwn(port, "port") ?? 0)) {
      errors.push(duplicate(at(index), internalPort(port)));
    }
  });
  return errors;
}

function validateSourceRanges(spec: JsonObject, type: string): FieldError[] {
  const field = "spec.LoadBalancerSourceRanges";
  const ranges = getArray(spec, "loadBalancerSourceRanges").map((one) => String(one).trim());
  if (ranges.length === 0) return [];
  const balanced = type === "LoadBalancer";
  return [
    ...(balanced ? [] : [forbiddenField(field, "may only be used when `type` is 'LoadBalancer'")]),
    ...ranges.flatMap((range, index) =>
      parseCidr(range) === undefined ? [invalidValue(item(field, index), range, NO_CIDR)] : []
    ),
  ];
}

/** Returns an error for each field that the type of the Service does not allow. */
function validateTypeDependent(spec: JsonObject, type: string): FieldError[] {
  const errors: FieldError[] = [];
  const only = "may only be used when `type` is 'LoadBalancer'";
  const balancerClass = getOwn(spec, "loadBalancerClass");
  if (type !== "LoadBalancer") {
    for (const name of ["allocateLoadBalancerNodePorts", "loadBalancerClass"]) {
      const field = child("spec", name);
      if (getOwn(spec, name) !== undefined) errors.push(forbiddenField(field, only));
    }
  } else if (typeof balancerClass === "string") {
    const field = "spec.loadBalancerClass";
    const wrong = qualifiedName(balancerClass);
    errors.push(...wrong.map((text) => invalidValue(field, balancerClass, text)));
  }
  const policy = getString(spec, "externalTrafficPolicy");
  const field = "spec.externalTrafficPolicy";
  if (isExternal(spec)) {
    if (!TRAFFIC_POLICIES.includes(policy)) {
      errors.push(notSupported(field, policy, TRAFFIC_POLICIES));
    }
  } else if (policy !== "") {
    const why = "may only be set for externally-accessible services";
    errors.push(invalidValue(field, policy, why));
  }
  return [...errors, ...validateHealthCheck(spec)];
}

function validateHealthCheck(spec: JsonObject): FieldError[] {
  const port = Number(getOwn(spec, "healthCheckNodePort") ?? 0);
  const refuse = (why: string) => invalidValue("spec.healthCheckNodePort", port, why);
  if (needsHealthCheckPort(spec)) return portNumber(port).map(refuse);
  if (port === 0) return [];
  return [
    refuse("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"),
  ];
}

function validateTraffic(spec: JsonObject): FieldError[] {
  const known = { internalTrafficPolicy: TRAFFIC_POLICIES, trafficDistribution: DISTRIBUTIONS };
  return Object.entries(known).flatMap(([name, values]) => {
    const value = getOwn(spec, name);
    if (typeof value !== "string" || values.includes(value)) return [];
    return [notSupported(child("spec", name), value, values)];
  });
}

/** Returns the errors of an ExternalName Service, which must have an external name and no cluster IPs. */
function validateExternalName(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (name: string) =>
    errors.push(forbiddenField(`spec.${name}`, "may not be set for ExternalName services"));
  if (getString(spec, "clusterIP") !== "" || getArray(spec, "clusterIPs").length > 0) {
    forbid("clusterIPs");
  }
  if (getArray(spec, "ipFamilies").length > 0) forbid("ipFamilies");
  if (getString(spec, "ipFamilyPolicy") !== "") forbid("ipFamilyPolicy");
  const name = getString(spec, "externalName").replace(/\.$/, "");
  if (name === "") errors.push(required("spec.externalName"));
  const wrong = name === "" ? [] : dnsSubdomain(name);
  errors.push(...wrong.map((text) => invalidValue("spec.externalName", name, text)));
  return errors;
}

function validateServicePorts(ports: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = item("spec.ports", index);
    const errors: FieldError[] = [];
    const name = getString(port, "name");
    if (name === "") {
      if (ports.length > 1) errors.push(required(child(at, "name")));
    } else {
      errors.push(...dnsLabel(name).map((text) => invalidValue(child(at, "name"), name, text)));
      if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
      names.add(name);
    }
    const number = getOwn(port, "port") ?? 0;
    errors.push(
      ...portNumber(Number(number)).map((text) => invalidValue(child(at, "port"), number, text)),
    );
    const protocol = getString(port, "protocol");
    if (!["SCTP", "TCP", "UDP"].includes(protocol)) {
      errors.push(notSupported(child(at, "protocol"), protocol, ["SCTP", "TCP", "UDP"]));
    }
    const target = getOwn(port, "targetPort") ?? 0;
    const wrong = typeof target === "number" ? portNumber(target) : portName(String(target));
    errors.push(...wrong.map((text) => invalidValue(child(at, "targetPort"), target, text)));
    const app = getOwn(port, "appProtocol");
    if (typeof app === "string") {
      const field = child(at, "appProtocol");
      errors.push(...qualifiedName(app).map((text) => invalidValue(field, app, text)));
    }
    return errors;
  });
}

/** Returns a port as error messages print it: with the Go field names of the internal type. */
function internalPort(port: JsonObject): Json {
  return {
    Name: "",
    Protocol: getString(port, "protocol"),
    AppProtocol: null,
    Port: getOwn(port, "port") ?? 0,
    TargetPort: 0,
    NodePort: 0,
  };
}

/** Returns the validation errors of an update to a Service: `clusterIP` is immutable once it is set. */
export function validateServiceUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const before = getString(old, "spec", "clusterIP");
  const after = getString(next, "spec", "clusterIP");
  if (before === "" || before === after || getString(next, "spec", "type") === "ExternalName") {
    return [];
  }
  return [
    invalidValue("spec.clusterIPs[0]", after === "" ? null : [after], "may not change once set"),
  ];
}

/** Returns the validation errors of the status of a Service. */
export function validateServiceStatus(service: JsonObject): FieldError[] {
  const field = "status.loadBalancer.ingress";
  const ingress = objects(service, "status", "loadBalancer", "ingress");
  if (ingress.length > 0 && getString(service, "spec", "type") !== "LoadBalancer") {
    return [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap((point, index) => validateIngressPoint(point, item(field, index)));
}

function validateIngressPoint(point: JsonObject, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const ip = getString(point, "ip");
  if (ip !== "" && !isIpAddress(ip)) errors.push(invalidValue(child(at, "ip"), ip, NO_IP_ADDRESS));
  const mode = getString(point, "ipMode");
  if (mode !== "" && ip === "") {
    errors.push(forbiddenField(child(at, "ipMode"), "may not be specified when `ip` is not set"));
  } else if (mode !== "" && !IP_MODES.includes(mode)) {
    errors.push(notSupported(child(at, "ipMode"), mode, IP_MODES));
  }
  const hostname = getString(point, "hostname");
  if (hostname === "") return errors;
  const wrong = dnsSubdomain(hostname);
  if (isIpAddress(hostname)) wrong.push("must be a DNS name, not an IP address");
  return [
    ...errors,
    ...wrong.map((text) => invalidValue(child(at, "hostname"), hostname, text)),
  ];
}

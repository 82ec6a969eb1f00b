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
  parseLegacyCidr,
  portName,
  portNumber,
  qualifiedName,
  required,
} from "../../../../values/mod.ts";
import { objects, validateLabels } from "../../shared/mod.ts";
import { validateClusterIps } from "./service_ips.ts";
import { needsHealthCheckPort, TOPOLOGY_HINTS, TOPOLOGY_MODE } from "./service_fields.ts";
import {
  affinityErrors,
  balancerClassErrors,
  externalIpErrors,
  externalPolicyErrors,
  internalTrafficErrors,
} from "./service_traffic_validation.ts";

const SERVICE_TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const IP_MODES = ["Proxy", "VIP"];

/** Returns the validation errors of a Service apart from its metadata. */
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
  errors.push(...affinityErrors(spec));
  if (type !== "ExternalName") errors.push(...validateClusterIps(spec));
  errors.push(...externalIpErrors(spec));
  if (!SERVICE_TYPES.includes(type)) errors.push(notSupported("spec.type", type, SERVICE_TYPES));
  errors.push(...validatePortUse(ports, type));
  const annotations = getObject(service, "metadata", "annotations");
  errors.push(...validateSourceRanges(spec, type, annotations));
  return [...errors, ...validateTypeDependent(spec, type), ...validateTopologyMode(annotations)];
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
      errors.push(duplicate(at(index), port));
    }
  });
  return errors;
}

function validateSourceRanges(
  spec: JsonObject,
  type: string,
  annotations: JsonObject,
): FieldError[] {
  const own = getArray(spec, "loadBalancerSourceRanges").map(String);
  const annotated = getOwn(annotations, SOURCE_RANGES);
  if (own.length === 0 && typeof annotated !== "string") return [];
  const field = own.length > 0
    ? "spec.LoadBalancerSourceRanges"
    : item("metadata.annotations", SOURCE_RANGES);
  const ranges = own.length > 0
    ? own
    : String(annotated).split(",").filter((text) => text.trim() !== "");
  const balanced = type === "LoadBalancer";
  return [
    ...(balanced ? [] : [forbiddenField(field, "may only be used when `type` is 'LoadBalancer'")]),
    ...ranges.map((one) => one.trim()).flatMap((range, index) =>
      parseLegacyCidr(range) === undefined
        ? [invalidValue(own.length > 0 ? item(field, index) : field, range, NO_CIDR)]
        : []
    ),
  ];
}

/** Returns the error of an annotation that contradicts its successor. */
function validateTopologyMode(annotations: JsonObject): FieldError[] {
  const [mode, hints] = [getOwn(annotations, TOPOLOGY_MODE), getOwn(annotations, TOPOLOGY_HINTS)];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const reason = `must match annotations[${TOPOLOGY_HINTS}] when both are specified`;
  return [invalidValue(item("metadata.annotations", TOPOLOGY_MODE), mode, reason)];
}

/** Returns an error for each field that the type of the Service does not allow. */
function validateTypeDependent(spec: JsonObject, type: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type !== "LoadBalancer" && getOwn(spec, "allocateLoadBalancerNodePorts") !== undefined) {
    const field = "spec.allocateLoadBalancerNodePorts";
    errors.push(forbiddenField(field, "may only be used when `type` is 'LoadBalancer'"));
  }
  errors.push(...balancerClassErrors(spec));
  errors.push(...externalPolicyErrors(spec));
  return [...errors, ...validateHealthCheck(spec), ...internalTrafficErrors(spec)];
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

/** Returns the errors of an update to a Service: changes of immutable fields. */
export function validateServiceUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const before = getString(old, "spec", "clusterIP");
  const after = getString(next, "spec", "clusterIP");
  const classErrors = balancerClassErrors(getObject(next, "spec"), getObject(old, "spec"));
  if (before === "" || before === after || getString(next, "spec", "type") === "ExternalName") {
    return classErrors;
  }
  return [
    invalidValue("spec.clusterIPs[0]", after === "" ? null : [after], "may not change once set"),
    ...classErrors,
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

/** Returns the errors of a point at which a load balancer takes traffic. */
export function validateIngressPoint(point: JsonObject, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const ip = getString(point, "ip");
  if (ip !== "" && !isLegacyIpAddress(ip)) {
    errors.push(invalidValue(child(at, "ip"), ip, NO_IP_ADDRESS));
  }
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

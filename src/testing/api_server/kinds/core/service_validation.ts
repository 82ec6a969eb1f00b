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
  item,
  type Json,
  type JsonObject,
  NO_CIDR,
  NO_IP_ADDRESS,
  notSupported,
  parseCidr,
  portName,
  portNumber,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { validateLabels } from "../validation/object_meta.ts";
import { isExternal, needsHealthCheckPort } from "./service_fields.ts";

const SERVICE_TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
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
  const affinity = getString(spec, "sessionAffinity");
  if (!["ClientIP", "None"].includes(affinity)) {
    errors.push(notSupported("spec.sessionAffinity", affinity, ["ClientIP", "None"]));
  }
  if (!SERVICE_TYPES.includes(type)) errors.push(notSupported("spec.type", type, SERVICE_TYPES));
  errors.push(...validateSourceRanges(spec, type));
  return [...errors, ...validateTypeDependent(spec, type, ports)];
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
function validateTypeDependent(
  spec: JsonObject,
  type: string,
  ports: readonly JsonObject[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (type === "ClusterIP") {
    ports.forEach((port, index) => {
      if (!getOwn(port, "nodePort")) return;
      const field = child(item("spec.ports", index), "nodePort");
      errors.push(forbiddenField(field, "may not be used when `type` is 'ClusterIP'"));
    });
  }
  if (type !== "LoadBalancer" && getOwn(spec, "allocateLoadBalancerNodePorts") !== undefined) {
    const field = "spec.allocateLoadBalancerNodePorts";
    errors.push(forbiddenField(field, "may only be used when `type` is 'LoadBalancer'"));
  }
  const policy = getString(spec, "externalTrafficPolicy");
  if (policy !== "" && !isExternal(spec)) {
    const why = "may only be set for externally-accessible services";
    errors.push(invalidValue("spec.externalTrafficPolicy", policy, why));
  }
  const healthCheck = getOwn(spec, "healthCheckNodePort") || 0;
  if (healthCheck !== 0 && !needsHealthCheckPort(spec)) {
    const why =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalidValue("spec.healthCheckNodePort", healthCheck, why));
  }
  return errors;
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
  const numbers = new Set<string>();
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
    const key = `${protocol}/${number}`;
    if (numbers.has(key)) errors.push(duplicate(at, internalPort(port)));
    numbers.add(key);
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

import {
  child,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isLegacyIpAddress,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  labelValue,
  NO_IP_ADDRESS,
  notSupported,
  qualifiedName,
  required,
  tooMany,
} from "../../../values/mod.ts";
import {
  canonicalIpErrors,
  endpointIpErrors,
  legacyIpWarnings,
  objects,
  validateLabels,
} from "../shared/mod.ts";

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_ZONES = 8;
const MAX_NODES = 8;
const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** Returns the errors of an EndpointSlice apart from its metadata. An update accepts endpoints that it keeps. */
export function validateSlice(slice: JsonObject, old?: JsonObject): FieldError[] {
  const type = getString(slice, "addressType");
  const errors: FieldError[] = [];
  if (type === "") errors.push(required("addressType"));
  else if (!ADDRESS_TYPES.includes(type)) {
    errors.push(notSupported("addressType", type, ADDRESS_TYPES));
  }
  errors.push(...validatePorts(objects(slice, "ports")));
  const endpoints = validateEndpoints(objects(slice, "endpoints"), type);
  const kept = jsonEqual(
    getArray(slice, "endpoints") as Json[],
    getArray(old, "endpoints") as Json[],
  );
  return old !== undefined && kept ? errors : [...errors, ...endpoints];
}

function validatePorts(ports: readonly JsonObject[]): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany("ports", ports.length, MAX_PORTS)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = item("ports", index);
    const name = getString(port, "name");
    const at = child(field, "name");
    const errors = name === "" ? [] : dnsLabel(name).map((text) => invalidValue(at, name, text));
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    const protocol = getString(port, "protocol");
    if (!PROTOCOLS.includes(protocol)) {
      errors.push(notSupported(child(field, "protocol"), protocol, PROTOCOLS));
    }
    const app = getOwn(port, "appProtocol");
    if (typeof app !== "string") return errors;
    const where = child(field, "appProtocol");
    return [...errors, ...qualifiedName(app).map((text) => invalidValue(where, app, text))];
  });
}

function validateEndpoints(endpoints: readonly JsonObject[], type: string): FieldError[] {
  if (endpoints.length > MAX_ENDPOINTS) {
    return [tooMany("endpoints", endpoints.length, MAX_ENDPOINTS)];
  }
  return endpoints.flatMap((endpoint, index) => {
    const field = item("endpoints", index);
    const addresses = getArray(endpoint, "addresses").map(String);
    const list = child(field, "addresses");
    const errors: FieldError[] = [];
    if (addresses.length === 0) errors.push(required(list, "must contain at least 1 address"));
    else if (addresses.length > MAX_ADDRESSES) {
      errors.push(tooMany(list, addresses.length, MAX_ADDRESSES));
    }
    addresses.forEach((address, at) => errors.push(...addressErrors(address, type, list, at)));
    const node = getOwn(endpoint, "nodeName");
    if (typeof node === "string") {
      const at = child(field, "nodeName");
      errors.push(...dnsSubdomain(node).map((text) => invalidValue(at, node, text)));
    }
    const topology = getObject(endpoint, "deprecatedTopology");
    errors.push(...validateLabels(topology, child(field, "deprecatedTopology")));
    const host = getOwn(endpoint, "hostname");
    if (typeof host === "string") {
      const at = child(field, "hostname");
      errors.push(...dnsLabel(host).map((text) => invalidValue(at, host, text)));
    }
    return [...errors, ...validateHints(getObject(endpoint, "hints"), child(field, "hints"))];
  });
}

function addressErrors(address: string, type: string, list: string, index: number): FieldError[] {
  const at = item(list, index);
  if (type === "FQDN") {
    if (address === "") return [required(at)];
    const name = address.endsWith(".") ? address.slice(0, -1) : address;
    const wrong = dnsSubdomain(name);
    if (wrong.length === 0 && !name.includes(".")) {
      wrong.push("should be a domain with at least two segments separated by dots");
    }
    return wrong.map((text) => invalidValue(at, address, text));
  }
  if (type !== "IPv4" && type !== "IPv6") return [];
  const wrong = type === "IPv6"
    ? canonicalIpErrors(address)
    : isLegacyIpAddress(address)
    ? []
    : [NO_IP_ADDRESS];
  if (wrong.length > 0) return wrong.map((text) => invalidValue(at, address, text));
  const errors: FieldError[] = [];
  if (address.includes(":") !== (type === "IPv6")) {
    errors.push(invalidValue(list, address, `must be an ${type} address`));
  }
  return [...errors, ...endpointIpErrors(address).map((text) => invalidValue(at, address, text))];
}

function validateHints(hints: JsonObject, field: string): FieldError[] {
  return [
    ...validateHint(hints, field, ["forZones", MAX_ZONES, labelValue]),
    ...validateHint(hints, field, ["forNodes", MAX_NODES, dnsSubdomain]),
  ];
}

function validateHint(
  hints: JsonObject,
  field: string,
  [hint, max, rule]: readonly [string, number, (name: string) => string[]],
): FieldError[] {
  const list = child(field, hint);
  const names = objects(hints, hint).map((one) => getString(one, "name"));
  const errors = names.length > max ? [tooMany(list, names.length, max)] : [];
  names.forEach((name, index) => {
    const at = child(item(list, index), "name");
    if (names.indexOf(name) < index) errors.push(duplicate(at, name));
    errors.push(...rule(name).map((text) => invalidValue(at, name, text)));
  });
  return errors;
}

/** Returns the warnings for a write of an EndpointSlice. */
export function sliceWarnings(slice: JsonObject): string[] {
  const type = getString(slice, "addressType");
  if (type === "FQDN") return ["spec.addressType: FQDN endpoints are deprecated"];
  return objects(slice, "endpoints").flatMap((endpoint, index) =>
    getArray(endpoint, "addresses").flatMap((address, at) => {
      const field = item(child(item("endpoints", index), "addresses"), at);
      return legacyIpWarnings(String(address), field);
    })
  );
}

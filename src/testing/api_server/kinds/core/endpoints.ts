import { getString, type JsonObject } from "../../../values/mod.ts";
import {
  child,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  getOwn,
  invalidValue,
  isLegacyIpAddress,
  item,
  NO_IP_ADDRESS,
  notSupported,
  portNumber,
  qualifiedName,
  required,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import {
  AGE,
  column,
  endpointIpErrors,
  fill,
  getNumber,
  legacyIpWarnings,
  NAME,
  named,
  objects,
} from "../shared/mod.ts";

/** Endpoints. */
export const ENDPOINTS: KindRecord = defineKind("v1", "endpoints", "Endpoints", {
  storagePath: "services/endpoints",
  shortNames: ["ep"],
  singular: "endpoints",
  allowCreateOnUpdate: true,
  defaults: defaultEndpoints,
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  warnings: endpointsWarnings,
  names: "subdomain",
  validate: validateEndpoints,
  table: {
    columns: [
      NAME,
      column(
        "Endpoints",
        "The set of all endpoints is the union of all subsets. Addresses are placed into subsets according to the IPs they share. A single address with multiple ports, some of which are ready and some of which are not (because they come from different containers) will result in the address being displayed in different subsets for the different ports. No address will appear in both Addresses and NotReadyAddresses in the same subset. Sets of addresses and ports that comprise a service.",
      ),
      AGE,
    ],
    row: named((one) => [endpointsText(one)]),
  },
});

function defaultEndpoints(endpoints: JsonObject): void {
  for (const subset of objects(endpoints, "subsets")) {
    for (const port of objects(subset, "ports")) fill(port, "protocol", "TCP");
  }
}

/** The number of endpoints that a row shows. */
const MAX_SHOWN = 3;

function endpointsText(endpoints: JsonObject): string {
  const all = objects(endpoints, "subsets").flatMap((subset) => {
    const addresses = objects(subset, "addresses").map((one) => getString(one, "ip"));
    const ports = objects(subset, "ports").map((port) => getNumber(port, "port"));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => hostPort(ip, port)));
  });
  if (objects(endpoints, "subsets").length === 0) return "<none>";
  const shown = all.slice(0, MAX_SHOWN).join(",");
  return all.length > MAX_SHOWN ? `${shown} + ${all.length - MAX_SHOWN} more...` : shown;
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** Returns the warnings for a write of Endpoints. */
export function endpointsWarnings(endpoints: JsonObject): string[] {
  return objects(endpoints, "subsets").flatMap((subset, index) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      objects(subset, list).flatMap((address, at) => {
        const field = child(item(child(item("subsets", index), list), at), "ip");
        return legacyIpWarnings(getString(address, "ip"), field);
      })
    )
  );
}

/** Returns the errors of Endpoints apart from its metadata. */
export function validateEndpoints(endpoints: JsonObject): FieldError[] {
  return objects(endpoints, "subsets").flatMap((subset, index) => {
    const field = item("subsets", index);
    const lists = ["addresses", "notReadyAddresses"];
    const errors: FieldError[] = [];
    if (lists.every((list) => objects(subset, list).length === 0)) {
      errors.push(required(field, "must specify `addresses` or `notReadyAddresses`"));
    }
    for (const list of lists) {
      objects(subset, list).forEach((address, at) => {
        errors.push(...validateAddress(address, item(child(field, list), at)));
      });
    }
    const ports = objects(subset, "ports");
    ports.forEach((port, at) => {
      errors.push(...validatePort(port, ports.length > 1, item(child(field, "ports"), at)));
    });
    return errors;
  });
}

function validateAddress(address: JsonObject, field: string): FieldError[] {
  const ip = getString(address, "ip");
  const at = child(field, "ip");
  const errors = isLegacyIpAddress(ip) ? [] : [
    invalidValue(at, ip, NO_IP_ADDRESS),
  ];
  const host = getString(address, "hostname");
  if (host !== "") {
    const where = child(field, "hostname");
    errors.push(...dnsLabel(host).map((text) => invalidValue(where, host, text)));
  }
  const node = getOwn(address, "nodeName");
  if (typeof node === "string") {
    const where = child(field, "nodeName");
    errors.push(...dnsSubdomain(node).map((text) => invalidValue(where, node, text)));
  }
  if (!isLegacyIpAddress(ip)) {
    return [...errors, invalidValue(at, ip, "must be a valid IP address")];
  }
  return [...errors, ...endpointIpErrors(ip).map((text) => invalidValue(at, ip, text))];
}

function validatePort(port: JsonObject, named: boolean, field: string): FieldError[] {
  const name = getString(port, "name");
  const errors = name === ""
    ? named ? [required(child(field, "name"))] : []
    : dnsLabel(name).map((text) => invalidValue(child(field, "name"), name, text));
  const number = Number(getOwn(port, "port") ?? 0);
  errors.push(
    ...portNumber(number).map((text) => invalidValue(child(field, "port"), number, text)),
  );
  const protocol = getString(port, "protocol");
  if (!PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(child(field, "protocol"), protocol, PROTOCOLS));
  }
  const app = getOwn(port, "appProtocol");
  if (typeof app !== "string") return errors;
  const at = child(field, "appProtocol");
  return [...errors, ...qualifiedName(app).map((text) => invalidValue(at, app, text))];
}

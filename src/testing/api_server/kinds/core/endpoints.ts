import { getString, type JsonObject } from "../../../values/mod.ts";
import { AGE, column, fill, getNumber, NAME, named, objects } from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { endpointsWarnings, validateEndpoints } from "./endpoints_validation.ts";

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
      column("Endpoints"),
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

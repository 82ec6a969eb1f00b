import { getArray, getOwn, getString, type Json, type JsonObject } from "../../../values/mod.ts";
import {
  AGE,
  column,
  fillPointer,
  immutable,
  NAME,
  named,
  objects,
  validateMeta,
} from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { sliceWarnings, validateSlice } from "./endpoint_slice_validation.ts";

/** EndpointSlices. */
export const ENDPOINT_SLICE: KindRecord = defineKind(
  "discovery.k8s.io/v1",
  "endpointslices",
  "EndpointSlice",
  {
    counts: [["metadata", "labels"], ["addressType"], ["endpoints"], ["ports"]],
    defaults: defaultSlice,
    warnings: sliceWarnings,
    prepareCreate: dropTopology,
    prepareUpdate: dropTopology,
    names: "subdomain",
    validatesMetaChange: false,
    validatesAgain: false,
    validate: (slice) => validateSlice(slice),
    validateChange: (next, old, release) => [
      ...validateMeta(next, {
        namespaced: true,
        names: "subdomain",
        finalizers: "qualified",
        release,
      }),
      ...validateSlice(next, old),
      ...immutable(next, old, "addressType"),
    ],
    table: {
      columns: [
        NAME,
        column(
          "AddressType",
          "addressType specifies the type of address carried by this EndpointSlice. All addresses in this slice must be the same type. This field is immutable after creation. The following address types are currently supported: * IPv4: Represents an IPv4 Address. * IPv6: Represents an IPv6 Address. * FQDN: Represents a Fully Qualified Domain Name.",
        ),
        column(
          "Ports",
          'ports specifies the list of network ports exposed by each endpoint in this slice. Each port must have a unique name. When ports is empty, it indicates that there are no defined ports. When a port is defined with a nil port value, it indicates "all ports". Each slice may include a maximum of 100 ports.',
        ),
        column(
          "Endpoints",
          "endpoints is a list of unique endpoints in this slice. Each slice may include a maximum of 1000 endpoints.",
        ),
        AGE,
      ],
      row: named(sliceCells),
    },
  },
);

function defaultSlice(slice: JsonObject): void {
  for (const port of objects(slice, "ports")) {
    if (getOwn(port, "name") === undefined) port["name"] = "";
    fillPointer(port, "protocol", "TCP");
  }
}

/** The number of ports and of addresses that a row shows. */
const MAX_SHOWN = 3;

function sliceCells(slice: JsonObject): Json[] {
  const ports = objects(slice, "ports").map((port) =>
    String(getOwn(port, "port") ?? getOwn(port, "name") ?? "*")
  );
  const addresses = objects(slice, "endpoints").flatMap((one) => getArray(one, "addresses"));
  return [getString(slice, "addressType"), shown(ports), shown(addresses.map(String))];
}

function shown(all: readonly string[]): string {
  if (all.length === 0) return "<unset>";
  const text = all.slice(0, MAX_SHOWN).join(",");
  return all.length > MAX_SHOWN ? `${text} + ${all.length - MAX_SHOWN} more...` : text;
}

/** Removes a field of an older version of the API. */
function dropTopology(slice: JsonObject): JsonObject {
  const endpoints = objects(slice, "endpoints");
  if (endpoints.every((one) => getOwn(one, "deprecatedTopology") === undefined)) return slice;
  return { ...slice, endpoints: endpoints.map(({ deprecatedTopology: _, ...rest }) => rest) };
}

import { getOwn, getString, type JsonObject, quote, withPath } from "../../../values/mod.ts";
import { AGE, column, NAME, named, objects, since } from "../shared/mod.ts";
import { at, defineKind, type KindRecord } from "../record/mod.ts";
import { validateSlice } from "./slice_validation.ts";

/** ResourceSlices. */
export const RESOURCE_SLICE: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceslices",
  "ResourceSlice",
  {
    namespaced: false,
    counts: [["spec"]],
    prepareCreate: (slice, { now }) => withTimes(slice, now),
    prepareUpdate: (slice, _, { now }) => withTimes(slice, now),
    warnings: driverWarnings,
    validate: (slice, release) => validateSlice(slice, undefined, release),
    validateChange: validateSlice,
    validatesAgain: false,
    names: "subdomain",
    deletion: { returnsObject: true },
    fields: {
      "spec.nodeName": at("spec", "nodeName"),
      "spec.driver": at("spec", "driver"),
    },
    unknownField: (label) =>
      `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${label}`,
    table: {
      columns: [
        NAME,
        column(
          "Node",
          "NodeName identifies the node which provides the resources in this pool. A field selector can be used to list only ResourceSlice objects belonging to a certain node.\n\nThis field can be used to limit access from nodes to ResourceSlices with the same node name. It also indicates to autoscalers that adding new nodes of the same type as some old node might also make new resources available.\n\nExactly one of NodeName, NodeSelector, AllNodes, and PerDeviceNodeSelection must be set. This field is immutable.",
        ),
        column(
          "Driver",
          "Driver identifies the DRA driver providing the capacity information. A field selector can be used to list only ResourceSlice objects with a certain driver name.\n\nMust be a DNS subdomain and should end with a DNS domain owned by the vendor of the driver. It should use only lower case characters. This field is immutable.",
        ),
        since(
          column(
            "Pool",
            "Name is used to identify the pool. For node-local devices, this is often the node name, but this is not required.\n\nIt must not be longer than 253 characters and must consist of one or more DNS sub-domains separated by slashes. This field is immutable.",
          ),
          "1.37",
          "Name is used to identify the pool. For node-local devices, this is often the node name, but this is not required. A field selector can be used to list only ResourceSlice objects belonging to a certain pool.\n\nIt must not be longer than 253 characters and must consist of one or more DNS sub-domains separated by slashes. This field is immutable.",
        ),
        AGE,
      ],
      row: named((slice) => [
        getString(slice, "spec", "nodeName"),
        getString(slice, "spec", "driver"),
        getString(slice, "spec", "pool", "name"),
      ]),
    },
  },
);

function driverWarnings(slice: JsonObject): string[] {
  const driver = getString(slice, "spec", "driver");
  if (driver === driver.toLowerCase()) return [];
  return [
    `spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`,
  ];
}

/** Sets the times of new taints of devices. */
function withTimes(slice: JsonObject, now: string): JsonObject {
  const devices = objects(slice, "spec", "devices");
  if (devices.every((device) => getOwn(device, "taints") === undefined)) return slice;
  const timed = devices.map((device) =>
    getOwn(device, "taints") === undefined ? device : {
      ...device,
      taints: objects(device, "taints").map((taint) => ({ timeAdded: now, ...taint })),
    }
  );
  return withPath(slice, ["spec", "devices"], timed);
}

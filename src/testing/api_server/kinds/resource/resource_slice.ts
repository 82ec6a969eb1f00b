import { getOwn, getString, type JsonObject, quote, withPath } from "../../../values/mod.ts";
import { AGE, column, NAME, named, objects } from "../shared/mod.ts";
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
        column("Node"),
        column("Driver"),
        column("Pool"),
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

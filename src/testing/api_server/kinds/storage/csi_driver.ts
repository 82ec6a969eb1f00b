import {
  getArray,
  getObject,
  getOwn,
  getString,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { fill, objects } from "../defaults/pod_defaults.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** CSIDrivers. */
export const CSI_DRIVER: KindRecord = defineKind("storage.k8s.io/v1", "csidrivers", "CSIDriver", {
  namespaced: false,
  allowUnconditionalUpdate: false,
  defaults: defaultDriver,
  names: "subdomain",
  returnsDeleted: true,
  table: {
    columns: [
      NAME,
      column("AttachRequired", "", 0, "boolean"),
      column("PodInfoOnMount", "", 0, "boolean"),
      column("StorageCapacity", "", 0, "boolean"),
      column("TokenRequests"),
      column("RequiresRepublish", "", 0, "boolean"),
      column("Modes"),
      AGE,
    ],
    row: named(driverCells),
  },
});

function defaultDriver(driver: JsonObject): void {
  const spec = getObject(driver, "spec");
  fill(spec, "attachRequired", true);
  fill(spec, "podInfoOnMount", false);
  fill(spec, "storageCapacity", false);
  fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  if (getArray(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  fill(spec, "requiresRepublish", false);
  fill(spec, "seLinuxMount", false);
}

function driverCells(driver: JsonObject): Json[] {
  const spec = getObject(driver, "spec");
  const requests = getOwn(spec, "tokenRequests") === undefined
    ? "<unset>"
    : objects(spec, "tokenRequests").map((one) => getString(one, "audience")).join(",");
  return [
    getOwn(spec, "attachRequired") !== false,
    getOwn(spec, "podInfoOnMount") === true,
    getOwn(spec, "storageCapacity") === true,
    requests,
    getOwn(spec, "requiresRepublish") === true,
    getArray(spec, "volumeLifecycleModes").join(",") || "<none>",
  ];
}

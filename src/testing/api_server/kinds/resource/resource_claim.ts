import { getArray, getObject, getPath, getString, type JsonObject } from "../../values/mod.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";
import { defaultDevices } from "./devices.ts";

/** ResourceClaims. */
export const RESOURCE_CLAIM: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceclaims",
  "ResourceClaim",
  {
    subresources: [STATUS],
    statusKeeps: ["*"],
    defaults: (claim) => defaultDevices(getObject(claim, "spec", "devices")),
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [
        NAME,
        column("State", "A summary of the current state (allocated, pending, reserved, etc.)."),
        AGE,
      ],
      row: named((claim) => [stateText(claim)]),
    },
  },
);

function stateText(claim: JsonObject): string {
  const deleted = getString(claim, "metadata", "deletionTimestamp") !== "";
  const allocated = getPath(claim, "status", "allocation") !== undefined;
  const reserved = getArray(claim, "status", "reservedFor").length > 0;
  const states = [
    deleted && "deleted",
    !allocated && !deleted && "pending",
    allocated && "allocated",
    allocated && reserved && "reserved",
  ];
  return states.filter((state) => state !== false).join(",");
}

import {
  getArray,
  getObject,
  getPath,
  getString,
  type JsonObject,
  withPath,
} from "../../values/mod.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { DEVICE_CLAIM_QUOTA } from "../quota/device_claim_quota.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";
import { immutable } from "../validation/object_meta.ts";
import { validateDevices } from "./claim_validation.ts";
import { defaultDevices, withoutTolerations } from "./devices.ts";

/** ResourceClaims. */
export const RESOURCE_CLAIM: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceclaims",
  "ResourceClaim",
  {
    subresources: [STATUS],
    quota: DEVICE_CLAIM_QUOTA,
    statusKeeps: ["*"],
    defaults: (claim) => defaultDevices(getObject(claim, "spec", "devices")),
    prepareCreate: (claim) =>
      withPath(
        claim,
        ["spec", "devices"],
        withoutTolerations(getObject(claim, "spec", "devices")),
      ),
    names: "subdomain",
    validatesAgain: false,
    validate: (claim) => validateDevices(getObject(claim, "spec", "devices"), "spec.devices"),
    validateChange: (next, old) => immutable(next, old, "spec"),
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

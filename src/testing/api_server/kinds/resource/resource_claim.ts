import {
  type FieldError,
  getArray,
  getObject,
  getPath,
  getString,
  invalid,
  type JsonObject,
} from "../../../values/mod.ts";
import { type ClusterView, defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { DEVICE_CLAIM_QUOTA } from "./device_claim_quota.ts";
import { AGE, column, immutable, NAME, named } from "../shared/mod.ts";
import { allocatedAccess, requestedAccess } from "./admin_access.ts";
import { validateClaimStatus } from "./claim_status.ts";
import { validateDevices } from "./claim_validation.ts";
import { defaultDevices } from "./devices.ts";

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
    names: "subdomain",
    admit: admitClaim,
    admitsStatus: true,
    validatesAgain: false,
    validate: (claim, release) =>
      validateDevices(getObject(claim, "spec", "devices"), "spec.devices", release),
    validateChange: (next, old) => immutable(next, old, "spec"),
    validateStatus: validateClaimStatus,
    deletion: { returnsObject: true },
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

/** Refuses admin access to devices in a namespace that does not allow it. */
function admitClaim(
  claim: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): JsonObject {
  const devices = getObject(claim, "spec", "devices");
  let errors: FieldError[] = [];
  if (old === undefined) {
    errors = requestedAccess(devices, cluster);
    if (errors.length > 0) {
      errors.push(...validateDevices(devices, "spec.devices", cluster.release));
    }
  } else if (getPath(old, "status", "allocation") === undefined) {
    errors = allocatedAccess(claim, cluster);
    if (errors.length > 0) errors.push(...validateClaimStatus(claim, old, cluster.release));
  }
  if (errors.length === 0) return claim;
  const kind = { group: "resource.k8s.io", kind: "ResourceClaim" };
  throw invalid(kind, getString(claim, "metadata", "name"), errors);
}

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

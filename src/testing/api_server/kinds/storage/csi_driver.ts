import {
  child,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isNumber,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  withPath,
} from "../../../values/mod.ts";
import { AGE, column, fill, fillPointer, immutable, NAME, named, objects } from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** CSIDrivers. */
export const CSI_DRIVER: KindRecord = defineKind("storage.k8s.io/v1", "csidrivers", "CSIDriver", {
  namespaced: false,
  allowUnconditionalUpdate: false,
  defaults: defaultDriver,
  warnings: driverWarnings,
  prepareUpdate: countChange,
  validate: validateDriver,
  wholeFirst: true,
  validateChange: (next, old) => [
    // The real server calls the field so.
    ...immutable(next, old, "spec", "attachRequired").map((error) => ({
      ...error,
      field: "spec.attachedRequired",
    })),
    ...immutable(next, old, "spec", "volumeLifecycleModes"),
  ],
  names: "subdomain",
  deletion: { returnsObject: true },
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

/** Counts changes. A driver that was never changed has no generation. */
function countChange(next: JsonObject, old: JsonObject): JsonObject {
  if (jsonEqual(getOwn(next, "spec"), getOwn(old, "spec"))) return next;
  const generation = Number(getPath(old, "metadata", "generation") ?? 0);
  return withPath(next, ["metadata", "generation"], generation + 1);
}

function defaultDriver(driver: JsonObject, release: Release): void {
  const spec = getObject(driver, "spec");
  fill(spec, "attachRequired", true);
  fill(spec, "podInfoOnMount", false);
  fill(spec, "storageCapacity", false);
  fillPointer(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  if (getArray(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  fill(spec, "requiresRepublish", false);
  fill(spec, "seLinuxMount", false);
  if (release.isOn("VolumeLimitScaling")) fill(spec, "preventPodSchedulingIfMissing", false);
}

function driverWarnings(driver: JsonObject, old: JsonObject | undefined): string[] {
  const spec = getObject(driver, "spec");
  const requests = objects(spec, "tokenRequests");
  if (requests.length === 0 || getOwn(spec, "serviceAccountTokenInSecrets") !== undefined) {
    return [];
  }
  if (old !== undefined && jsonEqual(requests, objects(old, "spec", "tokenRequests"))) return [];
  return [
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  ];
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

const MIN_EXPIRATION_SECONDS = 10 * 60;
const MIN_PERIOD_SECONDS = 10;

function validateDriver(driver: JsonObject): FieldError[] {
  const spec = getObject(driver, "spec");
  const errors: FieldError[] = [];
  const policy = getString(spec, "fsGroupPolicy");
  const policies = ["File", "None", "ReadWriteOnceWithFSType"];
  if (!policies.includes(policy)) errors.push(notSupported("spec.fsGroupPolicy", policy, policies));
  const requests = objects(spec, "tokenRequests");
  const seen = new Set<string>();
  requests.forEach((request, index) => {
    const at = item("spec.tokenRequests", index);
    const audience = getString(request, "audience");
    if (seen.has(audience)) {
      errors.push(duplicate(child(at, "audience"), audience));
      return;
    }
    seen.add(audience);
    const seconds = getOwn(request, "expirationSeconds");
    if (isNumber(seconds) && seconds < MIN_EXPIRATION_SECONDS) {
      const reason = "may not specify a duration less than 10 minutes";
      errors.push(invalidValue(child(at, "expirationSeconds"), seconds, reason));
    }
    if (isNumber(seconds) && seconds > 2 ** 32) {
      const reason = "may not specify a duration larger than 2^32 seconds";
      errors.push(invalidValue(child(at, "expirationSeconds"), seconds, reason));
    }
  });
  const modes = ["Persistent", "Ephemeral"];
  for (const mode of getArray(spec, "volumeLifecycleModes").map(String)) {
    if (!modes.includes(mode)) errors.push(notSupported("spec.volumeLifecycleModes", mode, modes));
  }
  const period = getOwn(spec, "nodeAllocatableUpdatePeriodSeconds");
  if (isNumber(period) && period < MIN_PERIOD_SECONDS) {
    const reason = `must be greater than or equal to ${MIN_PERIOD_SECONDS} seconds`;
    errors.push(invalidValue("spec.nodeAllocatableUpdatePeriodSeconds", period, reason));
  }
  const inSecrets = getOwn(spec, "serviceAccountTokenInSecrets");
  if (inSecrets !== undefined && requests.length === 0) {
    const reason = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    errors.push(invalidValue("spec.serviceAccountTokenInSecrets", inSecrets, reason));
  }
  return errors;
}

import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getPath,
  item,
  type JsonObject,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";
import type { ClusterView } from "../record/mod.ts";

const LABEL = "resource.kubernetes.io/admin-access";

/** Returns the error of the first request for admin access, unless the namespace allows it. */
export function requestedAccess(devices: JsonObject, cluster: ClusterView): FieldError[] {
  return accessErrors(
    objects(devices, "requests").map((request) => getObject(request, "exactly")),
    "spec.devices.requests",
    cluster,
  );
}

/** Returns the error of the first device with admin access, unless the namespace allows it. */
export function allocatedAccess(claim: JsonObject, cluster: ClusterView): FieldError[] {
  const results = objects(getObject(claim, "status", "allocation", "devices"), "results");
  return accessErrors(results, "status.allocation.devices.results", cluster);
}

function accessErrors(
  list: readonly JsonObject[],
  field: string,
  cluster: ClusterView,
): FieldError[] {
  const index = list.findIndex((one) => getOwn(one, "adminAccess") === true);
  if (index < 0) return [];
  const namespace = cluster.get("namespaces", "", cluster.namespace);
  const labels = getObject(namespace ?? {}, "metadata", "labels");
  if (getPath(labels, LABEL) === "true") return [];
  const reason =
    `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;
  return [forbiddenField(child(item(field, index), "adminAccess"), reason)];
}

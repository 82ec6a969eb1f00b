import {
  dnsSubdomain,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import {
  amountErrors,
  immutable,
  nodeSelectorWarnings,
  validateLabelSelector,
} from "../shared/mod.ts";

/** CSIStorageCapacities. */
export const CSI_STORAGE_CAPACITY: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "csistoragecapacities",
  "CSIStorageCapacity",
  {
    allowUnconditionalUpdate: false,
    names: "subdomain",
    warnings: (one) => nodeSelectorWarnings(getObject(one, "nodeTopology"), "nodeTopology"),
    validate: validateCapacity,
    wholeFirst: true,
    validateChange: (next, old) => [
      ...immutable(next, old, "nodeTopology"),
      ...immutable(next, old, "storageClassName"),
    ],
  },
);

function validateCapacity(one: JsonObject): FieldError[] {
  const name = getString(one, "storageClassName");
  const topology = getOwn(one, "nodeTopology");
  return [
    ...(isObject(topology) ? validateLabelSelector(topology, "nodeTopology") : []),
    ...dnsSubdomain(name).map((text) => invalidValue("storageClassName", name, text)),
    ...amountErrors("", getString(one, "capacity") || "0", "capacity"),
  ];
}

import {
  dnsSubdomain,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
} from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { nodeSelectorWarnings } from "../validation/node_label_warnings.ts";
import { immutable } from "../validation/object_meta.ts";
import { amountErrors } from "../validation/resource_names.ts";
import { validateLabelSelector } from "../validation/label_selector.ts";

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

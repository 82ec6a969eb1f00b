import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";

/** CSIStorageCapacities. */
export const CSI_STORAGE_CAPACITY: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "csistoragecapacities",
  "CSIStorageCapacity",
  {
    allowUnconditionalUpdate: false,
    names: "subdomain",
  },
);

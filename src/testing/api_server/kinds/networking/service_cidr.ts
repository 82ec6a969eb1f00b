import { getArray } from "../../values/mod.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** ServiceCIDRs. */
export const SERVICE_CIDR: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "servicecidrs",
  "ServiceCIDR",
  {
    namespaced: false,
    subresources: [STATUS],
    names: "subdomain",
    table: {
      columns: [NAME, column("CIDRs"), AGE],
      row: named((one) => [getArray(one, "spec", "cidrs").join(",")]),
    },
  },
);

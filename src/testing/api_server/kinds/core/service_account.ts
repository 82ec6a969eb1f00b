import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, NAME } from "../table/column.ts";

/** ServiceAccounts. */
export const SERVICE_ACCOUNT: KindRecord = defineKind("v1", "serviceaccounts", "ServiceAccount", {
  shortNames: ["sa"],
  names: "subdomain",
  returnsDeleted: true,
  table: { columns: [NAME, AGE], row: named(() => []) },
});

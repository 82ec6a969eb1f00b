import { getObject } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, NAME } from "../table/column.ts";
import { defaultDevices } from "./devices.ts";

/** ResourceClaimTemplates. */
export const RESOURCE_CLAIM_TEMPLATE: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceclaimtemplates",
  "ResourceClaimTemplate",
  {
    defaults: (template) => defaultDevices(getObject(template, "spec", "spec", "devices")),
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [NAME, AGE],
      row: named(() => []),
    },
  },
);

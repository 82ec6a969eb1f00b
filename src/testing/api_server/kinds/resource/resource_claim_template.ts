import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  type JsonObject,
  withPath,
} from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, NAME } from "../table/column.ts";
import { immutable, validateLabels } from "../validation/object_meta.ts";
import { validateDevices } from "./claim_validation.ts";
import { defaultDevices, withoutTolerations } from "./devices.ts";

/** ResourceClaimTemplates. */
export const RESOURCE_CLAIM_TEMPLATE: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceclaimtemplates",
  "ResourceClaimTemplate",
  {
    defaults: (template) => defaultDevices(getObject(template, "spec", "spec", "devices")),
    prepareCreate: (template) =>
      withPath(
        template,
        ["spec", "spec", "devices"],
        withoutTolerations(getObject(template, "spec", "spec", "devices")),
      ),
    names: "subdomain",
    validatesAgain: false,
    validate: (template) => [
      ...metadataErrors(getObject(template, "spec", "metadata"), "spec.metadata"),
      ...validateDevices(getObject(template, "spec", "spec", "devices"), "spec.spec.devices"),
    ],
    validateChange: (next, old) => immutable(next, old, "spec"),
    returnsDeleted: true,
    table: {
      columns: [NAME, AGE],
      row: named(() => []),
    },
  },
);

/** Claims take their labels and annotations from the template, and nothing else. */
function metadataErrors(metadata: JsonObject, field: string): FieldError[] {
  const { annotations: _, labels: __, ...others } = metadata;
  return [
    ...validateLabels(getObject(metadata, "labels"), child(field, "labels")),
    ...Object.keys(others).map((name) => forbiddenField(child(field, name), "cannot be set")),
  ];
}

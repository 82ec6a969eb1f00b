import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  getString,
  invalid,
  type JsonObject,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { type ClusterView, defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, immutable, NAME, named, validateLabels } from "../shared/mod.ts";
import { requestedAccess } from "./admin_access.ts";
import { validateDevices } from "./claim_validation.ts";
import { defaultDevices } from "./devices.ts";

/** ResourceClaimTemplates. */
export const RESOURCE_CLAIM_TEMPLATE: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceclaimtemplates",
  "ResourceClaimTemplate",
  {
    defaults: (template) => defaultDevices(getObject(template, "spec", "spec", "devices")),
    names: "subdomain",
    admit: admitTemplate,
    validatesAgain: false,
    validate: validateTemplate,
    validateChange: (next, old) => immutable(next, old, "spec"),
    deletion: { returnsObject: true },
    table: {
      columns: [NAME, AGE],
      row: named(() => []),
    },
  },
);

function validateTemplate(template: JsonObject, release: Release): FieldError[] {
  return [
    ...metadataErrors(getObject(template, "spec", "metadata"), "spec.metadata"),
    ...validateDevices(
      getObject(template, "spec", "spec", "devices"),
      "spec.spec.devices",
      release,
    ),
  ];
}

/** Refuses a new template with admin access to devices in a namespace that does not allow it. */
function admitTemplate(
  template: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): JsonObject {
  if (old !== undefined) return template;
  const errors = requestedAccess(getObject(template, "spec", "spec", "devices"), cluster);
  if (errors.length === 0) return template;
  const kind = { group: "resource.k8s.io", kind: "ResourceClaimTemplate" };
  const name = getString(template, "metadata", "name");
  throw invalid(kind, name, [...errors, ...validateTemplate(template, cluster.release)]);
}

/** Claims take their labels and annotations from the template, and nothing else. */
function metadataErrors(metadata: JsonObject, field: string): FieldError[] {
  const { annotations: _, labels: __, ...others } = metadata;
  return [
    ...validateLabels(getObject(metadata, "labels"), child(field, "labels")),
    ...Object.keys(others).map((name) => forbiddenField(child(field, name), "cannot be set")),
  ];
}

import {
  type FieldError,
  getObject,
  getOwn,
  invalidValue,
  type JsonObject,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, isExtendedResource, NAME, named } from "../shared/mod.ts";
import { validateConfigs, validateSelectors } from "./claim_validation.ts";

/** DeviceClasses. */
export const DEVICE_CLASS: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "deviceclasses",
  "DeviceClass",
  {
    namespaced: false,
    counts: [["spec"]],
    names: "subdomain",
    validate: validateClass,
    deletion: { returnsObject: true },
    table: {
      columns: [NAME, AGE],
      row: named(() => []),
    },
  },
);

function validateClass(deviceClass: JsonObject): FieldError[] {
  const spec = getObject(deviceClass, "spec");
  const name = getOwn(spec, "extendedResourceName");
  const field = "spec.extendedResourceName";
  return [
    ...validateSelectors(spec, "spec"),
    ...validateConfigs(spec, "spec"),
    ...(typeof name !== "string" || isExtendedResource(name)
      ? []
      : [invalidValue(field, name, "must be a valid extended resource name")]),
  ];
}

import {
  forbiddenField,
  getArray,
  getObject,
  getString,
  jsonEqual,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, column, NAME, named, since } from "../shared/mod.ts";
import { parameterErrors, provisionerErrors } from "./shared_validation.ts";

/** VolumeAttributesClasses. */
export const VOLUME_ATTRIBUTES_CLASS: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "volumeattributesclasses",
  "VolumeAttributesClass",
  {
    namespaced: false,
    storedVersion: "v1beta1",
    shortNames: ["vac"],
    names: "subdomain",
    admit: (one, old) => old === undefined ? addProtection(one) : one,
    validate: (one) => [
      ...provisionerErrors(getString(one, "driverName"), "driverName"),
      ...parameterErrors(getObject(one, "parameters"), false),
    ],
    validateChange: (next, old) =>
      ["driverName", "parameters"].filter((name) => !jsonEqual(next[name], old[name]))
        .map((name) => forbiddenField(name, `updates to ${name} are forbidden.`)),
    deletion: { returnsObject: true },
    table: {
      columns: [
        NAME,
        since(
          column("DriverName", "Name of the CSI driver This field is immutable."),
          "1.37",
          "driverName is the name of the CSI driver This field is immutable.",
        ),
        AGE,
      ],
      row: named((one) => [getString(one, "driverName")]),
    },
  },
  { since: "1.36", storedVersion: "v1" },
);

const PROTECTION = "kubernetes.io/vac-protection";

/** Adds the finalizer that keeps a class in use. */
function addProtection(one: JsonObject): JsonObject {
  const finalizers = getArray(one, "metadata", "finalizers");
  if (finalizers.includes(PROTECTION)) return one;
  return withPath(one, ["metadata", "finalizers"], [...finalizers, PROTECTION]);
}

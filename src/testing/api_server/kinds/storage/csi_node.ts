import {
  child,
  duplicate,
  type FieldError,
  getArray,
  getPath,
  getString,
  invalidValue,
  item,
  jsonEqual,
  type JsonObject,
  qualifiedName,
  required,
} from "../../values/mod.ts";
import { driverErrors } from "../validation/driver_name.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";
import { internalJson } from "../internal/internal_json.ts";
import { NEGATIVE } from "../validation/object_meta.ts";

/** CSINodes. */
export const CSI_NODE: KindRecord = defineKind("storage.k8s.io/v1", "csinodes", "CSINode", {
  namespaced: false,
  allowUnconditionalUpdate: false,
  names: "subdomain",
  validatesMetaChange: false,
  validate: validateNode,
  validateChange: (next, old) => [...validateNode(next), ...validateDrivers(next, old)],
  validatesAgain: false,
  returnsDeleted: true,
  table: {
    columns: [
      NAME,
      column(
        "Drivers",
        "Drivers indicates the number of CSI drivers registered on the node",
        0,
        "integer",
      ),
      AGE,
    ],
    row: named((node) => [objects(node, "spec", "drivers").length]),
  },
});

/** A driver can come and go, but not change, except how many volumes it can attach. */
function validateDrivers(next: JsonObject, old: JsonObject): FieldError[] {
  const before = objects(old, "spec", "drivers");
  return objects(next, "spec", "drivers").flatMap((driver) => {
    const name = getString(driver, "name");
    const had = before.find((one) => getString(one, "name") === name);
    if (had === undefined || jsonEqual(fixedPart(driver), fixedPart(had))) return [];
    return [invalidValue("spec.drivers", internalJson(driver, "CSINodeDriver"), IMMUTABLE)];
  });
}

const IMMUTABLE = "field is immutable";

function fixedPart({ allocatable: _, ...driver }: JsonObject): JsonObject {
  return driver;
}

function validateNode(node: JsonObject): FieldError[] {
  const names = new Set<string>();
  return objects(node, "spec", "drivers").flatMap((driver, index) => {
    const field = item("spec.drivers", index);
    const name = getString(driver, "name");
    const errors = driverErrors(name, child(field, "name"));
    const id = getString(driver, "nodeID");
    if (id === "") errors.push(required(child(field, "nodeID")));
    const count = getPath(driver, "allocatable", "count");
    if (typeof count === "number" && count < 0) {
      errors.push(invalidValue(child(field, "allocatable.count"), count, NEGATIVE));
    }
    const keys = getArray(driver, "topologyKeys").map(String);
    keys.forEach((key, at) => {
      if (key === "") errors.push(required(field));
      if (keys.indexOf(key) < at) errors.push(duplicate(field, key));
      errors.push(...qualifiedName(key).map((text) => invalidValue(field, key, text)));
    });
    if (names.has(name)) errors.push(duplicate(child(field, "name"), name));
    names.add(name);
    return errors;
  });
}

import {
  byteLength,
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
} from "../../../values/mod.ts";
import { AGE, column, driverErrors, NAME, named, NEGATIVE, objects } from "../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";

/** CSINodes. */
export const CSI_NODE: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "csinodes",
  "CSINode",
  {
    namespaced: false,
    allowUnconditionalUpdate: false,
    names: "subdomain",
    validatesMetaChange: false,
    validate: validateNode,
    validateChange: (next, old) => [...validateNode(next), ...driverChanges(next, old)],
    wholeFirst: true,
    deletion: { returnsObject: true },
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
  },
  { since: "1.36", validatesAgain: false },
  {
    since: "1.37",
    subresources: [STATUS],
    statusKeeps: ["*"],
    gated: [{ gate: "CSIVolumeHealth", path: ["status", "storageHealth"] }],
  },
);

/** The longest ID of a node, which is what the CSI specification allows. */
const MAX_ID_BYTES = 256;

function validateNode(node: JsonObject): FieldError[] {
  const names = new Set<string>();
  return objects(node, "spec", "drivers").flatMap((driver, index) => {
    const field = item("spec.drivers", index);
    const name = getString(driver, "name");
    const errors = driverErrors(name, child(field, "name"));
    const id = getString(driver, "nodeID");
    if (id === "") errors.push(required(child(field, "nodeID")));
    if (byteLength(id) > MAX_ID_BYTES) {
      const reason = `must be ${MAX_ID_BYTES} characters or less`;
      errors.push(invalidValue(child(field, "nodeID"), id, reason));
    }
    const count = getPath(driver, "allocatable", "count");
    if (typeof count === "number" && count < 0) {
      errors.push(invalidValue(child(field, "allocatable.count"), count, NEGATIVE));
    }
    if (names.has(name)) errors.push(duplicate(child(field, "name"), name));
    const keys = getArray(driver, "topologyKeys").map(String);
    keys.forEach((key, at) => {
      if (key === "") errors.push(required(field));
      if (keys.indexOf(key) < at) errors.push(duplicate(field, key));
      errors.push(...qualifiedName(key).map((text) => invalidValue(field, key, text)));
    });
    names.add(name);
    return errors;
  });
}

/** Returns the error of a driver that stays on the node and has changed, except in how many volumes it can attach. */
function driverChanges(next: JsonObject, old: JsonObject): FieldError[] {
  return objects(next, "spec", "drivers").flatMap((driver) => {
    const before = objects(old, "spec", "drivers").find((one) =>
      getString(one, "name") === getString(driver, "name")
    );
    if (before === undefined || jsonEqual(fixedPart(driver), fixedPart(before))) return [];
    return [invalidValue("spec.drivers", fixedPart(driver), "field is immutable")];
  });
}

function fixedPart(driver: JsonObject): JsonObject {
  return { ...driver, allocatable: null };
}

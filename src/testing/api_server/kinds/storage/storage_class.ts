import {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  humanAge,
  invalidValue,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import {
  AGE,
  column,
  fillPointer,
  firstErrors,
  immutable,
  MOST_ERRORS,
  NAME,
  objects,
  oldNodeLabel,
} from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { parameterErrors, provisionerErrors } from "./shared_validation.ts";

/** StorageClasses. */
export const STORAGE_CLASS: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "storageclasses",
  "StorageClass",
  {
    namespaced: false,
    shortNames: ["sc"],
    defaults: (one) => {
      fillPointer(one, "reclaimPolicy", "Delete");
      fillPointer(one, "volumeBindingMode", "Immediate");
    },
    names: "subdomain",
    validate: validateClass,
    wholeFirst: true,
    validateChange: (next, old, release) =>
      ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"].flatMap((name) =>
        fixed(next, old, name, release)
      ),
    warnings: (one) =>
      objects(one, "allowedTopologies").flatMap((term, index) =>
        objects(term, "matchLabelExpressions").flatMap((expression, at) => {
          const list = `${item("allowedTopologies", index)}.matchLabelExpressions`;
          const text = oldNodeLabel(getString(expression, "key"));
          return text === undefined ? [] : [`${item(list, at)}.key: ${text}`];
        })
      ),
    deletion: { returnsObject: true },
    table: {
      columns: [
        NAME,
        column("Provisioner", "provisioner indicates the type of the provisioner."),
        column(
          "ReclaimPolicy",
          "reclaimPolicy controls the reclaimPolicy for dynamically provisioned PersistentVolumes of this storage class. Defaults to Delete.",
        ),
        column(
          "VolumeBindingMode",
          "volumeBindingMode indicates how PersistentVolumeClaims should be provisioned and bound.  When unset, VolumeBindingImmediate is used. This field is only honored by servers that enable the VolumeScheduling feature.",
        ),
        column(
          "AllowVolumeExpansion",
          "allowVolumeExpansion shows whether the storage class allow volume expand.",
        ),
        AGE,
      ],
      row: classRow,
    },
  },
);

const DEFAULT = "storageclass.kubernetes.io/is-default-class";

function classRow(one: JsonObject, nowMs: number): Json[] {
  const isDefault = getString(getObject(one, "metadata", "annotations"), DEFAULT) === "true";
  return [
    `${getString(one, "metadata", "name")}${isDefault ? " (default)" : ""}`,
    getString(one, "provisioner"),
    getString(one, "reclaimPolicy") || "Delete",
    getString(one, "volumeBindingMode") || "Immediate",
    getOwn(one, "allowVolumeExpansion") === true,
    humanAge(getString(one, "metadata", "creationTimestamp"), nowMs),
  ];
}

function fixed(
  next: JsonObject,
  old: JsonObject,
  name: string,
  release: Release,
): FieldError[] {
  if (name === "volumeBindingMode" || release.has({ since: "1.36" })) {
    return immutable(next, old, name);
  }
  const same = jsonEqual(getOwn(next, name) ?? null, getOwn(old, name) ?? null);
  return same ? [] : [forbiddenField(name, `updates to ${name} are forbidden.`)];
}

function validateClass(one: JsonObject): FieldError[] {
  const policy = getString(one, "reclaimPolicy");
  const policies = ["Delete", "Retain"];
  const mode = getString(one, "volumeBindingMode");
  const modes = ["Immediate", "WaitForFirstConsumer"];
  return [
    ...provisionerErrors(getString(one, "provisioner"), "provisioner"),
    ...parameterErrors(getObject(one, "parameters"), true),
    ...(policy !== "" && !policies.includes(policy)
      ? [notSupported("reclaimPolicy", policy, policies)]
      : []),
    ...(modes.includes(mode) ? [] : [notSupported("volumeBindingMode", mode, modes)]),
    ...validateTopologies(objects(one, "allowedTopologies")),
  ];
}

function validateTopologies(terms: readonly JsonObject[]): FieldError[] {
  // The real server compares each term with one empty term for each of all, too.
  const seen = new Map([["[]", terms.length]]);
  return firstErrors(terms, (term, index) => {
    const list = child(item("allowedTopologies", index), "matchLabelExpressions");
    const expressions = objects(term, "matchLabelExpressions");
    const errors = expressions.flatMap((one, at) => validateExpression(one, item(list, at)));
    const keys = new Set<string>();
    expressions.forEach((one, at) => {
      const key = getString(one, "key");
      if (keys.has(key)) errors.push(duplicate(child(item(list, at), "key"), key));
      keys.add(key);
    });
    const text = termText(expressions);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    const repeated = new Array<FieldError>(Math.min(times, MOST_ERRORS)).fill(duplicate(list, ""));
    return [...errors, ...repeated];
  });
}

/** Returns a text that is equal for terms with the same keys and values in any order. */
function termText(expressions: readonly JsonObject[]): string {
  const values = new Map(
    expressions.map((
      one,
    ) => [getString(one, "key"), [...new Set(getArray(one, "values").map(String))].sort()]),
  );
  return JSON.stringify([...values].sort());
}

function validateExpression(one: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const values = getArray(one, "values").map(String);
  if (values.length === 0) errors.push(required(child(field, "values")));
  values.forEach((value, index) => {
    if (values.indexOf(value) === index) return;
    errors.push(duplicate(item(child(field, "values"), index), value));
  });
  const key = getString(one, "key");
  return [
    ...errors,
    ...qualifiedName(key).map((text) => invalidValue(child(field, "key"), key, text)),
  ];
}

import {
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  jsonEqual,
  type JsonObject,
  qualifiedName,
  withPath,
} from "../../../values/mod.ts";
import { AGE, column, fill, NAME, named, validateFinalizerName } from "../shared/mod.ts";
import { at, defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { podSecurityLabelErrors, warnOfPresentPods } from "./pod_security/mod.ts";

/** Namespaces. */
export const NAMESPACE: KindRecord = defineKind("v1", "namespaces", "Namespace", {
  namespaced: false,
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: [{ name: "finalize", verbs: ["update"], hasTable: false }, STATUS],
  defaults: defaultNamespace,
  prepareCreate,
  // Only the subresource writes the finalizers, which are all that the spec has.
  prepareUpdate: (next, old) => withPath(next, ["spec"], getOwn(old, "spec")),
  parts: {
    finalize: {
      prepare: (next, old) => withPath(next, ["status"], getOwn(old, "status")),
      validate: (next) =>
        getArray(next, "spec", "finalizers").flatMap((finalizer, index) =>
          finalizerErrors(String(finalizer), item("spec.finalizers", index))
        ),
    },
  },
  names: "label",
  confirm: warnOfPresentPods,
  validate: validateNamespace,
  validateCreate: podSecurityLabelErrors,
  validateChange: (next, old) => {
    const errors = podSecurityLabelErrors(next);
    return jsonEqual(shown(errors), shown(podSecurityLabelErrors(old))) ? [] : errors;
  },
  validateStatus: validateNamespaceStatus,
  isNamespace: true,
  deletion: {
    mode: "namespace",
    undeletable: {
      names: ["default", "kube-system", "kube-public"],
      why: "this namespace may not be deleted",
      onlyByName: false,
    },
  },
  fields: { "status.phase": at("status", "phase") },
  table: {
    columns: [NAME, column("Status", "The status of the namespace"), AGE],
    row: named((namespace) => [getString(namespace, "status", "phase")]),
  },
});

function shown(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, message }) => `${field} ${message}`);
}

function defaultNamespace(namespace: JsonObject): void {
  const metadata = getObject(namespace, "metadata");
  const name = getString(metadata, "name");
  if (name !== "") {
    metadata["labels"] = { ...getObject(metadata, "labels"), "kubernetes.io/metadata.name": name };
  }
  fill(getObject(namespace, "status"), "phase", "Active");
}

function prepareCreate(namespace: JsonObject): JsonObject {
  const finalizers = getArray(namespace, "spec", "finalizers");
  const all = finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"];
  const name = getString(namespace, "metadata", "name");
  const labels = {
    ...getObject(namespace, "metadata", "labels"),
    "kubernetes.io/metadata.name": name,
  };
  return {
    ...withPath(namespace, ["metadata", "labels"], labels),
    spec: { finalizers: all },
    status: { phase: "Active" },
  };
}

/** Returns the validation errors of a Namespace apart from its metadata. */
function validateNamespace(namespace: JsonObject): FieldError[] {
  return getArray(namespace, "spec", "finalizers").flatMap((finalizer) =>
    finalizerErrors(String(finalizer), "spec.finalizers")
  );
}

function finalizerErrors(name: string, field: string): FieldError[] {
  const wrong = qualifiedName(name).map((text) => invalidValue(field, name, text));
  return [...wrong, ...validateFinalizerName(name, field)];
}

/** Returns the validation errors of the status of a Namespace: the phase must agree with `deletionTimestamp`. */
function validateNamespaceStatus(namespace: JsonObject): FieldError[] {
  const phase = getString(namespace, "status", "phase");
  const [wanted, state] = getString(namespace, "metadata", "deletionTimestamp") === ""
    ? ["Active", "empty"]
    : ["Terminating", "not empty"];
  if (phase === wanted) return [];
  const why = `may only be '${wanted}' if \`deletionTimestamp\` is ${state}`;
  return [invalidValue("status.Phase", phase, why)];
}

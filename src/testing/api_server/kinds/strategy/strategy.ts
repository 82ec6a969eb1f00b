import type { KubeObject } from "@kubeloop/controller/types";
import { objects } from "../defaults/pod_defaults.ts";
import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
  withPath,
} from "../../values/mod.ts";
import { canonical, type KindInfo, sortKeys } from "../../schema/mod.ts";
import { type KindStrategy, strategyOf } from "./kind_strategy.ts";
import { prepareJob } from "./job.ts";
import { podQosClass } from "./pod_qos.ts";
import { prepareServiceUpdate } from "./service.ts";

/** The parts of a strategy that decide which requests are allowed. */
export type Capabilities = Pick<
  KindStrategy,
  "allowCreateOnUpdate" | "allowUnconditionalUpdate" | "hasStatus"
>;

/** Returns the capabilities of `kind`. */
export function capabilities(kind: KindInfo): Capabilities {
  return strategyOf(kind);
}

/**
 * Prepares a new object for storage. Resets the status, sets the generation, and sets the fields that depend on the
 * name and the UID, which must be set.
 */
export function prepareForCreate(kind: KindInfo, object: KubeObject): KubeObject {
  const { hasStatus, counts } = strategyOf(kind);
  let result = object as unknown as JsonObject;
  for (const name of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]) {
    if (getPath(result, "metadata", name) !== undefined) {
      result = withPath(result, ["metadata", name], undefined);
    }
  }
  if (counts) result = withPath(result, ["metadata", "generation"], 1);
  if (hasStatus && keepsNoStatus(kind)) result = withPath(result, ["status"], undefined);
  result = prepareOwn(kind, result);
  return stored(kind, result);
}

/** Reports whether a create drops the status. A Node keeps the status that its kubelet sets. */
function keepsNoStatus(kind: KindInfo): boolean {
  return !(kind.group === "" && kind.kind === "Node");
}

function prepareOwn(kind: KindInfo, object: JsonObject): JsonObject {
  switch (`${kind.group}/${kind.kind}`) {
    case "/Pod": {
      const status = { phase: "Pending", qosClass: podQosClass(getObject(object, "spec")) };
      return withPath(object, ["status"], status);
    }
    case "/Namespace": {
      const finalizers = getArray(object, "spec", "finalizers");
      const all = finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"];
      const name = getString(object, "metadata", "name");
      const labels = {
        ...getObject(object, "metadata", "labels"),
        "kubernetes.io/metadata.name": name,
      };
      return {
        ...withPath(object, ["metadata", "labels"], labels),
        spec: { finalizers: all },
        status: { phase: "Active" },
      };
    }
    case "batch/Job":
      return prepareJob(object);
    case "coordination.k8s.io/Lease":
      return dropGated(object);
    case "apiextensions.k8s.io/CustomResourceDefinition":
      return addStoredVersion(object);
    default:
      return object;
  }
}

/** Removes the Lease fields of coordinated leader election, a feature gate that is off by default. */
function dropGated(lease: JsonObject): JsonObject {
  const gated = ["strategy", "preferredHolder"];
  return gated.reduce((rest, name) => withPath(rest, ["spec", name], undefined), lease);
}

function addStoredVersion(crd: JsonObject): JsonObject {
  const storage = objects(crd, "spec", "versions").find((version) => version["storage"] === true);
  const name = storage === undefined ? "" : getString(storage, "name");
  const versions = getArray(crd, "status", "storedVersions");
  if (name === "" || versions.includes(name)) return crd;
  return withPath(crd, ["status", "storedVersions"], [...versions, name]);
}

/**
 * Prepares an updated object for storage. Takes from `next` only the fields that the request may write, and keeps the
 * system metadata of `old`.
 *
 * @param next The object that the request writes, with managed fields.
 * @param old The current object.
 * @param subresource The subresource that the request writes: `status`, `finalize`, or empty for the object itself.
 */
export function prepareForUpdate(
  kind: KindInfo,
  next: KubeObject,
  old: KubeObject,
  subresource = "",
): KubeObject {
  const before = old as unknown as JsonObject;
  let result = keepSystemMetadata(next as unknown as JsonObject, before);
  const strategy = strategyOf(kind);
  if (kind.group === "coordination.k8s.io") result = dropGated(result);
  if (subresource === "status") result = takeStatus(kind, strategy, result, before);
  else if (strategy.hasStatus) result = withPath(result, ["status"], getOwn(before, "status"));
  if (kind.group === "" && kind.kind === "Namespace") {
    const own = subresource === "finalize" ? result : before;
    result = withPath(result, ["spec"], getOwn(own, "spec"));
  }
  if (subresource === "" && kind.kind === "CustomResourceDefinition") {
    result = addStoredVersion(result);
  }
  if (subresource === "" && kind.group === "" && kind.kind === "Service") {
    result = prepareServiceUpdate(result, before);
  }
  if (strategy.counts && subresource !== "status" && changes(kind, result, before)) {
    const generation = getPath(before, "metadata", "generation");
    const count = typeof generation === "number" ? generation : 0;
    result = withPath(result, ["metadata", "generation"], count + 1);
  }
  return stored(kind, result);
}

function keepSystemMetadata(next: JsonObject, old: JsonObject): JsonObject {
  const metadata: JsonObject = { ...getObject(next, "metadata") };
  const before = getObject(old, "metadata");
  delete metadata["selfLink"];
  for (const name of ["generation", "creationTimestamp"]) {
    const value = getOwn(before, name);
    if (value === undefined) delete metadata[name];
    else metadata[name] = value;
  }
  if (!getString(metadata, "uid") && before["uid"] !== undefined) metadata["uid"] = before["uid"];
  if (before["deletionTimestamp"] !== undefined) {
    metadata["deletionTimestamp"] = before["deletionTimestamp"];
  }
  const grace = before["deletionGracePeriodSeconds"];
  if (grace !== undefined && metadata["deletionGracePeriodSeconds"] === undefined) {
    metadata["deletionGracePeriodSeconds"] = grace;
  }
  return { ...next, metadata };
}

/** Applies a write to the status subresource. Takes the status from `next`, and the metadata that the kind allows. */
function takeStatus(
  kind: KindInfo,
  { statusKeeps }: KindStrategy,
  next: JsonObject,
  old: JsonObject,
): JsonObject {
  const wanted = getObject(next, "metadata");
  let metadata: JsonObject = { ...wanted };
  if (statusKeeps.includes("*")) {
    metadata = { ...getObject(old, "metadata") };
    const managed = getOwn(wanted, "managedFields");
    if (managed === undefined) delete metadata["managedFields"];
    else metadata["managedFields"] = managed;
  } else {
    for (const name of statusKeeps) {
      const value = getPath(old, "metadata", name);
      if (value === undefined) delete metadata[name];
      else metadata[name] = value;
    }
  }
  const result: JsonObject = { ...(kind.custom === undefined ? next : old), metadata };
  if (kind.custom === undefined) {
    if (getOwn(old, "spec") !== undefined) result["spec"] = getOwn(old, "spec")!;
  }
  const status = getOwn(next, "status");
  if (status === undefined) delete result["status"];
  else result["status"] = status;
  if (
    kind.kind === "Pod" && kind.custom === undefined && !getString(result, "status", "qosClass")
  ) {
    const qosClass = getPath(old, "status", "qosClass");
    if (qosClass !== undefined) return withPath(result, ["status", "qosClass"], qosClass);
  }
  return result;
}

/** Reports whether an update changes the desired state, so that the generation increases. */
function changes(kind: KindInfo, next: JsonObject, old: JsonObject): boolean {
  if (kind.custom !== undefined) return !jsonEqual(withoutMetadata(next), withoutMetadata(old));
  const desired = kind.group === "admissionregistration.k8s.io" ? "webhooks" : "spec";
  if (!jsonEqual(getOwn(next, desired), getOwn(old, desired))) return true;
  // The Deployment controller copies annotations to the ReplicaSets, so a change of annotations counts too.
  return kind.kind === "Deployment" &&
    !jsonEqual(
      getObject(next, "metadata", "annotations"),
      getObject(old, "metadata", "annotations"),
    );
}

function withoutMetadata(object: JsonObject): JsonObject {
  const rest: JsonObject = { ...object };
  delete rest["metadata"];
  return rest;
}

/** Returns an object in its storage format. */
function stored(kind: KindInfo, object: JsonObject): KubeObject {
  if (kind.custom === undefined) return canonical(object, kind.schema) as unknown as KubeObject;
  const metadata = getOwn(object, "metadata");
  const sorted = isObject(metadata) ? { ...object, metadata: sortKeys(metadata) } : object;
  return sortKeys(sorted) as unknown as KubeObject;
}

/**
 * Reports whether an update changes nothing, apart from the resource version and the timestamps in managed fields. Such
 * an update is not written, so that the resource version stays the same.
 */
export function isNoop(next: KubeObject, old: KubeObject): boolean {
  return jsonEqual(comparable(next), comparable(old));
}

function comparable(object: KubeObject): JsonObject {
  const json = object as unknown as JsonObject;
  const metadata: JsonObject = { ...getObject(json, "metadata") };
  delete metadata["resourceVersion"];
  if (Array.isArray(metadata["managedFields"])) {
    metadata["managedFields"] = metadata["managedFields"].map((entry: Json) => {
      if (!isObject(entry)) return entry;
      const copy: JsonObject = { ...entry };
      delete copy["time"];
      return copy;
    });
  }
  return { ...json, metadata };
}

export { admit } from "./admission.ts";

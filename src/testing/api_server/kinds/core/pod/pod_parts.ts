import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  item,
  jsonEqual,
  type JsonObject,
  withPath,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import type { KindPart } from "../../record/mod.ts";
import { podQosClass } from "./pod_qos.ts";
import { validatePod } from "./pod_validation.ts";

const MIRROR = "kubernetes.io/config.mirror";

const LISTS = ["containers", "initContainers"] as const;

/** The `ephemeralcontainers` subresource: adds containers for debugging. */
export const EPHEMERAL_CONTAINERS: KindPart = {
  prepare: (next, old) => {
    const containers = getPath(next, "spec", "ephemeralContainers");
    return withPath(onlySpec(next, old), ["spec", "ephemeralContainers"], containers);
  },
  validate: (next, old, release) =>
    isMirror(old)
      ? [forbiddenField("[]", "static pods do not support ephemeral containers")]
      : [...validatePod(next, release), ...changedEphemeralContainers(next, old)],
};

/** The `resize` subresource: changes CPU and memory of containers. */
export const RESIZE: KindPart = {
  prepare: (next, old) => {
    // Validation refuses other containers.
    if (orderErrors(next, old).length > 0) return next;
    return LISTS.reduce((pod, list) => {
      const before = objects(old, "spec", list);
      if (before.length === 0) return pod;
      const after = objects(next, "spec", list);
      return withPath(pod, ["spec", list], before.map((one, index) => resized(after[index]!, one)));
    }, onlySpec(next, old));
  },
  validate: (next, old, release) => {
    if (isMirror(old)) return [forbiddenField("[]", "static pods cannot be resized")];
    if (getPath(old, "spec", "os", "name") === "windows") {
      return [forbiddenField("[]", "windows pods cannot be resized")];
    }
    return [...validatePod(next, release), ...resizeErrors(next, old)];
  },
};

/** Returns the stored Pod with the managed fields of the request. */
function onlySpec(next: JsonObject, old: JsonObject): JsonObject {
  return withPath(old, ["metadata", "managedFields"], getPath(next, "metadata", "managedFields"));
}

function isMirror(pod: JsonObject): boolean {
  return Object.hasOwn(getObject(pod, "metadata", "annotations"), MIRROR);
}

function changedEphemeralContainers(next: JsonObject, old: JsonObject): FieldError[] {
  const field = "spec.ephemeralContainers";
  const after = objects(next, "spec", "ephemeralContainers");
  return objects(old, "spec", "ephemeralContainers").flatMap((container) => {
    const name = getString(container, "name");
    const found = after.find((one) => getString(one, "name") === name);
    const which = `existing ephemeral containers ${JSON.stringify(name)}`;
    if (found === undefined) return [forbiddenField(field, `${which} may not be removed\n`)];
    if (jsonEqual(found, container)) return [];
    return [forbiddenField(field, `${which} may not be changed`)];
  });
}

function resized(next: JsonObject, old: JsonObject): JsonObject {
  return ["resources", "resizePolicy"].reduce(
    (container, name) => withPath(container, [name], getOwn(next, name)),
    old,
  );
}

function orderErrors(next: JsonObject, old: JsonObject): FieldError[] {
  return LISTS.flatMap((list) => {
    const field = `spec.${list}`;
    const [after, before] = [next, old].map((pod) => objects(pod, "spec", list)) as [
      JsonObject[],
      JsonObject[],
    ];
    if (after.length !== before.length) {
      return [forbiddenField(field, `${list} may not be added or removed on resize`)];
    }
    return before.flatMap((container, index) =>
      getString(container, "name") === getString(after[index]!, "name") ? [] : [
        forbiddenField(
          child(item(field, index), "name"),
          `${list} may not be renamed or reordered on resize`,
        ),
      ]
    );
  });
}

function resizeErrors(next: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const qosClass = getString(old, "status", "qosClass");
  if (qosClass !== podQosClass(getObject(next, "spec"))) {
    const text = "Pod QOS Class may not change as a result of resizing";
    errors.push(invalidValue("spec", qosClass, text));
  }
  if (!supportsResize(old)) {
    errors.push(forbiddenField("spec", "Pod running on node without support for resize"));
  }
  const order = orderErrors(next, old);
  if (order.length > 0) return [...errors, ...order];
  const pairs = (list: string) => {
    const after = objects(next, "spec", list);
    return objects(old, "spec", list).map((before, index) => ({
      before,
      after: after[index]!,
      field: child(item(`spec.${list}`, index), "resources"),
    }));
  };
  const sidecars = pairs("initContainers").filter(({ before }) => isSidecar(before));
  for (const { before, after, field } of [...sidecars, ...pairs("containers")]) {
    for (const list of ["requests", "limits"]) {
      if (!lost(getObject(before, "resources", list), getObject(after, "resources", list))) {
        continue;
      }
      errors.push(forbiddenField(child(field, list), `resource ${list} cannot be removed`));
    }
  }
  for (const { before, after } of pairs("containers")) {
    if (!changesMore(after, before)) continue;
    errors.push(forbiddenField("spec", "only cpu and memory resources are mutable"));
  }
  for (const { before, after } of pairs("initContainers")) {
    const sidecar = isSidecar(before);
    if (sidecar ? !changesMore(after, before) : jsonEqual(after, before)) continue;
    const text = sidecar
      ? "only cpu and memory resources for sidecar containers are mutable"
      : "resources for non-sidecar init containers are immutable";
    errors.push(forbiddenField("spec", text));
  }
  return errors;
}

function isSidecar(container: JsonObject): boolean {
  return getString(container, "restartPolicy") === "Always";
}

/** Whether the kubelet reports resources of the first container that runs, as one does that can change them. */
function supportsResize(pod: JsonObject): boolean {
  const running = objects(pod, "status", "containerStatuses").find((one) =>
    isObject(getPath(one, "state", "running"))
  );
  return running === undefined || isObject(getOwn(running, "resources"));
}

function lost(before: JsonObject, after: JsonObject): boolean {
  return Object.keys(before).some((name) => !Object.hasOwn(after, name));
}

/** Whether anything but the amounts of CPU and memory differs. */
function changesMore(next: JsonObject, old: JsonObject): boolean {
  const same = ["requests", "limits"].reduce((container, list) => {
    const amounts = { ...getObject(container, "resources", list) };
    const before = getObject(old, "resources", list);
    for (const name of ["cpu", "memory"]) {
      const value = getOwn(before, name);
      if (value === undefined) delete amounts[name];
      else amounts[name] = value;
    }
    const empty = Object.keys(amounts).length === 0 &&
      getPath(old, "resources", list) === undefined;
    return withPath(container, ["resources", list], empty ? undefined : amounts);
  }, next);
  return !jsonEqual(same, old);
}

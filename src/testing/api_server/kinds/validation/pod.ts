import {
  child,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isLegacyIpAddress,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  NO_IP_ADDRESS,
  notSupported,
  qualifiedName,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { validateContainer } from "./container.ts";
import { forbidHandlers, validateHandlers } from "./handlers.ts";
import { immutable, validateLabels } from "./object_meta.ts";
import { validateVolumes } from "./volumes.ts";

const MAX_INT32 = 2_147_483_647;

const UNCHANGEABLE =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** Returns the validation errors of a Pod, except those of its metadata. */
export function validatePod(pod: JsonObject): FieldError[] {
  const spec = getObject(pod, "spec");
  return [
    ...validatePodSpec(spec, "spec"),
    ...validateImageSpaces(spec),
    ...(getArray(spec, "ephemeralContainers").length === 0
      ? []
      : [forbiddenField("spec.ephemeralContainers", "cannot be set on create")]),
  ];
}

/** Returns an error for each image with surrounding whitespace. Only Pods are checked for these, not Pod templates. */
function validateImageSpaces(spec: JsonObject): FieldError[] {
  return ["initContainers", "containers"].flatMap((list) =>
    objects(spec, list).flatMap((container, index) => {
      const image = getString(container, "image");
      if (image === "" || image === image.trim()) return [];
      const field = child(item(child("spec", list), index), "image");
      return [invalidValue(field, image, "must not have leading or trailing whitespace")];
    })
  );
}

/** Returns the validation errors of the spec of a Pod or a Pod template. */
export function validatePodSpec(spec: JsonObject, field: string): FieldError[] {
  const errors = validateVolumes(objects(spec, "volumes"), child(field, "volumes"));
  const volumes = new Set(objects(spec, "volumes").map((volume) => getString(volume, "name")));
  const containers = objects(spec, "containers");
  if (containers.length === 0) errors.push(required(child(field, "containers")));
  const names = new Set<string>();
  for (const list of ["containers", "initContainers"]) {
    objects(spec, list).forEach((container, index) => {
      const at = item(child(field, list), index);
      errors.push(...validateContainer(container, at, volumes));
      const name = getString(container, "name");
      if (name !== "" && names.has(name)) errors.push(duplicate(child(at, "name"), name));
      names.add(name);
      const ends = list === "initContainers" && getString(container, "restartPolicy") !== "Always";
      errors.push(...(ends ? forbidHandlers(container, at) : validateHandlers(container, at)));
    });
  }
  if (spec["hostNetwork"] === true) errors.push(...validateHostPorts(spec, field));
  const choices: readonly (readonly [string, readonly string[]])[] = [
    ["restartPolicy", ["Always", "OnFailure", "Never"]],
    ["dnsPolicy", ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]],
  ];
  for (const [name, known] of choices) {
    const value = getString(spec, name);
    if (!known.includes(value)) errors.push(notSupported(child(field, name), value, known));
  }
  errors.push(...validateLabels(getObject(spec, "nodeSelector"), child(field, "nodeSelector")));
  errors.push(...validateSecurity(spec, field));
  if (getString(spec, "dnsPolicy") === "None" && !isObject(getOwn(spec, "dnsConfig"))) {
    const text = "must provide `dnsConfig` when `dnsPolicy` is None";
    errors.push(required(child(field, "dnsConfig"), text));
  }
  objects(spec, "readinessGates").forEach((gate, index) => {
    const type = getString(gate, "conditionType");
    const at = child(item(child(field, "readinessGates"), index), "conditionType");
    errors.push(...qualifiedName(type).map((text) => invalidValue(at, type, text)));
  });
  for (const name of ["serviceAccountName", "nodeName"]) {
    const value = getString(spec, name);
    if (value === "") continue;
    errors.push(
      ...dnsSubdomain(value).map((text) => invalidValue(child(field, name), value, text)),
    );
  }
  const deadline = getOwn(spec, "activeDeadlineSeconds");
  if (typeof deadline === "number" && (deadline < 1 || deadline > MAX_INT32)) {
    errors.push(
      invalidValue(
        child(field, "activeDeadlineSeconds"),
        deadline,
        `must be between 1 and ${MAX_INT32}, inclusive`,
      ),
    );
  }
  for (const name of ["hostname", "subdomain"]) {
    const value = getString(spec, name);
    if (value === "") continue;
    errors.push(...dnsLabel(value).map((text) => invalidValue(child(field, name), value, text)));
  }
  errors.push(...validateTolerations(objects(spec, "tolerations"), child(field, "tolerations")));
  errors.push(...validateSpread(spec, child(field, "topologySpreadConstraints")));
  errors.push(...validateHostAliases(objects(spec, "hostAliases"), child(field, "hostAliases")));
  return errors;
}

/** Returns the errors of the user and group IDs of a Pod, and of its process namespace. */
function validateSecurity(spec: JsonObject, field: string): FieldError[] {
  const context = getObject(spec, "securityContext");
  const at = child(field, "securityContext");
  const errors: FieldError[] = [];
  const check = (value: Json | undefined, where: string) => {
    if (typeof value !== "number" || (value >= 0 && value <= MAX_INT32)) return;
    errors.push(invalidValue(where, value, `must be between 0 and ${MAX_INT32}, inclusive`));
  };
  for (const name of ["fsGroup", "runAsUser", "runAsGroup"]) {
    check(getOwn(context, name), child(at, name));
  }
  getArray(context, "supplementalGroups").forEach((group, index) =>
    check(group, item(child(at, "supplementalGroups"), index))
  );
  if (getOwn(spec, "shareProcessNamespace") === true && getOwn(spec, "hostPID") === true) {
    const text = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.push(invalidValue(child(at, "shareProcessNamespace"), true, text));
  }
  return errors;
}

function validateHostAliases(aliases: readonly JsonObject[], field: string): FieldError[] {
  return aliases.flatMap((alias, index) => {
    const at = item(field, index);
    const ip = getString(alias, "ip");
    const errors = isLegacyIpAddress(ip) ? [] : [invalidValue(child(at, "ip"), ip, NO_IP_ADDRESS)];
    getArray(alias, "hostnames").map(String).forEach((name, position) => {
      const where = item(child(at, "hostnames"), position);
      errors.push(...dnsSubdomain(name).map((text) => invalidValue(where, name, text)));
    });
    return errors;
  });
}

/** Returns an error for each port whose `hostPort` differs from its `containerPort`, for a Pod with `hostNetwork`. */
function validateHostPorts(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ["containers", "initContainers"]) {
    objects(spec, list).forEach((container, index) => {
      objects(container, "ports").forEach((port, at) => {
        const hostPort = getOwn(port, "hostPort") ?? 0;
        if (hostPort === getOwn(port, "containerPort")) return;
        const where = item(child(item(child(field, list), index), "ports"), at);
        const why = "must match `containerPort` when `hostNetwork` is true";
        errors.push(invalidValue(child(where, "hostPort"), hostPort, why));
      });
    });
  }
  return errors;
}

function validateSpread(spec: JsonObject, field: string): FieldError[] {
  return objects(spec, "topologySpreadConstraints").flatMap((constraint, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const skew = getOwn(constraint, "maxSkew") ?? 0;
    if (typeof skew === "number" && skew <= 0) {
      errors.push(invalidValue(child(at, "maxSkew"), skew, "must be greater than zero"));
    }
    if (getString(constraint, "topologyKey") === "") {
      errors.push(required(child(at, "topologyKey"), "can not be empty"));
    }
    const action = getString(constraint, "whenUnsatisfiable");
    const known = ["DoNotSchedule", "ScheduleAnyway"];
    if (!known.includes(action)) {
      errors.push(notSupported(child(at, "whenUnsatisfiable"), action, known));
    }
    return errors;
  });
}

/** Returns the errors of tolerations. */
export function validateTolerations(
  tolerations: readonly JsonObject[],
  field: string,
): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const key = getString(toleration, "key");
    const operator = getString(toleration, "operator");
    const value = getString(toleration, "value");
    const effect = getString(toleration, "effect");
    if (key !== "") {
      errors.push(...qualifiedName(key).map((text) => invalidValue(child(at, "key"), key, text)));
    } else if (operator !== "Exists") {
      errors.push(
        invalidValue(
          child(at, "operator"),
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    }
    if (getOwn(toleration, "tolerationSeconds") !== undefined && effect !== "NoExecute") {
      errors.push(
        invalidValue(
          child(at, "effect"),
          effect,
          "effect must be 'NoExecute' when `tolerationSeconds` is set",
        ),
      );
    }
    if (operator === "Exists" && value !== "") {
      errors.push(
        invalidValue(
          child(at, "operator"),
          value,
          "value must be empty when `operator` is 'Exists'",
        ),
      );
    }
    if (!["", "Equal", "Exists"].includes(operator)) {
      errors.push(notSupported(child(at, "operator"), operator, ["Equal", "Exists"]));
    }
    const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if (effect !== "" && !effects.includes(effect)) {
      errors.push(notSupported(child(at, "effect"), effect, effects));
    }
    return errors;
  });
}

/** Returns the validation errors of an update to a Pod. Most fields of the spec are immutable. */
export function validatePodSpecUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const spec = getObject(next, "spec");
  const before = getObject(old, "spec");
  const errors: FieldError[] = [];
  for (const list of ["containers", "initContainers"]) {
    const field = child("spec", list);
    const now = objects(spec, list);
    const then = objects(before, list);
    if (now.length !== then.length) {
      errors.push(forbiddenField(field, "pod updates may not add or remove containers"));
      return errors;
    }
    now.forEach((container, index) => {
      const image = getString(container, "image");
      const at = child(item(field, index), "image");
      if (image === "") errors.push(required(at));
      else if (image !== image.trim()) {
        errors.push(invalidValue(at, image, "must not have leading or trailing whitespace"));
      }
    });
  }
  errors.push(...validateDeadlineUpdate(spec, before));
  const now = objects(spec, "tolerations");
  const lost = objects(before, "tolerations").some((one) =>
    !now.some((kept) => sameToleration(kept, one))
  );
  if (lost) {
    errors.push(
      forbiddenField(
        "spec.tolerations",
        "existing toleration can not be modified except its tolerationSeconds",
      ),
    );
  }
  if (!jsonEqual(comparable(spec, before), before)) {
    errors.push(forbiddenField("spec", UNCHANGEABLE));
  }
  return errors;
}

function sameToleration(a: JsonObject, b: JsonObject): boolean {
  return ["key", "operator", "value", "effect"].every((name) =>
    getString(a, name) === getString(b, name)
  );
}

function validateDeadlineUpdate(spec: JsonObject, before: JsonObject): FieldError[] {
  const field = "spec.activeDeadlineSeconds";
  const now = getOwn(spec, "activeDeadlineSeconds");
  const then = getOwn(before, "activeDeadlineSeconds");
  if (typeof then !== "number") return [];
  if (typeof now !== "number") {
    return [
      invalidValue(field, null, "must not update from a positive integer to nil value"),
    ];
  }
  if (now <= then) return [];
  return [invalidValue(field, now, "must be less than or equal to previous value")];
}

/** Returns the new spec with the old values of all mutable fields. The result of a valid update equals the old spec. */
function comparable(spec: JsonObject, before: JsonObject): JsonObject {
  const result: JsonObject = { ...spec };
  for (const list of ["containers", "initContainers"]) {
    const now = getOwn(spec, list);
    if (!Array.isArray(now)) continue;
    const then = objects(before, list);
    result[list] = now.map((container: Json, index) => {
      if (!isObject(container)) return container;
      const image = getOwn(then[index] ?? {}, "image");
      const copy: JsonObject = { ...container };
      if (image === undefined) delete copy["image"];
      else copy["image"] = image;
      return copy;
    });
  }
  for (const name of ["activeDeadlineSeconds", "tolerations", "schedulingGates"]) {
    const value = getOwn(before, name);
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  const grace = getOwn(before, "terminationGracePeriodSeconds");
  if (typeof grace === "number" && grace < 0 && result["terminationGracePeriodSeconds"] === 1) {
    result["terminationGracePeriodSeconds"] = grace;
  }
  return result;
}

/** Returns the validation errors of an update to the status of a Pod. */
export function validatePodStatusUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const errors = immutable(next, old, "status", "qosClass");
  for (const list of ["podIPs", "hostIPs"]) {
    getArray(next, "status", list).forEach((entry, index) => {
      const ip = getString(entry, "ip");
      if (!isLegacyIpAddress(ip)) {
        errors.push(invalidValue(item(child("status", list), index), ip, NO_IP_ADDRESS));
      }
    });
  }
  return errors;
}

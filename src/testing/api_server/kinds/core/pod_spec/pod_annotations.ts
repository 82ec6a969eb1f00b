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
  type JsonObject,
} from "../../../../values/mod.ts";
import { descendingPath } from "../../shared/mod.ts";
import { placedContainers } from "./placed_containers.ts";

const MIRROR = "kubernetes.io/config.mirror";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

/** The annotation with the seccomp profile of a Pod. */
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";

/** The start of the annotations with the seccomp profiles of containers. */
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

/** The start of the annotations with the AppArmor profiles of containers. */
export const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

const FIELD = "metadata.annotations";

/** Returns the errors of the annotations of a Pod or a Pod template that have a meaning for its containers. */
export function validatePodAnnotations(
  metadata: JsonObject,
  spec: JsonObject,
  field: string,
): FieldError[] {
  const annotations = getObject(metadata, "annotations");
  const errors: FieldError[] = [];
  const mirror = getOwn(annotations, MIRROR);
  if (mirror !== undefined && getString(spec, "nodeName") === "") {
    const text = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(invalidValue(item(field, MIRROR), mirror, text));
  }
  const cost = getOwn(annotations, DELETION_COST);
  if (typeof cost === "string" && !isInt32(cost)) {
    errors.push(invalidValue(item(field, DELETION_COST), cost, "must be a 32bit integer"));
  }
  const names = new Set(
    placedContainers(spec, "").map(({ container }) => getString(container, "name")),
  );
  for (const key of Object.keys(annotations)) {
    const value = getString(annotations, key);
    if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) {
      errors.push(...seccompErrors(value, child(field, key)));
    }
  }
  for (const key of Object.keys(annotations).filter((one) => one.startsWith(APP_ARMOR))) {
    const value = getString(annotations, key);
    const container = key.slice(APP_ARMOR.length);
    if (!names.has(container)) {
      errors.push(invalidValue(item(field, key), container, "container not found"));
    }
    if (!["", "runtime/default", "unconfined"].includes(value) && !value.startsWith("localhost/")) {
      const text = `invalid AppArmor profile name: ${JSON.stringify(value)}`;
      errors.push(invalidValue(item(field, key), value, text));
    }
  }
  return errors;
}

function isInt32(text: string): boolean {
  if (!/^-?(?:0|[1-9][0-9]*)$/.test(text)) return false;
  return BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}

function seccompErrors(profile: string, field: string): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  const prefix = "localhost/";
  if (profile.startsWith(prefix)) return descendingPath(profile.slice(prefix.length), field);
  return [invalidValue(field, profile, "must be a valid seccomp profile")];
}

/** Returns the errors of the annotations of a new Pod that contradict its fields. */
export function validateProfiles(pod: JsonObject): FieldError[] {
  const spec = getObject(pod, "spec");
  const annotations = getObject(pod, "metadata", "annotations");
  const containers = placedContainers(spec, "spec");
  const errors: FieldError[] = [];
  const compare = (what: "seccomp" | "apparmor", key: string, owner: JsonObject, at: string) => {
    const annotation = getOwn(annotations, key);
    const name = what === "seccomp" ? "seccompProfile" : "appArmorProfile";
    const profile = getPath(owner, "securityContext", name);
    if (typeof annotation !== "string" || !isObject(profile)) return;
    const where = child(at, `securityContext.${name}`);
    errors.push(...mismatch(what, annotation, profile, where));
  };
  compare("seccomp", SECCOMP_POD, spec, "spec");
  for (const { container, at } of containers) {
    compare("seccomp", SECCOMP_CONTAINER + getString(container, "name"), container, at);
  }
  if (getString(spec, "os", "name") === "windows") return errors;
  for (const { container, at } of containers) {
    const own = isObject(getPath(container, "securityContext", "appArmorProfile"));
    compare("apparmor", APP_ARMOR + getString(container, "name"), own ? container : spec, at);
  }
  return errors;
}

function mismatch(
  what: "seccomp" | "apparmor",
  annotation: string,
  profile: JsonObject,
  field: string,
): FieldError[] {
  const type = getString(profile, "type");
  const refuse = (name: string, part: string) => [
    forbiddenField(child(field, name), `${what} ${part} in annotation and field must match`),
  ];
  if (type === "Unconfined" && annotation !== "unconfined") return refuse("type", "type");
  if (type === "RuntimeDefault") {
    const old = what === "seccomp" && annotation === "docker/default";
    return annotation === "runtime/default" || old ? [] : refuse("type", "type");
  }
  if (type !== "Localhost") return [];
  const prefix = "localhost/";
  if (!annotation.startsWith(prefix)) return refuse("type", "type");
  const same = annotation.slice(prefix.length) === getOwn(profile, "localhostProfile");
  return same ? [] : refuse("localhostProfile", "profile");
}

/** Returns the errors of an update of the annotations of a Pod. */
export function validateAnnotationsUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const now = getObject(next, "metadata", "annotations");
  const before = getObject(old, "metadata", "annotations");
  const errors: FieldError[] = [];
  const refuse = (key: string, verb: string) => {
    if (key.startsWith(APP_ARMOR)) {
      errors.push(forbiddenField(item(FIELD, key), `may not ${verb} AppArmor annotations`));
    }
    if (key === MIRROR) {
      errors.push(forbiddenField(item(FIELD, key), `may not ${verb} mirror pod annotation`));
    }
  };
  for (const key of Object.keys(before)) {
    if (getOwn(now, key) !== before[key]) refuse(key, "remove or update");
  }
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(before, key)) refuse(key, "add");
  }
  return [
    ...errors,
    ...validatePodAnnotations(getObject(next, "metadata"), getObject(next, "spec"), FIELD),
  ];
}

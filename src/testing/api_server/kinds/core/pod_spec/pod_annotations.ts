import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  item,
  type JsonObject,
} from "../../../../values/mod.ts";
import { descendingPath } from "../../shared/mod.ts";

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
  for (const key of Object.keys(annotations)) {
    const value = getString(annotations, key);
    if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) {
      errors.push(...seccompErrors(value, child(field, key)));
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

/** Returns the errors of an update of the annotations of a Pod. */
export function validateAnnotationsUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const path = ["metadata", "annotations", MIRROR];
  const before = getPath(old, ...path);
  const verb = before === undefined ? "add" : "remove or update";
  return [
    ...(getPath(next, ...path) === before
      ? []
      : [forbiddenField(item(FIELD, MIRROR), `may not ${verb} mirror pod annotation`)]),
    ...validatePodAnnotations(getObject(next, "metadata"), getObject(next, "spec"), FIELD),
  ];
}

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
import {
  APP_ARMOR,
  profileMismatch,
  validateAppArmorAnnotation,
  validateAppArmorMatch,
} from "./app_armor.ts";
import { placedContainers } from "./placed_containers.ts";

const MIRROR = "kubernetes.io/config.mirror";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

/** The annotation with the seccomp profile of a Pod. */
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";

/** The start of the annotations with the seccomp profiles of containers. */
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

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
  const keys = Object.keys(annotations);
  for (const key of keys) {
    if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) {
      errors.push(...seccompErrors(getString(annotations, key), child(field, key)));
    }
  }
  const profiles = keys.filter((key) => key.startsWith(APP_ARMOR));
  if (profiles.length === 0) return errors;
  const names = new Set(
    placedContainers(spec, "spec").map(({ container }) => getString(container, "name")),
  );
  for (const key of profiles) {
    errors.push(...validateAppArmorAnnotation(key, getString(annotations, key), names, field));
  }
  return errors;
}

/** Returns the errors of profiles of seccomp and AppArmor that differ from those in the annotations. */
export function validateProfiles(
  metadata: JsonObject,
  spec: JsonObject,
  field: string,
): FieldError[] {
  const annotations = getObject(metadata, "annotations");
  const compare = (owner: JsonObject, key: string, at: string) => {
    const profile = getPath(owner, "securityContext", "seccompProfile");
    const annotation = getOwn(annotations, key);
    if (!isObject(profile) || typeof annotation !== "string") return [];
    const where = child(at, "securityContext.seccompProfile");
    return profileMismatch("seccomp", profile, annotation, where);
  };
  return [
    ...compare(spec, SECCOMP_POD, field),
    ...placedContainers(spec, field).flatMap(({ container, at }) =>
      compare(container, SECCOMP_CONTAINER + getString(container, "name"), at)
    ),
    ...validateAppArmorMatch(annotations, spec, field),
  ];
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
  const after = getObject(next, "metadata", "annotations");
  const before = getObject(old, "metadata", "annotations");
  const changes = (keys: string[], verb: string) =>
    keys.filter((key) => getOwn(after, key) !== getOwn(before, key)).flatMap((key) => {
      const what = key.startsWith(APP_ARMOR)
        ? "AppArmor annotations"
        : key === MIRROR
        ? "mirror pod annotation"
        : undefined;
      return what === undefined
        ? []
        : [forbiddenField(item(FIELD, key), `may not ${verb} ${what}`)];
    });
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  return [
    ...changes(Object.keys(before), "remove or update"),
    ...changes(added, "add"),
    ...validatePodAnnotations(getObject(next, "metadata"), getObject(next, "spec"), FIELD),
  ];
}

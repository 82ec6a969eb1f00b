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
import { placedContainers } from "./placed_containers.ts";

/** The start of the annotations with the AppArmor profiles of containers. */
export const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

const LOCALHOST = "localhost/";
const PROFILE = ["securityContext", "appArmorProfile"];

/**
 * Gives each container without an AppArmor profile the one in its annotation. Warns of each such annotation, also of an
 * invalid one.
 */
export function withAppArmor(pod: JsonObject, warn: (text: string) => void): JsonObject {
  if (getString(pod, "spec", "os", "name") === "windows") return pod;
  return ["initContainers", "containers"].reduce((result, list) => {
    const containers = objects(result, "spec", list);
    const changed = containers.map((container) => {
      const text = deprecation(pod, container, "");
      if (text === undefined) return container;
      warn(text);
      const profile = profileOf(annotationOf(pod, container) ?? "");
      return profile === undefined ? container : withPath(container, PROFILE, profile);
    });
    const same = changed.every((container, index) => container === containers[index]);
    return same ? result : withPath(result, ["spec", list], changed);
  }, pod);
}

/** Returns the warnings for annotations in place of AppArmor profiles in a Pod template. */
export function appArmorWarnings(template: JsonObject, field: string): string[] {
  return placedContainers(getObject(template, "spec"), "spec")
    .map(({ container }) => deprecation(template, container, field))
    .filter((text) => text !== undefined);
}

/** Returns the warning for the annotation of a container without a profile, unless the Pod has the same one. */
function deprecation(owner: JsonObject, container: JsonObject, field: string): string | undefined {
  const annotation = annotationOf(owner, container);
  if (annotation === undefined || isObject(getPath(container, ...PROFILE))) return undefined;
  const profile = profileOf(annotation);
  const ofPod = getPath(owner, "spec", ...PROFILE);
  if (profile !== undefined && jsonEqual(profile, ofPod)) return undefined;
  const at = item(`${field}metadata.annotations`, keyOf(container));
  return `${at}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

function keyOf(container: JsonObject): string {
  return APP_ARMOR + getString(container, "name");
}

function annotationOf(owner: JsonObject, container: JsonObject): string | undefined {
  const value = getOwn(getObject(owner, "metadata", "annotations"), keyOf(container));
  return typeof value === "string" ? value : undefined;
}

/** Returns the profile in the value of an annotation; undefined if it is invalid. */
function profileOf(value: string): JsonObject | undefined {
  if (value === "unconfined") return { type: "Unconfined" };
  if (value === "runtime/default") return { type: "RuntimeDefault" };
  const local = value.startsWith(LOCALHOST) ? value.slice(LOCALHOST.length) : "";
  return local === "" ? undefined : { type: "Localhost", localhostProfile: local };
}

/**
 * Returns the errors of an annotation with the AppArmor profile of a container.
 *
 * @param containers The names of all containers.
 */
export function validateAppArmorAnnotation(
  key: string,
  profile: string,
  containers: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const name = key.slice(APP_ARMOR.length);
  const at = item(field, key);
  const isKnown = containers.has(name);
  const isValid = ["", "runtime/default", "unconfined"].includes(profile) ||
    profile.startsWith(LOCALHOST);
  const bad = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
  return [
    ...(isKnown ? [] : [invalidValue(at, name, "container not found")]),
    ...(isValid ? [] : [invalidValue(at, profile, bad)]),
  ];
}

/** Returns an error for each container whose profile differs from the one in its annotation. */
export function validateAppArmorMatch(
  annotations: JsonObject,
  spec: JsonObject,
  field: string,
): FieldError[] {
  if (getString(spec, "os", "name") === "windows") return [];
  return placedContainers(spec, field).flatMap(({ container, at }) => {
    const profile = getPath(container, ...PROFILE) ?? getPath(spec, ...PROFILE);
    const annotation = getOwn(annotations, keyOf(container));
    if (!isObject(profile) || typeof annotation !== "string") return [];
    return profileMismatch(
      "apparmor",
      profile,
      annotation,
      child(at, "securityContext.appArmorProfile"),
    );
  });
}

/** The annotations that mean the same as the types of a profile. */
const ANNOTATIONS: Readonly<Record<string, readonly string[]>> = {
  "apparmor Unconfined": ["unconfined"],
  "apparmor RuntimeDefault": ["runtime/default"],
  "seccomp Unconfined": ["unconfined"],
  "seccomp RuntimeDefault": ["runtime/default", "docker/default"],
};

/** Returns an error if a profile of AppArmor or seccomp differs from the one in an annotation. */
export function profileMismatch(
  what: "apparmor" | "seccomp",
  profile: JsonObject,
  annotation: string,
  field: string,
): FieldError[] {
  const type = getString(profile, "type");
  const isLocal = type === "Localhost";
  const wrongType = isLocal
    ? !annotation.startsWith(LOCALHOST)
    : ANNOTATIONS[`${what} ${type}`]?.includes(annotation) === false;
  if (wrongType) {
    return [
      forbiddenField(child(field, "type"), `${what} type in annotation and field must match`),
    ];
  }
  const path = getOwn(profile, "localhostProfile");
  if (!isLocal || annotation.slice(LOCALHOST.length) === path) return [];
  const text = `${what} profile in annotation and field must match`;
  return [forbiddenField(child(field, "localhostProfile"), text)];
}

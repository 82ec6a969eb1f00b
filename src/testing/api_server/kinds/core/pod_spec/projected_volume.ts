import {
  child,
  type FieldError,
  forbiddenField,
  getInteger,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../../values/mod.ts";
import { filePath, objects } from "../../shared/mod.ts";
import { validatePodCertificate, validateTrustBundle } from "./certificate_projection.ts";
import { validateFieldRef, validateResourceRef } from "./downward_api.ts";

const FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";
const FIELDS = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

function modeErrors(source: JsonObject, field: string, name: string): FieldError[] {
  const mode = getOwn(source, name);
  if (typeof mode !== "number" || (mode >= 0 && mode <= 0o777)) return [];
  return [invalidValue(child(field, name), mode, FILE_MODE)];
}

/** Returns the errors of the files of a ConfigMap or Secret in a volume. */
export function validateItems(source: JsonObject, field: string): FieldError[] {
  return [
    ...modeErrors(source, field, "defaultMode"),
    ...objects(source, "items").flatMap((one, index) =>
      validateItem(one, item(child(field, "items"), index))
    ),
  ];
}

function validateItem(one: JsonObject, field: string): FieldError[] {
  const path = getString(one, "path");
  return [
    ...["key", "path"].filter((name) => getString(one, name) === "")
      .map((name) => required(child(field, name))),
    ...filePath(path, child(field, "path")),
    ...modeErrors(one, field, "mode"),
  ];
}

/** Returns the errors of the files with fields of the Pod in a volume. */
export function validateDownwardApi(source: JsonObject, field: string): FieldError[] {
  return [
    ...modeErrors(source, field, "defaultMode"),
    ...objects(source, "items").flatMap((one) => validateFile(one, field)),
  ];
}

function validateFile(file: JsonObject, field: string): FieldError[] {
  const path = getString(file, "path");
  const errors = path === "" ? [required(child(field, "path"))] : [];
  errors.push(...filePath(path, child(field, "path")));
  const reference = getOwn(file, "fieldRef");
  const resource = getOwn(file, "resourceFieldRef");
  if (isObject(reference)) {
    errors.push(...validateFieldRef(reference, child(field, "fieldRef"), FIELDS));
    if (isObject(resource)) {
      const text = "fieldRef and resourceFieldRef can not be specified simultaneously";
      errors.push(invalidValue(field, "resource", text));
    }
  } else if (isObject(resource)) {
    errors.push(...validateResourceRef(resource, child(field, "resourceFieldRef"), true));
  } else errors.push(required(field, "one of fieldRef and resourceFieldRef is required"));
  return [...errors, ...modeErrors(file, field, "mode")];
}

/** Returns the errors of a volume that has files of several sources. */
export function validateProjected(source: JsonObject, field: string): FieldError[] {
  const paths = new Set<string>();
  const take = (path: string, shown = path) => {
    const isTaken = paths.has(path);
    paths.add(path);
    return isTaken ? [invalidValue(field, shown, "conflicting duplicate paths")] : [];
  };
  const takeFrom = (file: JsonObject, shown?: string) => {
    const path = getString(file, "path");
    return path === "" ? [] : take(path, shown);
  };
  const errors = modeErrors(source, field, "defaultMode");
  objects(source, "sources").forEach((one, index) => {
    const at = item(child(field, "sources"), index);
    for (const kind of ["secret", "configMap"]) {
      const own = getOwn(one, kind);
      if (!isObject(own)) continue;
      const name = getString(own, "name");
      if (name === "") errors.push(required(child(child(at, kind), "name")));
      objects(own, "items").forEach((file, position) => {
        errors.push(...validateItem(file, item(child(child(at, kind), "items"), position)));
        errors.push(...takeFrom(file, name));
      });
    }
    for (const file of objects(one, "downwardAPI", "items")) {
      errors.push(...validateFile(file, child(at, "downwardAPI")), ...takeFrom(file));
    }
    const token = getOwn(one, "serviceAccountToken");
    if (isObject(token)) errors.push(...validateToken(token, field, at));
    const bundle = getOwn(one, "clusterTrustBundle");
    if (isObject(bundle)) {
      errors.push(...validateTrustBundle(bundle, child(at, "clusterTrustBundle"), take));
    }
    const certificate = getOwn(one, "podCertificate");
    if (isObject(certificate)) {
      errors.push(...validatePodCertificate(certificate, child(at, "podCertificate"), take));
    }
    const kinds = Object.keys(one).filter((kind) => isObject(getObject(one, kind)) && one[kind]);
    if (kinds.length > 1) {
      errors.push(forbiddenField(at, "may not specify more than 1 volume type per source"));
    }
  });
  return errors;
}

function validateToken(token: JsonObject, field: string, source: string): FieldError[] {
  const seconds = getInteger(token, "expirationSeconds");
  const at = child(child(source, "serviceAccountToken"), "expirationSeconds");
  const errors: FieldError[] = [];
  if (seconds < MIN_TOKEN_SECONDS) {
    errors.push(invalidValue(at, seconds, "may not specify a duration less than 10 minutes"));
  }
  if (seconds > MAX_TOKEN_SECONDS) {
    errors.push(invalidValue(at, seconds, "may not specify a duration larger than 2^32 seconds"));
  }
  const path = getString(token, "path");
  if (path === "") return [...errors, required(child(field, "path"))];
  return [...errors, ...filePath(path, child(field, "path"))];
}

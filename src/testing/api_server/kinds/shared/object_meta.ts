import type { Release } from "../../release/mod.ts";
import {
  byteLength,
  canonicalIp,
  child,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  givenOf,
  invalidValue,
  isLegacyIpAddress,
  isNumber,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  labelValue,
  maskTrailingDash,
  NO_IP_ADDRESS,
  notSupported,
  pathSegmentName,
  qualifiedName,
  required,
  tooLong,
} from "../../../values/mod.ts";

/** Returns why a text cannot be the name of an object. */
type NameCheck = (name: string) => string[];

/** The format of the names of a kind; a function returns the check of the names of one object. */
export type NameRule =
  | "subdomain"
  | "label"
  | "dns1035"
  | "pathSegment"
  | "ip"
  | ((object: JsonObject) => NameCheck);

/** The rule for finalizers: `qualified` accepts standard finalizers and names with a domain; `any` accepts all. */
export type FinalizerRule = "qualified" | "any";

const MAX_ANNOTATION_BYTES = 262_144;
const KNOWN_FINALIZERS = ["kubernetes", "orphan", "foregroundDeletion"];

const RULES: Readonly<Record<Extract<NameRule, string>, NameCheck>> = {
  subdomain: dnsSubdomain,
  label: dnsLabel,
  dns1035: dns1035Label,
  pathSegment: pathSegmentName,
  ip: canonicalIpErrors,
};

/** Returns why a text is not an IP address in canonical form. */
export function canonicalIpErrors(text: string): string[] {
  const canonical = canonicalIp(text);
  if (canonical === text) return [];
  if (canonical !== undefined) return [`must be in canonical form (${JSON.stringify(canonical)})`];
  return [isLegacyIpAddress(text) ? "must not have leading 0s" : NO_IP_ADDRESS];
}

/** The rules for the metadata of a kind. */
export interface MetaRule {
  readonly namespaced: boolean;
  readonly names: NameRule;
  readonly finalizers: FinalizerRule;
  readonly release: Release;
}

/** Returns the validation errors of the metadata of an object. */
export function validateMeta(
  object: JsonObject,
  { namespaced, names, finalizers, release }: MetaRule,
): FieldError[] {
  const meta = getObject(object, "metadata");
  const errors: FieldError[] = [];
  const check = typeof names === "function" ? names(object) : RULES[names];
  const prefix = getString(meta, "generateName");
  if (prefix !== "") {
    const wrong = check(names === "pathSegment" ? prefix : maskTrailingDash(prefix));
    errors.push(...wrong.map((text) => invalidValue("metadata.generateName", prefix, text)));
  }
  const name = getString(meta, "name");
  if (name === "") errors.push(required("metadata.name", "name or generateName is required"));
  else errors.push(...check(name).map((text) => invalidValue("metadata.name", name, text)));
  errors.push(...validateNamespace(meta, namespaced));
  const generation = getOwn(meta, "generation");
  if (isNumber(generation) && generation < 0) {
    errors.push(
      invalidValue("metadata.generation", generation, "must be greater than or equal to 0"),
    );
  }
  errors.push(...validateShared(meta, release, true));
  if (finalizers === "qualified") errors.push(...validateKnownFinalizers(meta));
  return errors;
}

function validateNamespace(meta: JsonObject, namespaced: boolean): FieldError[] {
  const namespace = getString(meta, "namespace");
  if (!namespaced) {
    return namespace === ""
      ? []
      : [forbiddenField("metadata.namespace", "not allowed on this type")];
  }
  if (namespace === "") return [required("metadata.namespace")];
  return dnsLabel(namespace).map((text) => invalidValue("metadata.namespace", namespace, text));
}

/** Returns the errors of the metadata that are checked on creates and updates alike. */
function validateShared(
  meta: JsonObject,
  release: Release,
  withFinalizers: boolean,
): FieldError[] {
  const errors = validateLabels(getObject(meta, "labels"), "metadata.labels");
  errors.push(...validateAnnotations(meta, "metadata.annotations"));
  errors.push(...validateOwners(getArray(meta, "ownerReferences"), release));
  if (withFinalizers) errors.push(...validateFinalizers(getArray(meta, "finalizers").map(String)));
  errors.push(...validateManagedFields(getArray(meta, "managedFields"), release));
  return errors;
}

/** Returns the errors of the annotations in the metadata of an object or a template. */
export function validateAnnotations(metadata: JsonObject, field: string): FieldError[] {
  const annotations = getObject(metadata, "annotations");
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(annotations)) {
    size += byteLength(key) + byteLength(getString(annotations, key));
    const wrong = qualifiedName(key.toLowerCase());
    errors.push(...wrong.map((text) => invalidValue(field, key, text)));
  }
  if (size > MAX_ANNOTATION_BYTES) errors.push(tooLong(field, MAX_ANNOTATION_BYTES));
  return errors;
}

/** Returns the validation errors of labels. */
export function validateLabels(labels: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(labels)) {
    const value = getString(labels, key);
    errors.push(...qualifiedName(key).map((text) => invalidValue(field, key, text)));
    errors.push(...labelValue(value).map((text) => invalidValue(field, value, text)));
  }
  return errors;
}

function validateOwners(owners: readonly Json[], release: Release): FieldError[] {
  const field = "metadata.ownerReferences";
  const hasIndex = release.has({ since: "1.37" });
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const [index, owner] of owners.filter(isObject).entries()) {
    const own = hasIndex ? item(field, index) : field;
    const apiVersion = getString(owner, "apiVersion");
    const parts = apiVersion.split("/");
    if (parts.length > 2 || parts[parts.length - 1] === "") {
      errors.push(wrongOwnerVersion(child(own, "apiVersion"), apiVersion, release));
    }
    for (const name of ["kind", "name", "uid"]) {
      if (getString(owner, name) === "") {
        const why = "must not be empty";
        const at = child(own, name);
        errors.push(hasIndex ? required(at, why) : invalidValue(at, "", why));
      }
    }
    const kind = getString(owner, "kind");
    if (apiVersion === "v1" && kind === "Event") {
      errors.push(
        invalidValue(own, owner, `/v1, Kind=${kind} is disallowed from being an owner`),
      );
    }
    if (owner["controller"] !== true) continue;
    const named = `${kind}/${getString(owner, "name")}`;
    if (controller === undefined) controller = named;
    else {
      errors.push(
        invalidValue(
          field,
          [...owners],
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${named}`,
        ),
      );
    }
  }
  return errors;
}

function wrongOwnerVersion(field: string, apiVersion: string, release: Release): FieldError {
  if (release.has({ until: "1.36" })) {
    return invalidValue(field, apiVersion, "version must not be empty");
  }
  return apiVersion === ""
    ? required(field, "must not be empty")
    : invalidValue(field, apiVersion, "must be <group>/<version> or <version>");
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const field = "metadata.finalizers";
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedName(finalizer).map((text) => invalidValue(field, finalizer, text))
  );
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.push(
      invalidValue(
        field,
        [...finalizers],
        "finalizer orphan and foregroundDeletion cannot be both set",
      ),
    );
  }
  return errors;
}

/** Returns an error for a finalizer that is neither a standard one nor has a domain. */
export function validateFinalizerName(finalizer: string, field: string): FieldError[] {
  if (finalizer.includes("/") || KNOWN_FINALIZERS.includes(finalizer)) return [];
  return [
    invalidValue(
      field,
      finalizer,
      "name is neither a standard finalizer name nor is it fully qualified",
    ),
  ];
}

function validateKnownFinalizers(meta: JsonObject): FieldError[] {
  return getArray(meta, "finalizers").flatMap((finalizer, index) =>
    validateFinalizerName(String(finalizer), item("metadata.finalizers", index))
  );
}

const OPERATIONS: readonly string[] = ["Apply", "Update"];

function wrongOperation(field: string, operation: string, release: Release): FieldError {
  if (release.has({ until: "1.36" })) {
    return invalidValue(field, operation, "must be `Apply` or `Update`");
  }
  return operation === ""
    ? required(field, "must not be empty")
    : notSupported(field, operation, OPERATIONS);
}

function validateManagedFields(entries: readonly Json[], release: Release): FieldError[] {
  const errors: FieldError[] = [];
  entries.forEach((entry, index) => {
    const field = item("metadata.managedFields", index);
    const operation = getString(entry, "operation");
    if (!OPERATIONS.includes(operation)) {
      errors.push(wrongOperation(child(field, "operation"), operation, release));
    }
    const type = getString(entry, "fieldsType");
    if (type !== "" && type !== "FieldsV1") {
      errors.push(invalidValue(child(field, "fieldsType"), type, "must be `FieldsV1`"));
    }
    const manager = getString(entry, "manager");
    if (byteLength(manager) > 128) errors.push(tooLong(child(field, "manager"), 128));
    if (byteLength(getString(entry, "subresource")) > 256) {
      errors.push(tooLong(child(field, "subresource"), 256));
    }
  });
  return errors;
}

/** Returns the validation errors of an update to the metadata of an object. */
export function validateMetaUpdate(
  next: JsonObject,
  old: JsonObject,
  { finalizers, release }: MetaRule,
): FieldError[] {
  const meta = getObject(next, "metadata");
  const before = getObject(old, "metadata");
  const errors: FieldError[] = [];
  if (getOwn(before, "deletionTimestamp") !== undefined) {
    const known = getArray(before, "finalizers");
    const added = getArray(meta, "finalizers").filter((one) => !known.includes(one)).map(String);
    if (added.length > 0) {
      const list = added.sort().map((one) => JSON.stringify(one)).join(", ");
      errors.push(
        forbiddenField(
          "metadata.finalizers",
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        ),
      );
    }
  }
  const fixed = [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ];
  for (const name of fixed) {
    const value = getOwn(meta, name);
    const previous = getOwn(before, name);
    if (jsonEqual(value, previous)) continue;
    const shown = value ??
      (typeof previous === "string" && !name.endsWith("Timestamp") ? "" : null);
    errors.push(invalidValue(child("metadata", name), shown, "field is immutable"));
  }
  errors.push(...validateShared(meta, release, false));
  if (finalizers === "qualified") errors.push(...validateKnownFinalizers(meta));
  return errors;
}

/** Returns an error if the immutable field at `path` has changed. */
export function immutable(next: JsonObject, old: JsonObject, ...path: string[]): FieldError[] {
  const key = path[path.length - 1]!;
  const parent = path.slice(0, -1);
  const value = getOwn(getObject(next, ...parent), key);
  const before = getOwn(getObject(old, ...parent), key);
  if (jsonEqual(value, before)) return [];
  const shown = typeof before === "string" ? value ?? "" : givenOf(getObject(next, ...parent), key);
  return [invalidValue(path.join("."), shown, "field is immutable")];
}

/** The error message for a negative number where only non-negative numbers are valid. */
export const NEGATIVE = "must be greater than or equal to 0";

/** Returns an error for each of the named fields that is a negative number. */
export function nonNegative(spec: JsonObject, field: string, ...names: string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = getOwn(spec, name);
    const negative = isNumber(value) && value < 0;
    return negative ? [invalidValue(child(field, name), value, NEGATIVE)] : [];
  });
}

import { stripEnd } from "@kubeloop/controller/base";
import {
  byteLength,
  child,
  configMapKey,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  jsonEqual,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
  tooLong,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { immutable, validateFinalizerName } from "./object_meta.ts";

/** The maximum size of the data of a ConfigMap or Secret, in bytes. */
const MAX_DATA_BYTES = 1_048_576;

const TAINT_EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function base64Bytes(text: string): number {
  return Math.floor(stripEnd(text, "=").length * 3 / 4);
}

function keyErrors(key: string, field: string): FieldError[] {
  return configMapKey(key).map((text) => invalidValue(item(field, key), key, text));
}

/** Returns the validation errors of a ConfigMap, except those of its metadata. */
export function validateConfigMap(map: JsonObject): FieldError[] {
  const data = getObject(map, "data");
  const binary = getObject(map, "binaryData");
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(data)) {
    errors.push(...keyErrors(key, "data"));
    if (Object.hasOwn(binary, key)) {
      errors.push(
        invalidValue(item("data", key), key, "duplicate of key present in binaryData"),
      );
    }
    size += byteLength(getString(data, key));
  }
  for (const key of Object.keys(binary)) {
    errors.push(...keyErrors(key, "binaryData"));
    size += base64Bytes(getString(binary, key));
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong("[]", MAX_DATA_BYTES));
  return errors;
}

/** Returns the validation errors of an update to a ConfigMap or Secret with `immutable: true`. */
export function validateImmutableData(
  next: JsonObject,
  old: JsonObject,
  fields: readonly string[],
): FieldError[] {
  if (getOwn(old, "immutable") !== true) return [];
  const reason = "field is immutable when `immutable` is set";
  const errors: FieldError[] = [];
  if (getOwn(next, "immutable") !== true) errors.push(forbiddenField("immutable", reason));
  for (const field of fields) {
    if (!jsonEqual(getObject(next, field), getObject(old, field))) {
      errors.push(forbiddenField(field, reason));
    }
  }
  return errors;
}

/** The data keys that a Secret must have, by type. */
const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

/** Returns the validation errors of a Secret, except those of its metadata. */
export function validateSecret(secret: JsonObject): FieldError[] {
  const data = getObject(secret, "data");
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(data)) {
    errors.push(...keyErrors(key, "data"));
    size += base64Bytes(getString(data, key));
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong("data", MAX_DATA_BYTES));
  const type = getString(secret, "type");
  const needed = Object.hasOwn(SECRET_KEYS, type) ? SECRET_KEYS[type]! : [];
  for (const key of needed) {
    if (!Object.hasOwn(data, key)) errors.push(required(item("data", key)));
  }
  if (type === "kubernetes.io/basic-auth") {
    const keys = ["username", "password"];
    if (!keys.some((key) => Object.hasOwn(data, key))) {
      errors.push(...keys.map((key) => required(item("data", key))));
    }
  }
  const account = "kubernetes.io/service-account.name";
  if (
    type === "kubernetes.io/service-account-token" &&
    !getString(secret, "metadata", "annotations", account)
  ) {
    errors.push(required(item("metadata.annotations", account)));
  }
  return errors;
}

/** Returns the validation errors of an update to a Secret. */
export function validateSecretUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  return [...immutable(next, old, "type"), ...validateImmutableData(next, old, ["data"])];
}

/** Returns the validation errors of a Namespace, except those of its metadata. */
export function validateNamespace(namespace: JsonObject): FieldError[] {
  return getArray(namespace, "spec", "finalizers").flatMap((finalizer) => {
    const name = String(finalizer);
    const wrong = qualifiedName(name).map((text) => invalidValue("spec.finalizers", name, text));
    return [...wrong, ...validateFinalizerName(name, "spec.finalizers")];
  });
}

/** Returns the validation errors of a Node, except those of its metadata. */
export function validateNode(node: JsonObject): FieldError[] {
  const known = new Set<string>();
  return objects(node, "spec", "taints").flatMap((taint, index) => {
    const at = item("metadata.taints", index);
    const key = getString(taint, "key");
    const effect = getString(taint, "effect");
    const errors = qualifiedName(key).map((text) => invalidValue(child(at, "key"), key, text));
    if (effect === "") errors.push(required(child(at, "effect")));
    else if (!TAINT_EFFECTS.includes(effect)) {
      errors.push(notSupported(child(at, "effect"), effect, TAINT_EFFECTS));
    }
    const pair = JSON.stringify([key, effect]);
    if (known.has(pair)) {
      const shown = { Key: key, Value: getString(taint, "value"), Effect: effect, TimeAdded: null };
      const { message, ...rest } = duplicate(at, shown);
      errors.push({ ...rest, message: `${message}: taints must be unique by key and effect pair` });
    }
    known.add(pair);
    return errors;
  });
}

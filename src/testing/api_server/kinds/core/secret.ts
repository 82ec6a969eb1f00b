import { decodeBase64 } from "@kubeloop/controller/internal/base";
import {
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
  setOwn,
  tooLong,
} from "../../../values/mod.ts";
import { keyPairError } from "./key_pair.ts";
import {
  AGE,
  base64Bytes,
  column,
  fill,
  immutable,
  jsonProblem,
  keyErrors,
  MAX_DATA_BYTES,
  NAME,
  named,
  validateImmutableData,
} from "../shared/mod.ts";
import { at, defineKind, type KindRecord, objectCount } from "../record/mod.ts";

/** Secrets. */
export const SECRET: KindRecord = defineKind("v1", "secrets", "Secret", {
  quota: objectCount("secrets", "secrets"),
  defaults: defaultSecret,
  names: "subdomain",
  validate: validateSecret,
  warnings: secretWarnings,
  validateChange: (next, old) => [
    ...immutable(next, old, "type"),
    ...validateImmutableData(next, old, ["data"]),
  ],
  fields: { type: at("type") },
  table: {
    columns: [
      NAME,
      column(
        "Type",
        "Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types",
      ),
      column(
        "Data",
        "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
      ),
      AGE,
    ],
    row: named((secret) => [
      getString(secret, "type"),
      Object.keys(getObject(secret, "data")).length,
    ]),
  },
});

/** Sets the defaults of a Secret. Moves `stringData`, which is write-only, to `data`. */
function defaultSecret(secret: JsonObject): void {
  fill(secret, "type", "Opaque");
  const text = getOwn(secret, "stringData");
  if (!isObject(text)) return;
  const data: JsonObject = { ...getObject(secret, "data") };
  for (const key of Object.keys(text)) setOwn(data, key, base64(getString(text, key)));
  if (Object.keys(data).length > 0) secret["data"] = data;
  delete secret["stringData"];
}

function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The key that must have a value, too. */
const SSH_KEY = "ssh-privatekey";

/** The data keys that a Secret must have, by type. */
const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": [SSH_KEY],
};

/** Warns of a certificate and a key that do not fit together. */
function secretWarnings(secret: JsonObject): string[] {
  if (getString(secret, "type") !== "kubernetes.io/tls") return [];
  const [certificate, key] = ["tls.crt", "tls.key"].map((name) => getString(secret, "data", name));
  const error = keyPairError(certificate!, key!);
  return error === undefined ? [] : [error];
}

/** Returns the validation errors of a Secret apart from its metadata. */
function validateSecret(secret: JsonObject): FieldError[] {
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
    const isMissing = !Object.hasOwn(data, key) || (key === SSH_KEY && data[key] === "");
    if (isMissing) errors.push(required(item("data", key)));
  }
  for (
    const key of type.startsWith("kubernetes.io/dockercfg") ||
        type.startsWith("kubernetes.io/dockerconfigjson")
      ? needed
      : []
  ) {
    const problem = Object.hasOwn(data, key)
      ? jsonProblem(decodeBase64(getString(data, key)))
      : undefined;
    if (problem !== undefined) {
      errors.push(invalidValue(item("data", key), "<secret contents redacted>", problem));
    }
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

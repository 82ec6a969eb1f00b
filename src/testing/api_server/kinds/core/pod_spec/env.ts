import {
  child,
  configMapKey,
  dnsSubdomain,
  envVarName,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../../values/mod.ts";
import { validateFieldRef, validateResourceRef } from "./downward_api.ts";

const SOURCES = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
const ENV_FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
/** Returns the validation errors of the environment variables of a container. */
export function validateEnv(variables: readonly JsonObject[], field: string): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = item(field, index);
    const name = getString(variable, "name");
    const errors = name === ""
      ? [required(child(at, "name"))]
      : envVarName(name).map((text) => invalidValue(child(at, "name"), name, text));
    const source = getOwn(variable, "valueFrom");
    if (!isObject(source)) return errors;
    const value = getString(variable, "value");
    return [...errors, ...validateSource(source, child(at, "valueFrom"), value)];
  });
}

function validateSource(source: JsonObject, field: string, value: string): FieldError[] {
  const given = SOURCES.filter((kind) => isObject(getOwn(source, kind)));
  if (given.length === 0) {
    const all = SOURCES.map((kind) => `\`${kind}\``);
    const list = `${all.slice(0, -1).join(", ")} or ${all[all.length - 1]}`;
    return [invalidValue(field, "", `must specify one of: ${list}`)];
  }
  const errors: FieldError[] = [];
  if (given.includes("fieldRef")) {
    const reference = getObject(source, "fieldRef");
    errors.push(...validateFieldRef(reference, child(field, "fieldRef"), ENV_FIELDS));
  }
  if (given.includes("resourceFieldRef")) {
    const reference = getObject(source, "resourceFieldRef");
    errors.push(...validateResourceRef(reference, child(field, "resourceFieldRef"), false));
  }
  for (const kind of ["configMapKeyRef", "secretKeyRef"]) {
    if (!given.includes(kind)) continue;
    errors.push(...validateKeyRef(getObject(source, kind), child(field, kind)));
  }
  if (value !== "") {
    errors.push(invalidValue(field, "", "may not be specified when `value` is not empty"));
  } else if (given.length > 1) {
    errors.push(invalidValue(field, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

function validateKeyRef(reference: JsonObject, field: string): FieldError[] {
  const name = getString(reference, "name");
  const key = getString(reference, "key");
  const errors = dnsSubdomain(name).map((text) => invalidValue(child(field, "name"), name, text));
  if (key === "") return [...errors, required(child(field, "key"))];
  return [
    ...errors,
    ...configMapKey(key).map((text) => invalidValue(child(field, "key"), key, text)),
  ];
}

/** Returns the validation errors of the `envFrom` sources of a container. */
export function validateEnvFrom(sources: readonly JsonObject[], field: string): FieldError[] {
  return sources.flatMap((source, index) => {
    const at = item(field, index);
    const prefix = getString(source, "prefix");
    const errors = prefix === ""
      ? []
      : envVarName(prefix).map((text) => invalidValue(child(at, "prefix"), prefix, text));
    const given = ["configMapRef", "secretRef"].filter((kind) => isObject(getOwn(source, kind)));
    for (const kind of given) {
      const name = getString(source, kind, "name");
      const where = child(child(at, kind), "name");
      if (name === "") errors.push(required(where));
      else errors.push(...dnsSubdomain(name).map((text) => invalidValue(where, name, text)));
    }
    if (given.length === 0) {
      errors.push(invalidValue(field, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (given.length > 1) {
      errors.push(invalidValue(field, "", "may not have more than one field specified at a time"));
    }
    return errors;
  });
}

import {
  child,
  duplicate,
  type FieldError,
  invalidValue,
  item,
  notFoundField,
  notSupported,
  required,
} from "../field_error.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { getObject, getOwn, getString, isObject, type JsonObject } from "../json.ts";
import { dnsLabel, envVarName, portName, portNumber } from "../names.ts";
import { compareQuantities } from "../quantity.ts";

const SOURCES = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

/** What is wrong with a container; whether its name is taken is for the caller to say. */
export function validateContainer(
  container: JsonObject,
  field: string,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = getString(container, "name");
  if (name === "") errors.push(required(child(field, "name")));
  else errors.push(...dnsLabel(name).map((text) => invalidValue(child(field, "name"), name, text)));
  if (getString(container, "image") === "") errors.push(required(child(field, "image")));
  choose(errors, container, field, "terminationMessagePolicy", ["File", "FallbackToLogsOnError"]);
  errors.push(...validateProbes(container, field));
  errors.push(...validatePorts(objects(container, "ports"), child(field, "ports")));
  errors.push(...validateEnv(objects(container, "env"), child(field, "env")));
  errors.push(
    ...validateMounts(objects(container, "volumeMounts"), child(field, "volumeMounts"), volumes),
  );
  choose(errors, container, field, "imagePullPolicy", ["Always", "IfNotPresent", "Never"]);
  errors.push(...validateResources(getObject(container, "resources"), child(field, "resources")));
  return errors;
}

function choose(
  errors: FieldError[],
  object: JsonObject,
  field: string,
  name: string,
  known: readonly string[],
): void {
  const value = getString(object, name);
  if (value === "") errors.push(required(child(field, name)));
  else if (!known.includes(value)) errors.push(notSupported(child(field, name), value, known));
}

function validateProbes(container: JsonObject, field: string): FieldError[] {
  return ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((name) => {
    const probe = getOwn(container, name);
    if (!isObject(probe)) return [];
    const at = child(field, name);
    const handlers = ["exec", "httpGet", "tcpSocket", "grpc"].filter((kind) =>
      isObject(getOwn(probe, kind))
    );
    if (handlers.length === 0) return [required(at, "must specify a handler type")];
    const errors: FieldError[] = [];
    for (const kind of ["httpGet", "tcpSocket", "grpc"]) {
      const handler = getOwn(probe, kind);
      if (!isObject(handler)) continue;
      const port = getOwn(handler, "port") ?? 0;
      const where = child(child(at, kind), "port");
      const wrong = typeof port === "number" ? portNumber(port) : portName(String(port));
      errors.push(...wrong.map((text) => invalidValue(where, port, text)));
    }
    if (name !== "readinessProbe" && getOwn(probe, "successThreshold") !== 1) {
      const value = getOwn(probe, "successThreshold") ?? 0;
      errors.push(invalidValue(child(at, "successThreshold"), value, "must be 1"));
    }
    return errors;
  });
}

function validatePorts(ports: readonly JsonObject[], field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const name = getString(port, "name");
    if (name !== "") {
      const wrong = portName(name);
      errors.push(...wrong.map((text) => invalidValue(child(at, "name"), name, text)));
      if (wrong.length === 0 && names.has(name)) errors.push(duplicate(child(at, "name"), name));
      names.add(name);
    }
    for (const key of ["containerPort", "hostPort"]) {
      const number = getOwn(port, key);
      const value = typeof number === "number" ? number : 0;
      if (value === 0) {
        if (key === "containerPort") errors.push(required(child(at, key)));
        continue;
      }
      errors.push(...portNumber(value).map((text) => invalidValue(child(at, key), value, text)));
    }
    choose(errors, port, at, "protocol", ["SCTP", "TCP", "UDP"]);
    return errors;
  });
}

function validateEnv(variables: readonly JsonObject[], field: string): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = item(field, index);
    const name = getString(variable, "name");
    const errors = name === ""
      ? [required(child(at, "name"))]
      : envVarName(name).map((text) => invalidValue(child(at, "name"), name, text));
    const source = getOwn(variable, "valueFrom");
    if (!isObject(source)) return errors;
    const where = child(at, "valueFrom");
    const given = SOURCES.filter((kind) => isObject(getOwn(source, kind)));
    if (given.length === 0) {
      const all = SOURCES.map((kind) => `\`${kind}\``);
      const list = `${all.slice(0, -1).join(", ")} or ${all[all.length - 1]}`;
      errors.push(invalidValue(where, "", `must specify one of: ${list}`));
    } else if (given.length > 1) {
      errors.push(invalidValue(where, "", "may not have more than one field specified at a time"));
    }
    if (getString(variable, "value") !== "" && given.length > 0) {
      errors.push(invalidValue(where, "", "may not be specified when `value` is not empty"));
    }
    return errors;
  });
}

function validateMounts(
  mounts: readonly JsonObject[],
  field: string,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const name = getString(mount, "name");
    if (name === "") errors.push(required(child(at, "name")));
    if (!volumes.has(name)) errors.push(notFoundField(child(at, "name"), name));
    const path = getString(mount, "mountPath");
    if (path === "") errors.push(required(child(at, "mountPath")));
    if (paths.has(path)) errors.push(invalidValue(child(at, "mountPath"), path, "must be unique"));
    paths.add(path);
    return errors;
  });
}

function validateResources(resources: JsonObject, field: string): FieldError[] {
  const limits = getObject(resources, "limits");
  const requests = getObject(resources, "requests");
  const errors: FieldError[] = [];
  for (const [list, amounts] of [["limits", limits], ["requests", requests]] as const) {
    for (const name of Object.keys(amounts)) {
      const amount = getString(amounts, name);
      if (amount.startsWith("-")) {
        const at = item(child(field, list), name);
        errors.push(invalidValue(at, amount, "must be greater than or equal to 0"));
      }
      const limit = getString(limits, name);
      if (list === "requests" && limit !== "" && (compareQuantities(amount, limit) ?? 0) > 0) {
        errors.push(
          invalidValue(
            child(field, "requests"),
            amount,
            `must be less than or equal to ${name} limit of ${limit}`,
          ),
        );
      }
    }
  }
  return errors;
}

import {
  child,
  compareQuantities,
  dnsLabel,
  duplicate,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notFoundField,
  notSupported,
  portName,
  portNumber,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { descendingPath } from "./volumes.ts";

/**
 * Returns the validation errors of a container or init container. The caller must check for duplicate names, and must
 * validate the lifecycle and the probes, because their rules depend on when the container runs.
 *
 * @param volumes The names of the volumes of the Pod.
 */
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
  errors.push(...validatePorts(objects(container, "ports"), child(field, "ports")));
  errors.push(...validateEnv(objects(container, "env"), child(field, "env")));
  errors.push(...validateEnvFrom(objects(container, "envFrom"), child(field, "envFrom")));
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
    const subPath = getString(mount, "subPath");
    if (subPath !== "") errors.push(...descendingPath(subPath, child(field, "subPath")));
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

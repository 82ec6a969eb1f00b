import {
  child,
  dnsLabel,
  duplicate,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notSupported,
  portName,
  portNumber,
  required,
} from "../../../../values/mod.ts";
import {
  choiceErrors,
  containerResourceErrors,
  objects,
  pullPolicyErrors,
} from "../../shared/mod.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateMounts } from "./mounts.ts";
import { validateContainerSecurity } from "./pod_security.ts";
import { validateResources } from "./resources.ts";

/** The parts of the Pod that the rules for a container need. */
export interface ContainerContext {
  /** The spec of the Pod. */
  readonly spec: JsonObject;
  /** The valid volumes of the Pod by name. */
  readonly volumes: ReadonlyMap<string, JsonObject>;
  /** The names of the claims of the Pod for devices. */
  readonly claims: ReadonlySet<string>;
}

/**
 * Returns the validation errors that all kinds of containers have. The caller must check for duplicate names, and must
 * validate the lifecycle, the probes and the restart policy, because their rules depend on when the container runs.
 */
export function validateContainer(
  container: JsonObject,
  field: string,
  { volumes, claims }: ContainerContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = getString(container, "name");
  if (name === "") errors.push(required(child(field, "name")));
  else errors.push(...dnsLabel(name).map((text) => invalidValue(child(field, "name"), name, text)));
  if (getString(container, "image") === "") errors.push(required(child(field, "image")));
  const messages = ["File", "FallbackToLogsOnError"];
  const resources = getObject(container, "resources");
  return [
    ...errors,
    ...choiceErrors(container, field, "terminationMessagePolicy", messages),
    ...validatePorts(objects(container, "ports"), child(field, "ports")),
    ...validateEnv(objects(container, "env"), child(field, "env")),
    ...validateEnvFrom(objects(container, "envFrom"), child(field, "envFrom")),
    ...validateMounts(container, field, volumes),
    ...pullPolicyErrors(container, field, "imagePullPolicy"),
    ...validateResources(resources, child(field, "resources"), containerResourceErrors, claims),
    ...validateContainerSecurity(container, field),
  ];
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
    return [...errors, ...choiceErrors(port, at, "protocol", ["SCTP", "TCP", "UDP"])];
  });
}

/** Returns an error for each port of the node that two containers want. */
export function validateHostPorts(
  containers: readonly JsonObject[],
  at: (index: number) => string,
): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    objects(container, "ports").flatMap((port, position) => {
      const number = Number(getOwn(port, "hostPort") ?? 0);
      if (number === 0) return [];
      const key = `${getString(port, "protocol")}/${getString(port, "hostIP")}/${number}`;
      const isTaken = taken.has(key);
      taken.add(key);
      const field = child(item(child(at(index), "ports"), position), "hostPort");
      return isTaken ? [duplicate(field, key)] : [];
    })
  );
}

const RESTART_POLICIES = ["Always", "Never", "OnFailure"];

/** Returns the errors of the restart policy of a single container. */
export function validateContainerRestarts(container: JsonObject, field: string): FieldError[] {
  const policy = getOwn(container, "restartPolicy");
  if (typeof policy !== "string" || RESTART_POLICIES.includes(policy)) return [];
  return [notSupported(child(field, "restartPolicy"), policy, RESTART_POLICIES)];
}

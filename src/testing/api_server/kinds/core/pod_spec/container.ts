import {
  child,
  dnsLabel,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  portName,
  portNumber,
  required,
  tooLong,
  tooMany,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
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
  { spec, volumes, claims }: ContainerContext,
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
    ...validateResizePolicy(
      container,
      child(field, "resizePolicy"),
      getString(spec, "restartPolicy"),
    ),
    ...validateContainerSecurity(container, field, getOwn(spec, "hostUsers") !== false),
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

const RESIZES = ["NotRequired", "RestartContainer"];

/** Returns the errors of what a container does when its resources change. */
function validateResizePolicy(
  container: JsonObject,
  field: string,
  podRestarts: string,
): FieldError[] {
  const seen = new Set<string>();
  return objects(container, "resizePolicy").flatMap((policy, index) => {
    const name = getString(policy, "resourceName");
    const action = getString(policy, "restartPolicy");
    const errors: FieldError[] = [];
    if (seen.has(name)) errors.push(duplicate(item(field, index), name));
    seen.add(name);
    const choices: [string, readonly string[]][] = [[name, ["cpu", "memory"]], [action, RESIZES]];
    for (const [value, known] of choices) {
      if (value === "") errors.push(required(field));
      else if (!known.includes(value)) errors.push(notSupported(field, value, known));
    }
    if (podRestarts === "Never" && action !== "NotRequired") {
      const text = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalidValue(field, action, text));
    }
    return errors;
  });
}

const RESTART_POLICIES = ["Always", "Never", "OnFailure"];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

/** Returns the errors of the restart policy of a single container, and of its rules. */
export function validateContainerRestarts(
  container: JsonObject,
  field: string,
  release: Release,
): FieldError[] {
  const policy = getOwn(container, "restartPolicy");
  const rules = objects(container, "restartPolicyRules");
  const at = child(field, "restartPolicy");
  const errors: FieldError[] = [];
  if (typeof policy !== "string") {
    if (rules.length === 0) return [];
    errors.push(required(at, "must specify restartPolicy when restart rules are used"));
  } else if (!RESTART_POLICIES.includes(policy)) {
    errors.push(notSupported(at, policy, RESTART_POLICIES));
  }
  const list = child(field, "restartPolicyRules");
  errors.push(...tooManyItems(rules.length, list, MAX_RULES, release));
  return [
    ...errors,
    ...rules.flatMap((rule, index) => validateRule(rule, item(list, index), release)),
  ];
}

function tooManyItems(actual: number, field: string, max: number, release: Release): FieldError[] {
  if (actual <= max) return [];
  return [release.has({ since: "1.36" }) ? tooMany(field, actual, max) : tooLong(field, max)];
}

function validateRule(rule: JsonObject, field: string, release: Release): FieldError[] {
  const action = getString(rule, "action");
  const isWhole = release.isOn("RestartAllContainersOnContainerExits");
  const actions = ["Restart", ...(isWhole ? ["RestartAllContainers"] : [])];
  const shown = release.has({ since: "1.36" }) ? actions : ["Restart"];
  const errors = actions.includes(action)
    ? []
    : [notSupported(child(field, "action"), action, shown)];
  const codes = getOwn(rule, "exitCodes");
  const at = child(field, "exitCodes");
  if (!isObject(codes)) return [...errors, required(at, "must be specified")];
  const operator = getString(codes, "operator");
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(notSupported(child(at, "operator"), operator, ["In", "NotIn"]));
  }
  const values = getArray(codes, "values");
  return [...errors, ...tooManyItems(values.length, child(at, "values"), MAX_EXIT_CODES, release)];
}

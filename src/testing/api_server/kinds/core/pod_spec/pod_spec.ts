import {
  child,
  dnsSubdomain,
  duplicate,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isNumber,
  isObject,
  item,
  type JsonObject,
  qualifiedName,
  required,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
import {
  choiceErrors,
  containerResourceErrors,
  objects,
  validateLabels,
  validateTolerations,
} from "../../shared/mod.ts";
import {
  type ContainerContext,
  validateContainer,
  validateContainerRestarts,
  validateHostPorts,
} from "./container.ts";
import { forbidHandlers, validateHandlers } from "./handlers.ts";
import { validateAffinity } from "./pod_affinity.ts";
import {
  validateDns,
  validateHostAliases,
  validateHostLabels,
  validateHostnameOverride,
  validateHostNetwork,
} from "./pod_network.ts";
import { validatePodClaims, validatePodResources } from "./pod_resources.ts";
import { validateHostProcesses, validateOs } from "./pod_os.ts";
import { validateHostUsers, validatePodSecurity } from "./pod_security.ts";
import { validateSpread } from "./pod_spread.ts";
import { validateEphemeralContainers } from "./ephemeral_containers.ts";
import { validateResources } from "./resources.ts";
import { validateVolumes, type VolumeContext } from "./volumes.ts";

const MAX_INT32 = 2_147_483_647;

/** The context of a Pod template, which has no name of its own. */
export const TEMPLATE: VolumeContext = { podName: "", isPod: false };

/** Returns the validation errors of the spec of a Pod or a Pod template, in the order of the real server. */
export function validatePodSpec(
  spec: JsonObject,
  field: string,
  release: Release,
  owner: VolumeContext = TEMPLATE,
): FieldError[] {
  const { volumes, errors } = validateVolumes(spec, field, owner);
  const claims = new Set(
    objects(spec, "resourceClaims").map((claim) => getString(claim, "name"))
      .filter((name) => name !== ""),
  );
  const context: ContainerContext = { spec, volumes, claims };
  return [
    ...errors,
    ...validatePodClaims(spec, field),
    ...validateContainers(field, context, release),
    ...validateInitContainers(field, context, release),
    ...validateEphemeralContainers(field, context),
    ...validatePodResources(spec, field, claims),
    ...validateHostNetwork(spec, field, owner.isPod),
    ...validateChoices(spec, field),
    ...validateLabels(getObject(spec, "nodeSelector"), child(field, "nodeSelector")),
    ...validatePodSecurity(spec, field, release),
    ...validateAffinity(spec, field),
    ...validateDns(spec, field),
    ...validateGates(spec, field),
    ...validateSpread(spec, field),
    ...validateHostProcesses(spec, field),
    ...validateHostUsers(spec, field),
    ...validateHostnameOverride(spec, field),
    ...nameErrors(spec, field, "serviceAccountName", "nodeName"),
    ...validateDeadline(spec, field),
    ...validateHostLabels(spec, field),
    ...validateTolerations(objects(spec, "tolerations"), child(field, "tolerations")),
    ...validateHostAliases(spec, field),
    ...nameErrors(spec, field, "priorityClassName"),
    ...validateRuntime(spec, field),
    ...validateOs(spec, field),
  ];
}

function validateContainers(
  field: string,
  context: ContainerContext,
  release: Release,
): FieldError[] {
  const { spec } = context;
  const containers = objects(spec, "containers");
  const list = child(field, "containers");
  if (containers.length === 0) return [required(list)];
  const names = new Set<string>();
  const at = (index: number) => item(list, index);
  return [
    ...containers.flatMap((container, index) => {
      const name = getString(container, "name");
      const errors = validateContainer(container, at(index), context);
      if (names.has(name)) errors.push(duplicate(child(at(index), "name"), name));
      names.add(name);
      return [
        ...errors,
        ...validateHandlers(container, at(index), spec),
        ...validateContainerRestarts(container, at(index), release),
      ];
    }),
    ...validateHostPorts(containers, at),
  ];
}

function validateInitContainers(
  field: string,
  context: ContainerContext,
  release: Release,
): FieldError[] {
  const { spec } = context;
  const list = child(field, "initContainers");
  const names = new Set(objects(spec, "containers").map((one) => getString(one, "name")));
  return objects(spec, "initContainers").flatMap((container, index) => {
    const at = item(list, index);
    const name = getString(container, "name");
    const errors = [
      ...validateContainer(container, at, context),
      ...validateContainerRestarts(container, at, release),
    ];
    if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
    else if (name !== "") names.add(name);
    // Init containers run one after another, so each is looked at for itself: as if it were the only one.
    errors.push(...validateHostPorts([container], () => item(list, 0)));
    const stays = getString(container, "restartPolicy") === "Always";
    errors.push(...(stays ? validateHandlers(container, at, spec) : forbidHandlers(container, at)));
    return errors;
  });
}

function validateChoices(spec: JsonObject, field: string): FieldError[] {
  return [
    ...choiceErrors(spec, field, "restartPolicy", ["Always", "OnFailure", "Never"]),
    ...choiceErrors(spec, field, "dnsPolicy", [
      "ClusterFirstWithHostNet",
      "ClusterFirst",
      "Default",
      "None",
    ]),
  ];
}

function validateGates(spec: JsonObject, field: string): FieldError[] {
  const seen = new Set<string>();
  return [
    ...objects(spec, "readinessGates").flatMap((gate, index) => {
      const type = getString(gate, "conditionType");
      const at = child(item(child(field, "readinessGates"), index), "conditionType");
      return qualifiedName(type).map((text) => invalidValue(at, type, text));
    }),
    ...objects(spec, "schedulingGates").flatMap((gate, index) => {
      const name = getString(gate, "name");
      const at = item(child(field, "schedulingGates"), index);
      const errors = qualifiedName(name).map((text) => invalidValue(at, name, text));
      if (seen.has(name)) errors.push(duplicate(at, name));
      seen.add(name);
      return errors;
    }),
  ];
}

function nameErrors(spec: JsonObject, field: string, ...names: string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = getString(spec, name);
    if (value === "") return [];
    return dnsSubdomain(value).map((text) => invalidValue(child(field, name), value, text));
  });
}

function validateDeadline(spec: JsonObject, field: string): FieldError[] {
  const deadline = getOwn(spec, "activeDeadlineSeconds");
  if (!isNumber(deadline) || (deadline >= 1 && deadline <= MAX_INT32)) return [];
  const text = `must be between 1 and ${MAX_INT32}, inclusive`;
  return [invalidValue(child(field, "activeDeadlineSeconds"), deadline, text)];
}

/** Returns the errors of the runtime class, the preemption policy and the overhead. */
function validateRuntime(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const runtime = getOwn(spec, "runtimeClassName");
  if (typeof runtime === "string") {
    const at = child(field, "runtimeClassName");
    errors.push(...dnsSubdomain(runtime).map((text) => invalidValue(at, runtime, text)));
  }
  if (typeof getOwn(spec, "preemptionPolicy") === "string") {
    const known = ["PreemptLowerPriority", "Never"];
    errors.push(...choiceErrors(spec, field, "preemptionPolicy", known));
  }
  const overhead = getOwn(spec, "overhead");
  if (!isObject(overhead)) return errors;
  const limits = { limits: overhead };
  const at = child(field, "overhead");
  return [...errors, ...validateResources(limits, at, containerResourceErrors, new Set())];
}

import type { KubeObject } from "@kubeloop/controller/types";
import {
  badRequest,
  type FieldError,
  getString,
  invalid,
  type JsonObject,
} from "../../values/mod.ts";
import { toCoreEvent } from "../event_view.ts";
import type { KindInfo } from "../../schema/mod.ts";
import { validateCrdName, validateCrdSpec, validateCrdUpdate } from "./crd_validation.ts";
import {
  validateConfigMap,
  validateImmutableData,
  validateNamespace,
  validateNode,
  validateSecret,
  validateSecretUpdate,
} from "./core_kinds.ts";
import {
  uncheckedRules,
  validateCustom,
  validateCustomStatus,
  validateTypeMeta,
} from "./custom.ts";
import { validateEvent, validateNewStyleEvent, validateNewStyleEventUpdate } from "./event.ts";
import {
  validateDisruptionBudget,
  validateLease,
  validateRole,
  validateRoleBinding,
  validateRoleBindingUpdate,
} from "./group_kinds.ts";
import {
  type FinalizerRule,
  type NameRule,
  validateMeta,
  validateMetaUpdate,
} from "./object_meta.ts";
import { validatePod, validatePodSpecUpdate, validatePodStatusUpdate } from "./pod.ts";
import { validateService, validateServiceStatus, validateServiceUpdate } from "./service.ts";
import {
  validateDeployment,
  validateJob,
  validateJobUpdate,
  validateReplicaSet,
  validateSelectorUpdate,
} from "./workloads.ts";
import {
  validateDeploymentStatus,
  validateNamespaceStatus,
  validateReplicaSetStatus,
} from "./status.ts";

/** How the objects of one kind are checked. */
interface KindChecks {
  /** The rule for names; absent: the kind leaves its metadata to what all kinds have. */
  readonly names?: NameRule;
  /** The rule for finalizers. Default `qualified`. */
  readonly finalizers?: FinalizerRule;
  /** Whether an update checks the whole object again. */
  readonly again: boolean;
  /** What is wrong with an object, but its metadata. */
  readonly object?: (object: JsonObject) => FieldError[];
  /** What is wrong with a change. */
  readonly change?: (next: JsonObject, old: JsonObject) => FieldError[];
  /** What is wrong with a change of the status. */
  readonly status?: (next: JsonObject, old: JsonObject) => FieldError[];
}

const ROLE: KindChecks = {
  names: "pathSegment",
  again: true,
  object: (role) => validateRole(role, true),
};
const ROLE_BINDING: KindChecks = {
  names: "pathSegment",
  again: true,
  object: (binding) => validateRoleBinding(binding, true),
  change: validateRoleBindingUpdate,
};

/** Kinds whose objects are checked before their change is. */
const CHECKED_BEFORE_CHANGE: ReadonlySet<string> = new Set([
  "Pod",
  "Node",
  "Job",
  "RoleBinding",
  "ClusterRoleBinding",
]);

const CHECKS: Readonly<Record<string, KindChecks>> = {
  "/Pod": {
    names: "subdomain",
    again: true,
    object: validatePod,
    change: validatePodSpecUpdate,
    status: validatePodStatusUpdate,
  },
  "/ConfigMap": {
    names: "subdomain",
    again: true,
    object: validateConfigMap,
    change: (next, old) => validateImmutableData(next, old, ["data", "binaryData"]),
  },
  "/Secret": {
    names: "subdomain",
    again: true,
    object: validateSecret,
    change: validateSecretUpdate,
  },
  "/Service": {
    names: "dns1035",
    again: false,
    object: validateService,
    change: (next, old) => [...validateServiceUpdate(next, old), ...validateService(next)],
    status: validateServiceStatus,
  },
  "/ServiceAccount": { names: "subdomain", again: true },
  "/Namespace": {
    names: "label",
    again: true,
    object: validateNamespace,
    status: validateNamespaceStatus,
  },
  "/Node": { names: "subdomain", again: true, object: validateNode, change: validateNode },
  "apps/Deployment": {
    names: "subdomain",
    again: false,
    object: validateDeployment,
    change: (next, old) => [...validateDeployment(next), ...validateSelectorUpdate(next, old)],
    status: validateDeploymentStatus,
  },
  "apps/ReplicaSet": {
    names: "subdomain",
    again: false,
    object: validateReplicaSet,
    change: (next, old) => [...validateReplicaSet(next), ...validateSelectorUpdate(next, old)],
    status: validateReplicaSetStatus,
  },
  "batch/Job": { names: "subdomain", again: true, object: validateJob, change: validateJobUpdate },
  "coordination.k8s.io/Lease": {
    names: "subdomain",
    finalizers: "any",
    again: false,
    object: validateLease,
    change: validateLease,
  },
  "policy/PodDisruptionBudget": {
    again: false,
    object: validateDisruptionBudget,
    change: validateDisruptionBudget,
  },
  "rbac.authorization.k8s.io/Role": ROLE,
  "rbac.authorization.k8s.io/ClusterRole": { ...ROLE, object: (role) => validateRole(role, false) },
  "rbac.authorization.k8s.io/RoleBinding": ROLE_BINDING,
  "rbac.authorization.k8s.io/ClusterRoleBinding": {
    ...ROLE_BINDING,
    object: (binding) => validateRoleBinding(binding, false),
  },
  "apiextensions.k8s.io/CustomResourceDefinition": {
    names: "subdomain",
    finalizers: "any",
    again: false,
    object: (crd) => [...validateCrdName(crd), ...validateCrdSpec(crd)],
    change: (next, old) => [...validateCrdSpec(next), ...validateCrdUpdate(next, old)],
  },
};

const NO_CHECKS: KindChecks = { again: false };

function checksOf(kind: KindInfo): KindChecks {
  const id = `${kind.group}/${kind.kind}`;
  return Object.hasOwn(CHECKS, id) ? CHECKS[id]! : NO_CHECKS;
}

/**
 * Checks a new object, its name, uid and namespace being set.
 *
 * @throws {ApiError} 422 with every cause, in the order of the real server.
 */
export function validateCreate(kind: KindInfo, object: KubeObject): void {
  const json = object as unknown as JsonObject;
  let errors: FieldError[];
  if (kind.custom !== undefined) {
    errors = validateTypeMeta(kind, json);
    if (errors.length === 0) {
      errors = [
        ...validateMeta(json, kind.namespaced, "subdomain", "any"),
        ...validateCustom(kind.custom, json),
      ];
      errors.push(...uncheckedRules(kind.custom, errors));
    }
  } else if (kind.kind === "Event") errors = validateNewEvent(kind, object);
  else {
    const { names, finalizers = "qualified", object: check } = checksOf(kind);
    errors = [
      ...(names === undefined ? [] : validateMeta(json, kind.namespaced, names, finalizers)),
      ...(check?.(json) ?? []),
    ];
  }
  // What every kind has, however little it checks itself.
  if (errors.length === 0) errors = validateMeta(json, kind.namespaced, "pathSegment", "any");
  refuse(kind, json, errors);
}

function validateNewEvent(kind: KindInfo, object: KubeObject): FieldError[] {
  const event = toCoreEvent(object) as unknown as JsonObject;
  const strict = kind.group !== "";
  const errors = validateEvent(event, strict);
  if (!strict) return errors;
  return [
    ...errors,
    ...validateMeta(event, true, "subdomain", "qualified"),
    ...validateNewStyleEvent(event),
  ];
}

/**
 * Checks a change.
 *
 * @param next The object as it shall be stored.
 * @param old The object as it is.
 * @param subresource The part that the request writes; empty for the object.
 * @throws {ApiError} 422 with every cause. Some causes come twice or more, as from the real server, which checks twice.
 */
export function validateUpdate(
  kind: KindInfo,
  next: KubeObject,
  old: KubeObject,
  subresource = "",
): void {
  const json = next as unknown as JsonObject;
  const before = old as unknown as JsonObject;
  const errors = [
    ...validateMeta(json, kind.namespaced, "pathSegment", "any"),
    ...validateMetaUpdate(json, before, "any"),
  ];
  if (kind.custom !== undefined) errors.push(...customUpdate(kind, json, before, subresource));
  else if (kind.kind === "Event") errors.push(...eventUpdate(kind, next, old));
  else errors.push(...builtinUpdate(kind, json, before, subresource));
  refuse(kind, json, errors);
}

function customUpdate(
  kind: KindInfo,
  next: JsonObject,
  old: JsonObject,
  subresource: string,
): FieldError[] {
  const custom = kind.custom!;
  const wrong = validateTypeMeta(kind, next);
  if (wrong.length > 0) return wrong;
  const errors = [
    ...validateMetaUpdate(next, old, "any"),
    ...(subresource === "status"
      ? validateCustomStatus(custom, next, old)
      : validateCustom(custom, next, old)),
  ];
  return [...errors, ...uncheckedRules(custom, errors)];
}

function eventUpdate(kind: KindInfo, next: KubeObject, old: KubeObject): FieldError[] {
  const event = toCoreEvent(next) as unknown as JsonObject;
  const before = toCoreEvent(old) as unknown as JsonObject;
  const errors = validateEvent(event, kind.group !== "");
  if (kind.group === "") return errors;
  return [
    ...errors,
    ...validateMetaUpdate(event, before, "qualified"),
    ...validateNewStyleEventUpdate(event, before),
  ];
}

function builtinUpdate(
  kind: KindInfo,
  next: JsonObject,
  old: JsonObject,
  subresource: string,
): FieldError[] {
  const { names, finalizers = "qualified", again, object, change, status } = checksOf(kind);
  const errors = names === undefined ? [] : validateMetaUpdate(next, old, finalizers);
  if (subresource === "status") return [...errors, ...(status?.(next, old) ?? [])];
  // The order of the parts is each kind's own in the real server; a Pod is checked before its change.
  const whole = again && names !== undefined
    ? [...validateMeta(next, kind.namespaced, names, finalizers), ...(object?.(next) ?? [])]
    : [];
  const changed = change?.(next, old) ?? [];
  return CHECKED_BEFORE_CHANGE.has(kind.kind)
    ? [...errors, ...whole, ...changed]
    : [...errors, ...changed, ...whole];
}

function refuse(kind: KindInfo, object: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  // Events live in the core group, whichever API they come through; a custom resource is called what it says it is.
  const group = kind.kind === "Event" && kind.custom === undefined ? "" : kind.group;
  const named = kind.custom === undefined ? kind.kind : getString(object, "kind");
  throw invalid({ group, kind: named }, getString(object, "metadata", "name"), errors);
}

/**
 * Checks that the object of a body is the one of the path.
 *
 * @throws {ApiError} 400 when it has another name, or none.
 */
export function checkNameMatches(name: string, object: KubeObject): void {
  const given = object.metadata?.name ?? "";
  if (given === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) {
    throw badRequest(
      `the name of the object (${given}) does not match the name on the URL (${name})`,
    );
  }
}

/**
 * Checks that the object of a body is in the namespace of the path; an object that names none is.
 *
 * @throws {ApiError} 400 when it is in another.
 */
export function checkNamespaceMatches(namespace: string, object: KubeObject): void {
  const given = object.metadata?.namespace ?? "";
  // Where the path has none, the one of the body is dropped.
  if (given === "" || namespace === "" || given === namespace) return;
  throw badRequest(
    "the namespace of the provided object does not match the namespace sent on the request",
  );
}

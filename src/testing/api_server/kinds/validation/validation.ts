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
import { validateWebhooks } from "./webhook_configuration.ts";
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

/** The validation of one kind. */
interface KindChecks {
  /** The format of names. Absent if the kind has no metadata validation besides that of all kinds. */
  readonly names?: NameRule;
  /** The rule for finalizers. Default: `qualified`. */
  readonly finalizers?: FinalizerRule;
  /** Whether an update validates the whole object again, as a create does. */
  readonly again: boolean;
  /** Returns the errors of an object, except those of its metadata. */
  readonly object?: (object: JsonObject) => FieldError[];
  /** Returns the errors of an update. */
  readonly change?: (next: JsonObject, old: JsonObject) => FieldError[];
  /** Returns the errors of an update to the status. */
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

const WEBHOOKS: KindChecks = {
  names: "subdomain",
  finalizers: "any",
  again: true,
  object: validateWebhooks,
};

/** The kinds that report the errors of the whole object before those of the update. */
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
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": WEBHOOKS,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": WEBHOOKS,
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
 * Validates a new object, whose name, UID and namespace must be set.
 *
 * @throws {ApiError} 422 with all causes, in the order of the real server.
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
  // The metadata validation of all kinds, for kinds that have little or none of their own.
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
 * Validates an update.
 *
 * @param next The object that is to be stored.
 * @param old The current object.
 * @param subresource The subresource that the request writes; empty for the object itself.
 * @throws {ApiError} 422 with all causes. Some causes occur more than once, because the real server validates twice.
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
  // In the real server the order of these errors differs by kind.
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
  // The error names the core group for an Event of either API. For a custom resource, it names the kind that the object
  // itself has, even if that is not the kind of the resource.
  const group = kind.kind === "Event" && kind.custom === undefined ? "" : kind.group;
  const named = kind.custom === undefined ? kind.kind : getString(object, "kind");
  throw invalid({ group, kind: named }, getString(object, "metadata", "name"), errors);
}

/**
 * Checks that the name of the object in the request body matches the name in the path.
 *
 * @throws {ApiError} 400, if the object has no name or another name.
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
 * Checks that the namespace of the object in the request body matches the namespace in the path. An object without a
 * namespace matches.
 *
 * @throws {ApiError} 400, if the object has another namespace.
 */
export function checkNamespaceMatches(namespace: string, object: KubeObject): void {
  const given = object.metadata?.namespace ?? "";
  // If the path has no namespace, the handlers drop the namespace of the body.
  if (given === "" || namespace === "" || given === namespace) return;
  throw badRequest(
    "the namespace of the provided object does not match the namespace sent on the request",
  );
}

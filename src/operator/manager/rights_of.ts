import {
  CustomResourceDefinitions,
  Leases,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { type CacheScope, type ControllerPlan, writesStatus } from "../builder/mod.ts";
import { CLUSTER_EVENTS_NAMESPACE, EventsV1 } from "../../events/mod.ts";
import type { WebhookPermission } from "../../webhooks/mod.ts";
import { RequestGuard, type Right } from "../../rights/mod.ts";
import type { ManagerOptions } from "./manager_options.ts";
import type { Part } from "./parts.ts";

/** The declarations of a manager that determine its rights. */
export interface ManagerDeclarations {
  readonly options: ManagerOptions;
  /** The default namespace of Leases. */
  readonly namespace: string | undefined;
  readonly plans: readonly ControllerPlan[];
  readonly parts: readonly Part[];
  readonly webhooks: readonly WebhookPermission[];
}

/** Returns the rights of a manager and of its parts. */
export function rightsOf(
  { options, namespace, plans, parts, webhooks }: ManagerDeclarations,
): Right[] {
  return [
    ...plans.flatMap((plan) => rightsOfPlan(plan, options.namespaces)),
    ...rightsOfLeases(options, namespace),
    ...(options.definitions ?? []).map((definition) => ({
      resource: CustomResourceDefinitions,
      resourceNames: [resourceName(definition)],
      verbs: ["get", "list", "watch", "create", "patch"],
    })),
    ...rightsOfWebhooks(webhooks),
    ...(options.protectEndpoints === true ? RequestGuard.rights : []),
    ...parts.flatMap(({ rights = [] }) => rights),
  ];
}

function rightsOfLeases(
  { leaderElection, sharding }: ManagerOptions,
  clientNamespace: string | undefined,
): Right[] {
  const { name, namespace = clientNamespace } = leaderElection ?? sharding ?? {};
  if (name === undefined || namespace === undefined) return [];
  const right = { resource: Leases, namespace };
  // The Leases of a sharding are created and deleted, with generated names.
  return sharding === undefined
    ? [{ ...right, verbs: ["get", "create", "update"], resourceNames: [name] }]
    : [{ ...right, verbs: ["get", "list", "create", "update", "delete"] }];
}

function rightsOfPlan(plan: ControllerPlan, namespaces: readonly string[] | undefined): Right[] {
  const { resource, options, sources, finalizers, references, requiredRights } = plan;
  const everywhere = (right: Omit<Right, "namespace">, scope: CacheScope): Right[] =>
    inNamespaces(right, scope.namespaces ?? namespaces);
  const ownsAny = sources.some(({ how }) => how === "owns");
  return [
    // The object is read again if a write of its status or finalizer meets a conflict.
    ...everywhere({ resource, verbs: ["get", "list", "watch"] }, options),
    ...(writesStatus(plan)
      ? everywhere({ resource, subresource: "status", verbs: ["patch"] }, options)
      : []),
    // The admission plugin OwnerReferencesPermissionEnforcement requires this right for owner references.
    ...(ownsAny
      ? everywhere({ resource, subresource: "finalizers", verbs: ["update"] }, options)
      : []),
    ...(finalizers.size > 0 ? everywhere({ resource, verbs: ["patch"] }, options) : []),
    ...(options.events === false ? [] : everywhere(
      { resource: EventsV1, verbs: ["create", "patch"] },
      // Events about cluster-scoped objects are in this namespace.
      resource.namespaced ? options : { namespaces: [CLUSTER_EVENTS_NAMESPACE] },
    )),
    ...sources.flatMap(({ how, resource: kind, scope }) =>
      everywhere({
        resource: kind,
        verbs: how === "owns" ? ["list", "watch", "create", "patch", "delete"] : ["list", "watch"],
      }, scope)
    ),
    ...references.flatMap(({ resource: kind }) =>
      everywhere({ resource: kind, verbs: ["list", "watch"] }, {})
    ),
    ...requiredRights.flatMap(({ resource: kind, verbs, subresource }) =>
      everywhere({ resource: kind, verbs, subresource }, options)
    ),
  ];
}

function inNamespaces(
  right: Omit<Right, "namespace">,
  namespaces: readonly string[] | undefined,
): Right[] {
  const resource: ResourceDescriptor = right.resource;
  if (namespaces === undefined || !resource.namespaced) return [right];
  return namespaces.map((namespace) => ({ ...right, namespace }));
}

function rightsOfWebhooks(permissions: readonly WebhookPermission[]): Right[] {
  return permissions.flatMap(({ namespace, apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.map((plural) => ({
        resource: { group, plural, version: "", kind: plural, namespaced: namespace !== undefined },
        namespace,
        resourceNames,
        verbs,
      }))
    )
  );
}

import {
  CustomResourceDefinitions,
  Leases,
  Namespaces,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { type CacheScope, type ControllerPlan, writesStatus } from "../builder/mod.ts";
import { CLUSTER_EVENTS_NAMESPACE, EventsV1 } from "../../events/mod.ts";
import type { WebhookPermission } from "../../webhooks/mod.ts";
import { type RbacOptions, RequestGuard, type Right } from "../../rights/mod.ts";
import type { ManagerOptions } from "./manager_options.ts";
import type { Part } from "./parts.ts";
import type { NamespaceSelection } from "./selected_namespaces.ts";

/** The declarations of a manager that determine its rights. */
export interface ManagerDeclarations {
  readonly options: ManagerOptions;
  /** The default namespace of Leases. */
  readonly namespace: string | undefined;
  readonly plans: readonly ControllerPlan[];
  readonly parts: readonly Part[];
  readonly webhooks: readonly WebhookPermission[];
  /** Whether the definitions of optional kinds are watched. */
  readonly watchesDefinitions: boolean;
}

/** Returns the rights of a manager and of its parts. */
export function rightsOf(
  { options, namespace, plans, parts, webhooks, watchesDefinitions }: ManagerDeclarations,
): Right[] {
  const { namespaces } = options;
  const fixed = isSelection(namespaces) ? undefined : namespaces;
  return [
    ...plans.flatMap((plan) => rightsOfPlan(plan, fixed)),
    ...(isSelection(namespaces) ? [{ resource: Namespaces, verbs: ["list", "watch"] }] : []),
    ...(watchesDefinitions
      ? [{ resource: CustomResourceDefinitions, verbs: ["list", "watch"] }]
      : []),
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

/** Returns the options of `rbacYaml` for rights to namespaced resources that have no namespace of their own. */
export function rightsScope(
  namespaces: ManagerOptions["namespaces"],
): Pick<RbacOptions, "namespaces" | "namespaceSelector"> {
  return isSelection(namespaces)
    ? { namespaces: namespaces.names ?? [], namespaceSelector: namespaces.labelSelector }
    : { namespaces };
}

/** Returns the rights to check at the start. The namespaces with the label are not known then. */
export function checkedRights(
  rights: readonly Right[],
  namespaces: ManagerOptions["namespaces"],
): Right[] {
  if (!isSelection(namespaces)) return [...rights];
  return rights.flatMap((right) =>
    right.namespace === undefined ? inNamespaces(right, namespaces.names ?? []) : [right]
  );
}

function isSelection(namespaces: ManagerOptions["namespaces"]): namespaces is NamespaceSelection {
  return namespaces !== undefined && "labelSelector" in namespaces;
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

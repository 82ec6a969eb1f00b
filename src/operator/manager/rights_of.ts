import {
  CustomResourceDefinitions,
  Leases,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { type CacheScope, type ControllerPlan, writesStatus } from "../builder/mod.ts";
import { CLUSTER_EVENTS_NAMESPACE, EventsV1 } from "../../events/mod.ts";
import type { WebhookPermission } from "../../webhooks/mod.ts";
import type { Right } from "../../rights/mod.ts";

/** The parts of a manager that need rights, besides its controllers. */
export interface RightsOptions {
  /** The namespaces of the manager; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The Lease of leader election, or the name of the sharding; undefined without both. */
  readonly lease: { readonly name: string; readonly namespace: string } | undefined;
  /** Whether the Leases are created and deleted, as for sharding. */
  readonly hasShards: boolean;
  /** The custom resources to install. */
  readonly definitions: readonly ResourceDescriptor[];
}

/** Returns the rights of controllers, according to their declarations, and of the other parts. */
export function rightsOf(plans: readonly ControllerPlan[], options: RightsOptions): Right[] {
  const { lease } = options;
  return [
    ...plans.flatMap((plan) => rightsOfPlan(plan, options.namespaces)),
    ...(lease === undefined ? [] : [{
      resource: Leases,
      namespace: lease.namespace,
      ...(options.hasShards
        ? { verbs: ["get", "list", "create", "update", "delete"] }
        : { verbs: ["get", "create", "update"], resourceNames: [lease.name] }),
    }]),
    ...options.definitions.map((definition) => ({
      resource: CustomResourceDefinitions,
      resourceNames: [resourceName(definition)],
      verbs: ["get", "list", "watch", "create", "patch"],
    })),
  ];
}

function rightsOfPlan(plan: ControllerPlan, namespaces: readonly string[] | undefined): Right[] {
  const { resource, options, sources, finalizers, requiredRights } = plan;
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

/** Returns the permissions of a webhook server as rights. */
export function rightsOfWebhooks(permissions: readonly WebhookPermission[]): Right[] {
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

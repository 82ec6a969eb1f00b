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

/** What the parts of a manager need besides the controllers. */
export interface RightsOptions {
  /** The namespaces of the manager; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The Lease of leader election, or the prefix of those of sharding; undefined if there is none. */
  readonly lease: { readonly name: string; readonly namespace: string } | undefined;
  /** Whether Leases come and go, as those of sharding do. */
  readonly hasShards: boolean;
  /** The custom resources that are installed at the start. */
  readonly definitions: readonly ResourceDescriptor[];
}

/** Returns the rights that controllers need, as far as their declarations tell. */
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
  const { resource, options, sources, finalizers, needs } = plan;
  const everywhere = (right: Omit<Right, "namespace">, scope: CacheScope): Right[] =>
    inNamespaces(right, scope.namespaces ?? namespaces);
  const ownsAny = sources.some(({ how }) => how === "owns");
  return [
    // The object is read when somebody has changed it before a status or a finalizer is written.
    ...everywhere({ resource, verbs: ["get", "list", "watch"] }, options),
    ...(writesStatus(plan)
      ? everywhere({ resource, subresource: "status", verbs: ["patch"] }, options)
      : []),
    // The API server may ask for this right before an owner can block its deletion.
    ...(ownsAny
      ? everywhere({ resource, subresource: "finalizers", verbs: ["update"] }, options)
      : []),
    ...(finalizers.size > 0 ? everywhere({ resource, verbs: ["patch"] }, options) : []),
    ...(options.events === false ? [] : everywhere(
      { resource: EventsV1, verbs: ["create", "patch"] },
      // Events about objects without a namespace are in this one, whatever the namespaces of the caches.
      resource.namespaced ? options : { namespaces: [CLUSTER_EVENTS_NAMESPACE] },
    )),
    ...sources.flatMap(({ how, resource: kind, scope }) =>
      everywhere({
        resource: kind,
        verbs: how === "owns" ? ["list", "watch", "create", "patch", "delete"] : ["list", "watch"],
      }, scope)
    ),
    ...needs.flatMap(({ resource: kind, verbs, subresource }) =>
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

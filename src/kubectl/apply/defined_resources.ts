import { isRecord } from "@kubeloop/controller/internal/base";
import type { ResourceDescriptor } from "@kubeloop/controller/types";
import { isDefinition } from "./kind_order.ts";
import type { Manifest } from "./manifests.ts";

/**
 * Returns the resources of the CustomResourceDefinitions among the objects, by `apiVersion/kind`: discovery has them only some
 * time after the definitions are applied. Invalid definitions are skipped, because the server rejects them with a message.
 */
export function definedResources(
  manifests: readonly Manifest[],
): ReadonlyMap<string, ResourceDescriptor> {
  const resources = new Map<string, ResourceDescriptor>();
  for (const { object } of manifests) {
    const { spec } = object as { spec?: unknown };
    if (!isDefinition(object) || !isRecord(spec) || !isRecord(spec.names)) continue;
    const { group, scope, names: { kind, plural } } = spec as Record<string, unknown> & {
      names: Record<string, unknown>;
    };
    if (typeof group !== "string" || typeof kind !== "string" || typeof plural !== "string") {
      continue;
    }
    for (const one of Array.isArray(spec.versions) ? spec.versions : []) {
      const version: unknown = isRecord(one) && one.served === true ? one.name : undefined;
      if (typeof version !== "string") continue;
      const namespaced = scope === "Namespaced";
      resources.set(`${group}/${version}/${kind}`, { group, version, plural, kind, namespaced });
    }
  }
  return resources;
}

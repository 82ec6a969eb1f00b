import type { ResourceDescriptor } from "../types/mod.ts";

/** The right to use verbs on the objects of a resource. */
export interface Right {
  /** The resource. Its version does not matter. */
  readonly resource: ResourceDescriptor;
  /** The subresource, such as `status`. Default: the object itself. */
  readonly subresource?: string | undefined;
  /** The verbs, such as `get`, `list` and `patch`; `*` for all. */
  readonly verbs: readonly string[];
  /** The namespace, for a namespaced resource. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** The names of the objects. Default: all objects. */
  readonly resourceNames?: readonly string[] | undefined;
}

/** The scope of a right: a namespace, or the empty string for the whole cluster. */
export type Scope = string;

export function scopeOf({ resource, namespace = "" }: Right): Scope {
  return resource.namespaced ? namespace : "";
}

/** Returns the resource of a right as in RBAC rules, such as `pods/status`. */
export function ruleResourceOf({ resource, subresource = "" }: Right): string {
  return subresource === "" ? resource.plural : `${resource.plural}/${subresource}`;
}

/**
 * Requires that each right has a resource and verbs.
 *
 * @throws {TypeError} If a right is incomplete.
 */
export function requireRightList(what: string, rights: readonly Right[]): void {
  rights.forEach((right, index) => {
    const { resource, verbs, resourceNames } = right ?? {};
    const reason = typeof resource?.plural !== "string" || typeof resource.group !== "string"
      ? "has no resource: give a descriptor, as defineResource() returns it"
      : !isTextList(verbs)
      ? 'has no verbs: give a list, as in ["get", "list"]'
      : resourceNames !== undefined && !isTextList(resourceNames)
      ? "has resourceNames that are no list of names"
      : undefined;
    if (reason !== undefined) throw new TypeError(`Cannot ${what}: right ${index + 1} ${reason}`);
  });
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "");
}

import type { ResourceInfo } from "./resource_info.ts";

/** Resources that can be found by their path, and by their group. */
export class ResourceTable {
  /** The resources by `group/version/plural`, in the order in which they were added. */
  readonly #resources = new Map<string, ResourceInfo>();
  readonly #groups = new Map<string, Set<ResourceInfo>>();

  /** Returns the resource with that group, version and plural name. */
  find(group: string, version: string, plural: string): ResourceInfo | undefined {
    return this.#resources.get(`${group}/${version}/${plural}`);
  }

  /** Returns all resources, in the order in which they were added. */
  all(): Iterable<ResourceInfo> {
    return this.#resources.values();
  }

  /** Returns the resources of a group. */
  ofGroup(group: string): Iterable<ResourceInfo> {
    return this.#groups.get(group) ?? [];
  }

  /** Reports whether a group has resources. */
  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Adds a resource. */
  add(info: ResourceInfo): void {
    this.#resources.set(keyOf(info), info);
    const group = this.#groups.get(info.group);
    if (group === undefined) this.#groups.set(info.group, new Set([info]));
    else group.add(info);
  }

  /** Removes a resource. */
  delete(info: ResourceInfo): void {
    this.#resources.delete(keyOf(info));
    const group = this.#groups.get(info.group);
    group?.delete(info);
    if (group?.size === 0) this.#groups.delete(info.group);
  }
}

function keyOf({ definition: { group, version, plural } }: ResourceInfo): string {
  return `${group}/${version}/${plural}`;
}

import { type ResourceDescriptor, resourceName } from "@kubeloop/controller/types";
import { BUILTIN_RESOURCES } from "./builtin_resources.ts";
import { builtinSchema, type KindInfo } from "../schema/mod.ts";
import { toCoreEvent, toEventsEvent } from "./event_view.ts";
import { type ResourceDefinition, ResourceInfo } from "./resource_info.ts";

/**
 * The served resources: the built-in ones always, custom resources as long as their CustomResourceDefinitions serve
 * them.
 */
export class ResourceRegistry {
  /** The resources by `group/version/plural`. */
  readonly #resources = new Map<string, ResourceInfo>();
  /** The served versions of each custom resource, by the name of its CustomResourceDefinition. */
  readonly #custom = new Map<string, readonly ResourceInfo[]>();

  /** Creates a registry of the built-in resources. */
  constructor() {
    for (const definition of BUILTIN_RESOURCES) this.#add(builtinInfo(definition));
  }

  /** Returns the resource with that group, version and plural name. */
  find(group: string, version: string, plural: string): ResourceInfo | undefined {
    return this.#resources.get(`${group}/${version}/${plural}`);
  }

  /** Returns the resource that `descriptor` identifies. */
  get(descriptor: ResourceDescriptor): ResourceInfo | undefined {
    return this.find(descriptor.group, descriptor.version, descriptor.plural);
  }

  /** Returns all resources, in the order of discovery. */
  all(): ResourceInfo[] {
    return [...this.#resources.values()];
  }

  /** Returns the resources of one version of a group, sorted by plural name, as discovery lists them. */
  resourcesOf(group: string, version: string): ResourceInfo[] {
    return this.all()
      .filter(({ definition }) => definition.group === group && definition.version === version)
      .sort((a, b) => (a.plural < b.plural ? -1 : 1));
  }

  /** Returns the versions of a group, the preferred version first. Returns an empty list for an unknown group. */
  versions(group: string): string[] {
    const versions = new Set<string>();
    for (const resource of this.#resources.values()) {
      if (resource.group === group) versions.add(resource.definition.version);
    }
    return [...versions].sort(compareVersions);
  }

  /** Reports whether a group has no built-in resources. An unknown group has none. */
  isCustomGroup(group: string): boolean {
    for (const resource of this.#resources.values()) {
      if (resource.group === group && !resource.custom) return false;
    }
    return true;
  }

  /** Returns all groups except the core group, the built-in groups first. */
  groups(): string[] {
    const groups = new Set<string>();
    for (const resource of this.#resources.values()) {
      if (resource.group !== "") groups.add(resource.group);
    }
    return [...groups];
  }

  /** Serves the given versions of a custom resource, and stops serving all other versions of it. */
  setCustom(definitionName: string, versions: readonly ResourceInfo[]): void {
    this.removeCustom(definitionName);
    this.#custom.set(definitionName, versions);
    for (const info of versions) this.#add(info);
  }

  /** Stops serving a custom resource. Returns the versions that were served. */
  removeCustom(definitionName: string): readonly ResourceInfo[] {
    const served = this.#custom.get(definitionName) ?? [];
    for (const info of served) this.#resources.delete(keyOf(info));
    this.#custom.delete(definitionName);
    return served;
  }

  /** Returns the served versions of a custom resource. */
  customVersions(definitionName: string): readonly ResourceInfo[] {
    return this.#custom.get(definitionName) ?? [];
  }

  #add(info: ResourceInfo): void {
    this.#resources.set(keyOf(info), info);
  }
}

function keyOf({ definition }: ResourceInfo): string {
  return `${definition.group}/${definition.version}/${definition.plural}`;
}

function builtinInfo(definition: ResourceDefinition): ResourceInfo {
  const kind = kindOf(definition, definition.group);
  if (definition.group !== "events.k8s.io") return new ResourceInfo(definition, kind);
  // Both event APIs serve the same objects, which are stored as core/v1 Events.
  const core = { ...definition, group: "" };
  return new ResourceInfo(definition, kind, {
    name: resourceName(core),
    kind: kindOf(core, ""),
    conversion: { fromStorage: toEventsEvent, toStorage: toCoreEvent },
  });
}

function kindOf(definition: ResourceDefinition, group: string): KindInfo {
  const { version, kind, plural, namespaced } = definition;
  const schema = builtinSchema(group, version, kind);
  if (schema === undefined) {
    throw new Error(`No schema for built-in kind ${kind} of ${group}/${version}`);
  }
  return { group, version, kind, plural, namespaced, schema };
}

const VERSION = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

/**
 * Compares two versions in the order of preference of Kubernetes: GA before beta before alpha, and newer before older.
 * Names in another format come last, in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const left = VERSION.exec(a);
  const right = VERSION.exec(b);
  if (left === null || right === null) {
    return left === null && right === null ? (a < b ? -1 : a > b ? 1 : 0) : left === null ? 1 : -1;
  }
  const rank = (match: RegExpExecArray) => match[2] === "alpha" ? 0 : match[2] === "beta" ? 1 : 2;
  return rank(right) - rank(left) || Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

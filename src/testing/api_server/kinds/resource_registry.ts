import { compareApiVersions } from "@kubeloop/controller/internal/base";
import { type ResourceDescriptor, resourceName } from "@kubeloop/controller/types";
import { BUILTIN_KINDS } from "./builtin_kinds.ts";
import { builtinRecords } from "./record_of.ts";
import type { Release } from "../release/mod.ts";
import type { KindRecord, ResourceDefinition } from "./record/mod.ts";
import { apiVersionOf, type KindInfo, schemasOf } from "../schema/mod.ts";
import type { StructType } from "../../values/mod.ts";
import { ResourceInfo } from "./resource_info.ts";
import { ResourceTable } from "./resource_table.ts";

/**
 * The served resources: the built-in ones always, custom resources as long as their CustomResourceDefinitions serve
 * them.
 */
export class ResourceRegistry {
  readonly #builtin: ResourceTable;
  readonly #defined = new ResourceTable();
  /** The served versions of each custom resource, by the name of its CustomResourceDefinition. */
  readonly #custom = new Map<string, readonly ResourceInfo[]>();
  readonly #terminating = new Set<string>();
  /** The resources of aggregated API servers, for discovery only. */
  #aggregated: readonly ResourceInfo[] = [];

  /** The release of Kubernetes. */
  readonly release: Release;
  /** A number that changes whenever the custom resources do. */
  revision = 0;

  /** Creates a registry of the built-in resources that a release of Kubernetes has. */
  constructor(release: Release) {
    this.release = release;
    this.#builtin = builtinsOf(release);
  }

  /** Returns the resource with that group, version and plural name. */
  find(group: string, version: string, plural: string): ResourceInfo | undefined {
    return this.#builtin.find(group, version, plural) ?? this.#defined.find(group, version, plural);
  }

  /** Returns the resource that `descriptor` identifies. */
  get(descriptor: ResourceDescriptor): ResourceInfo | undefined {
    return this.find(descriptor.group, descriptor.version, descriptor.plural);
  }

  /** Returns all resources, in the order of discovery. */
  all(): ResourceInfo[] {
    return [...this.#builtin.all(), ...this.#defined.all()];
  }

  /** Returns the resources of one version of a group, sorted by plural name, as discovery lists them. */
  resourcesOf(group: string, version: string): ResourceInfo[] {
    return this.#ofGroup(group).filter(({ definition }) => definition.version === version)
      .sort((a, b) => (a.plural < b.plural ? -1 : 1));
  }

  /** Returns the versions of a group, the preferred version first. Returns an empty list for an unknown group. */
  versions(group: string): string[] {
    const versions = this.#ofGroup(group).map(({ definition }) => definition.version);
    return [...new Set(versions)].sort(compareApiVersions);
  }

  #ofGroup(group: string): ResourceInfo[] {
    return [
      ...this.#builtin.ofGroup(group),
      ...this.#defined.ofGroup(group),
      ...this.#aggregated.filter((resource) => resource.group === group),
    ];
  }

  /** Reports whether a group has no built-in resources. An unknown group has none. */
  isCustomGroup(group: string): boolean {
    return !this.#builtin.hasGroup(group);
  }

  /** Returns all groups except the core group, the built-in groups first. */
  groups(): string[] {
    const groups = new Set<string>();
    for (const resource of [...this.all(), ...this.#aggregated]) {
      if (resource.group !== "") groups.add(resource.group);
    }
    return [...groups];
  }

  /**
   * Serves the given versions of a custom resource, and stops serving all other versions of it. A built-in resource of
   * the same name stays.
   */
  setCustom(definitionName: string, versions: readonly ResourceInfo[]): void {
    this.removeCustom(definitionName);
    this.revision++;
    const own = versions.filter((info) => this.get(info.definition) === undefined);
    this.#custom.set(definitionName, own);
    for (const info of own) this.#defined.add(info);
  }

  /** Stops serving a custom resource. Returns the versions that were served. */
  removeCustom(definitionName: string): readonly ResourceInfo[] {
    const served = this.#custom.get(definitionName) ?? [];
    this.revision++;
    for (const info of served) this.#defined.delete(info);
    this.#custom.delete(definitionName);
    this.#terminating.delete(definitionName);
    return served;
  }

  /** Adds the resources of another API server to discovery. */
  setAggregated(resources: readonly ResourceInfo[]): void {
    this.#aggregated = resources;
    this.revision++;
  }

  /** Marks a custom resource whose definition is being deleted, until it is not served any more. */
  setTerminating(definitionName: string): void {
    this.#terminating.add(definitionName);
  }

  /** Reports whether the definition of a custom resource is being deleted. */
  isTerminating(definitionName: string): boolean {
    return this.#terminating.has(definitionName);
  }

  /** Returns the served versions of a custom resource. */
  customVersions(definitionName: string): readonly ResourceInfo[] {
    return this.#custom.get(definitionName) ?? [];
  }
}

/** The built-in resources by release. Servers share them, since nothing changes them. */
const builtins = new WeakMap<Release, ResourceTable>();

function builtinsOf(release: Release): ResourceTable {
  let table = builtins.get(release);
  if (table === undefined) {
    table = new ResourceTable();
    for (const { definition } of BUILTIN_KINDS) {
      const record = builtinRecords(release).get(`${apiVersionOf(definition)}/${definition.kind}`)!;
      const info = builtinInfo(record, release);
      if (info !== undefined) table.add(info);
    }
    builtins.set(release, table);
  }
  return table;
}

/** Returns a built-in resource; undefined if the release does not serve it. */
function builtinInfo(
  { definition, served, stored }: KindRecord,
  release: Release,
): ResourceInfo | undefined {
  if (!release.has(served)) return undefined;
  const kind = kindOf(definition, release);
  if (kind === undefined || stored === undefined) {
    return kind === undefined ? undefined : new ResourceInfo(definition, kind);
  }
  const { group, version, conversion } = stored;
  const original = { ...definition, group, version };
  return new ResourceInfo(definition, kind, {
    name: resourceName(original),
    kind: kindOf(original, release) ?? kind,
    conversion,
  });
}

function kindOf(definition: ResourceDefinition, release: Release): KindInfo | undefined {
  const { group, version, kind, plural, namespaced } = definition;
  const schemas = schemasOf(release.minor);
  if (!schemas.has(group, version, kind)) return undefined;
  let schema: StructType | undefined;
  return {
    group,
    version,
    kind,
    plural,
    namespaced,
    release,
    // Reading the tables of all kinds would take most of the time in which a server starts.
    get schema() {
      return schema ??= schemas.kind(group, version, kind)!;
    },
  };
}

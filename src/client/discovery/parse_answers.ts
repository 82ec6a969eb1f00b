import { isRecord } from "../../base/mod.ts";
import type { DiscoveredResource } from "./discovered_resource.ts";

/** A version of a group, with the resources in it if the answer has them. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  /** Undefined if they must be read from the path of the version. */
  readonly resources: readonly DiscoveredResource[] | undefined;
  /** Whether an API server behind this one did not answer, so that resources may be missing. */
  readonly isStale: boolean;
}

/**
 * Reads the answer to `/api` or `/apis`: an APIGroupDiscoveryList, which has everything; or APIVersions and an
 * APIGroupList of older servers, which only have the versions. The preferred version of each group is first.
 *
 * @returns The versions; undefined if the answer is neither.
 */
export function parseGroups(answer: unknown): GroupVersion[] | undefined {
  if (!isRecord(answer)) return undefined;
  switch (answer.kind) {
    case "APIGroupDiscoveryList":
      return records(answer.items).flatMap(aggregatedGroup);
    case "APIVersions":
      return strings(answer.versions).map((version) => unread("", version));
    case "APIGroupList":
      return records(answer.groups).flatMap(listedGroup);
    default:
      return undefined;
  }
}

function aggregatedGroup({ metadata, versions }: Record<string, unknown>): GroupVersion[] {
  const group = isRecord(metadata) ? text(metadata.name) : "";
  return records(versions).filter((one) => text(one.version) !== "").map((one) => {
    const version = text(one.version);
    const resources = records(one.resources).flatMap((resource) =>
      aggregatedResource(resource, group, version)
    );
    return { group, version, resources, isStale: one.freshness === "Stale" };
  });
}

function aggregatedResource(
  one: Record<string, unknown>,
  group: string,
  version: string,
): DiscoveredResource[] {
  const kind = isRecord(one.responseKind) ? text(one.responseKind.kind) : "";
  return resourceOf({
    group,
    version,
    plural: text(one.resource),
    kind,
    namespaced: one.scope === "Namespaced",
    singular: text(one.singularResource),
    shortNames: strings(one.shortNames),
    categories: strings(one.categories),
    verbs: strings(one.verbs),
    subresources: records(one.subresources).map((sub) => text(sub.subresource)),
  });
}

function listedGroup({ name, versions, preferredVersion }: Record<string, unknown>) {
  const group = text(name);
  const preferred = isRecord(preferredVersion) ? preferredVersion.version : undefined;
  const names = records(versions).map(({ version }) => text(version)).filter((one) => one !== "");
  names.sort((a, b) => Number(b === preferred) - Number(a === preferred));
  return group === "" ? [] : names.map((version) => unread(group, version));
}

function unread(group: string, version: string): GroupVersion {
  return { group, version, resources: undefined, isStale: false };
}

/**
 * Reads an APIResourceList, which describes one version of a group.
 *
 * @returns The resources; undefined if the answer is something else.
 */
export function parseResources(
  answer: unknown,
  { group, version }: GroupVersion,
): DiscoveredResource[] | undefined {
  if (!isRecord(answer) || answer.kind !== "APIResourceList") return undefined;
  const all = records(answer.resources);
  const subresources = subresourcesOf(all.map(({ name }) => text(name)));
  return all.flatMap((one) =>
    resourceOf({
      group,
      version,
      plural: text(one.name),
      kind: text(one.kind),
      namespaced: one.namespaced === true,
      singular: text(one.singularName),
      shortNames: strings(one.shortNames),
      categories: strings(one.categories),
      verbs: strings(one.verbs),
      subresources: subresources.get(text(one.name)) ?? [],
    })
  );
}

/** Returns the subresources among names such as `pods/log`, by their resource. */
function subresourcesOf(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const slash = name.indexOf("/");
    if (slash < 0) continue;
    const resource = name.slice(0, slash);
    const known = found.get(resource);
    if (known === undefined) found.set(resource, [name.slice(slash + 1)]);
    else known.push(name.slice(slash + 1));
  }
  return found;
}

/** Returns a resource in an array, which is empty for subresources and for what has no name or kind. */
function resourceOf(resource: DiscoveredResource): DiscoveredResource[] {
  const { plural, kind, singular } = resource;
  if (plural === "" || plural.includes("/") || kind === "") return [];
  return [Object.freeze({ ...resource, singular: singular || kind.toLowerCase() })];
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

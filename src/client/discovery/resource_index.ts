import { editDistance, type Redact, visibleText } from "../../base/mod.ts";
import { apiVersionOf, resourceName } from "../../types/mod.ts";
import type { DiscoveredResource, GroupVersionKind } from "./discovered_resource.ts";
import { markUnknown, NoMatchError } from "./no_match_error.ts";
import type { ReadResources } from "./read_resources.ts";

/** The largest number of similar kinds that an error names. */
const MAX_SIMILAR = 3;
/** The longest name that an error shows, in characters; names of resources are at most 253. */
const MAX_SHOWN = 253;

/** The resources of a server, to be looked up. */
export class ResourceIndex {
  readonly #resources: readonly DiscoveredResource[];
  readonly #missing: readonly string[];
  readonly #redact: Redact;
  readonly #byKind = new Map<string, DiscoveredResource>();

  /** @param redact Hides credentials in the names of the server, which errors repeat. */
  constructor({ resources, missing }: ReadResources, redact: Redact = (text) => text) {
    this.#redact = redact;
    this.#resources = resources;
    this.#missing = missing;
    for (const resource of resources) {
      const key = kindKey({ apiVersion: apiVersionOf(resource), kind: resource.kind });
      if (!this.#byKind.has(key)) this.#byKind.set(key, resource);
    }
  }

  /** All resources. */
  get resources(): readonly DiscoveredResource[] {
    return this.#resources;
  }

  /** Returns the resource of a kind, in exactly that version. */
  ofKind(kind: GroupVersionKind): DiscoveredResource | undefined {
    return this.#byKind.get(kindKey(kind));
  }

  /**
   * Returns the resource that kubectl would take for a name: the plural, the singular, a short name or the kind, alone
   * or with a group or with a version and a group. If several groups have it, the first one; of a group, the preferred
   * version.
   */
  ofName(name: string): DiscoveredResource | undefined {
    const [first = "", second = "", ...rest] = name.toLowerCase().split(".");
    const versioned = this.#resources.filter(({ group, version }) =>
      version === second && group === rest.join(".")
    );
    if (name.split(".").length > 2) {
      const found = best(versioned, first);
      if (found !== undefined) return found;
    }
    const wanted = [second, ...rest].join(".");
    if (wanted === "") return best(this.#resources, first);
    const ofGroup = this.#resources.filter(({ group }) => group === wanted);
    // As in client-go, the beginning of a group will do.
    const ofPrefix = this.#resources.filter(({ group }) => group.startsWith(wanted));
    return best(ofGroup, first) ?? best(ofPrefix, first);
  }

  /** Returns the resources in a category, as `all`: each in its preferred version. */
  inCategory(category: string): DiscoveredResource[] {
    const found = new Map<string, DiscoveredResource>();
    for (const resource of this.#resources) {
      const name = resourceName(resource);
      if (resource.categories.includes(category) && !found.has(name)) found.set(name, resource);
    }
    return [...found.values()];
  }

  /** Returns the error for a kind that the server does not have. */
  noKind({ apiVersion, kind }: GroupVersionKind): NoMatchError {
    const elsewhere = this.#resources.filter((one) => one.kind === kind);
    const similar = elsewhere.length > 0 ? elsewhere : this.#similar(kind, (one) => [one.kind]);
    const shown = similar.slice(0, MAX_SIMILAR).map((one) => `${one.kind} of ${apiVersionOf(one)}`);
    const error = this.#error(`kind ${quote(kind)} of ${quote(apiVersion)}`, shown);
    return this.#missing.includes(apiVersion) ? markUnknown(error) : error;
  }

  /** Returns the error for a name that no resource and no category has. */
  noName(name: string): NoMatchError {
    const [first = "", ...rest] = name.toLowerCase().split(".");
    const similar = this.#similar(first, (one) => [one.plural, one.singular, ...one.shortNames]);
    const shown = similar.slice(0, MAX_SIMILAR).map(resourceName);
    const error = this.#error(`resource ${quote(name)}`, shown);
    return this.#missing.some((missing) => mayHave(missing, rest)) ? markUnknown(error) : error;
  }

  #error(what: string, similar: readonly string[]): NoMatchError {
    const hint = similar.length === 0 ? "" : `: it has ${[...new Set(similar)].join(", ")}`;
    const gap = this.#missing.length === 0
      ? ""
      : `; the resources of ${this.#missing.slice(0, MAX_SIMILAR).join(", ")} are unavailable`;
    const message = this.#redact(`The server has no ${what}${hint}${gap}`);
    return new NoMatchError(visibleText(message, 4 * MAX_SHOWN));
  }

  #similar(
    wanted: string,
    namesOf: (resource: DiscoveredResource) => readonly string[],
  ): DiscoveredResource[] {
    const plain = wanted.slice(0, MAX_SHOWN).toLowerCase();
    const most = 1 + plain.length / 4;
    const near = this.#resources.flatMap((resource) => {
      const distances = namesOf(resource).map((name) => editDistance(plain, name.toLowerCase()));
      const distance = Math.min(...distances);
      return distance <= most ? [{ resource, distance }] : [];
    });
    return near.sort((a, b) => a.distance - b.distance).map(({ resource }) => resource);
  }
}

/** Returns the first resource with that plural; if there is none, with that singular, that short name, that kind. */
function best(
  resources: readonly DiscoveredResource[],
  name: string,
): DiscoveredResource | undefined {
  return resources.find(({ plural }) => plural === name) ??
    resources.find(({ singular }) => singular === name) ??
    resources.find(({ shortNames }) => shortNames.includes(name)) ??
    resources.find(({ kind }) => kind.toLowerCase() === name);
}

/**
 * Reports whether a group version may have a resource of a name.
 *
 * @param missing The group version, as in `apps/v1`.
 * @param rest The text after the first dot of the name: empty, a group or its beginning, or a version and a group.
 */
function mayHave(missing: string, rest: readonly string[]): boolean {
  const [version = "", group = ""] = missing.split("/").reverse();
  return group.startsWith(rest.join(".")) ||
    (rest[0] === version && group === rest.slice(1).join("."));
}

function kindKey({ apiVersion, kind }: GroupVersionKind): string {
  return `${apiVersion}/${kind}`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN));
}

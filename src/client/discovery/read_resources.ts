import { TerminalError } from "../../base/mod.ts";
import type { DiscoveredResource } from "./discovered_resource.ts";
import { type GroupVersion, parseGroups, parseResources } from "./parse_answers.ts";

/** Reads a path, and returns the parsed JSON. */
export type ReadPath = (path: string, accept: string) => Promise<unknown>;

/** Everything at once, in the versions of servers since 1.30 and before; otherwise the versions only. */
const AGGREGATED = ["v2", "v2beta1"].map((version) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
).join(",");
const JSON_TYPE = "application/json";

/** The number of group versions that are read at the same time. */
const MAX_CONCURRENT_READS = 8;

/** The discovery of the server. */
export interface ReadResources {
  /** The resources: the core group first, the preferred version of each group first. */
  readonly resources: readonly DiscoveredResource[];
  /** The group versions whose resources are not known, because the server behind them does not answer. */
  readonly missing: readonly string[];
}

/**
 * Reads the resources of all groups: in two requests, or on servers without aggregated discovery in one more for each
 * group version.
 *
 * @throws {StatusError} If the server refuses to say what it has.
 * @throws {Error} If the answer is not discovery.
 */
export async function readResources(read: ReadPath): Promise<ReadResources> {
  const [core, named] = await Promise.all(["/api", "/apis"].map(async (path) => {
    const groups = parseGroups(await read(path, `${AGGREGATED},${JSON_TYPE}`));
    if (groups !== undefined) return groups;
    throw new Error(
      `GET ${path} did not answer with API groups: is this the URL of a Kubernetes API server?`,
    );
  }));
  const versions = [...core ?? [], ...named ?? []];
  const missing = versions.filter(({ isStale }) => isStale).map(nameOf);
  const found = versions.map(({ resources }) => resources);
  const unread = [...versions.keys()].filter((index) => found[index] === undefined).values();
  const work = async () => {
    for (const index of unread) {
      const version = versions[index]!;
      const resources = await readVersion(read, version);
      if (resources === undefined) missing.push(nameOf(version));
      found[index] = resources;
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, work));
  return { resources: found.flatMap((resources) => resources ?? []), missing };
}

/** Returns the resources of a group version; undefined if it does not answer: the others can do without. */
async function readVersion(
  read: ReadPath,
  version: GroupVersion,
): Promise<DiscoveredResource[] | undefined> {
  const { group, version: name } = version;
  const path = group === "" ? `/api/${name}` : `/apis/${group}/${name}`;
  try {
    return parseResources(await read(path, JSON_TYPE), version);
  } catch (error) {
    if (TerminalError.is(error)) throw error;
    return undefined;
  }
}

function nameOf({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

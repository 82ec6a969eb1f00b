import { createHash } from "node:crypto";
import { aggregatedDiscovery } from "./aggregated_discovery.ts";
import { negotiatePlain, OBJECT_TYPES, requireConsumed, requireRoutable } from "../http/mod.ts";
import { healthPaths } from "./health.ts";
import { statusPages } from "./status_page.ts";
import { stripEnd } from "@kubeloop/controller/internal/base";
import type { DiscoveryRequest } from "./discovery_request.ts";
import { encodeJson, type Json, methodNotAllowed, noSuchResource } from "../../values/mod.ts";
import { ALL_VERBS, type ResourceInfo, type ResourceRegistry } from "../kinds/mod.ts";

/**
 * Answers a discovery request. Returns undefined if the path is not below `/api` or `/apis`, if the group is unknown,
 * or if a group of custom resources does not have the version or subpath.
 *
 * @throws {ApiError} 404, if a built-in group does not have the version or subpath; 405, for a method other than GET
 * where only GET is served; 406 or 415, if the answer cannot be written, or the body not read, as requested.
 */
export function discoveryAnswer(discovery: DiscoveryRequest): Response | undefined {
  const { path, registry } = discovery;
  const [root, ...rest] = stripEnd(path, "/").split("/").slice(1);
  if (root !== "api" && root !== "apis") return undefined;
  if (rest.length === 0) {
    if (root === "api") requireGet(discovery);
    const aggregated = path === "/apis/" ? undefined : aggregatedDiscovery(discovery);
    if (aggregated !== undefined) return aggregated;
    return answer(discovery, root === "api" ? legacyVersions(discovery) : groupList(registry));
  }
  const [group = "", version, ...more] = root === "api" ? ["", ...rest] : rest;
  const versions = root === "apis" && group === "" ? [] : registry.versions(group);
  if (versions.length === 0) return undefined;
  if (version === undefined) {
    return answer(discovery, { kind: "APIGroup", apiVersion: "v1", ...groupOf(registry, group) });
  }
  const custom = registry.isCustomGroup(group);
  if (!versions.includes(version) || more.length > 0) {
    if (custom) return undefined;
    throw noSuchResource();
  }
  if (!custom) requireGet(discovery);
  return answer(discovery, resourceList(registry, group, version));
}

/** Returns the answer to `/`: the paths that are served. */
export function rootPathsText(registry: ResourceRegistry): string {
  const paths = [
    "/.well-known/openid-configuration",
    "/api",
    "/apis",
    "/apis/",
    "/metrics",
    "/metrics/slis",
    ...statusPages(registry.release),
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/openid/v1/jwks",
    "/version",
    ...healthPaths(registry.release),
  ];
  for (const { definition: { group, version } } of registry.all()) {
    if (group === "") paths.push(`/api/${version}`);
    else paths.push(`/apis/${group}`, `/apis/${group}/${version}`);
  }
  return encodeJson({ paths: [...new Set(paths)].sort() });
}

/**
 * Requires a GET. A real server checks the method and the media types only for the discovery paths that its router
 * serves.
 */
function requireGet({ request }: DiscoveryRequest): void {
  if (request.method !== "GET") throw methodNotAllowed();
  requireConsumed(request, OBJECT_TYPES);
  requireRoutable(request.headers, "object");
}

function answer({ query, request, writer }: DiscoveryRequest, value: Json): Response {
  const { format, pretty } = negotiatePlain(request.headers, query);
  const text = encodeJson(value);
  return format === "yaml" ? writer.yaml(200, text) : writer.json(200, text, { pretty });
}

function legacyVersions({ host }: DiscoveryRequest): Json {
  const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress: host }];
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
}

function groupList(registry: ResourceRegistry): Json {
  const groups = registry.groups().map((group) => groupOf(registry, group));
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

function groupOf(registry: ResourceRegistry, name: string): { [key: string]: Json } {
  const versions = registry.versions(name).map((version) => ({
    groupVersion: `${name}/${version}`,
    version,
  }));
  return { name, versions, preferredVersion: versions[0]! };
}

function resourceList(registry: ResourceRegistry, group: string, version: string): Json {
  const resources = registry.resourcesOf(group, version).flatMap(describe);
  const head = group === ""
    ? { kind: "APIResourceList", groupVersion: version }
    : { kind: "APIResourceList", apiVersion: "v1", groupVersion: `${group}/${version}` };
  return { ...head, resources };
}

function describe(resource: ResourceInfo): Json[] {
  const { definition } = resource;
  const { plural, singular, namespaced, kind, shortNames, categories } = definition;
  const main: { [key: string]: Json } = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...(definition.verbs ?? ALL_VERBS)],
    ...(shortNames === undefined ? {} : { shortNames: [...shortNames] }),
    ...(categories === undefined ? {} : { categories: [...categories] }),
    // Reviews and metrics are not stored, so that they cannot be watched.
    ...(resource.allows("watch") ? { storageVersionHash: storageVersionHash(resource) } : {}),
  };
  const parts = (definition.subresources ?? []).map((sub) => ({
    name: `${plural}/${sub.name}`,
    singularName: "",
    namespaced,
    ...(sub.group === undefined ? {} : { group: sub.group, version: sub.version ?? "" }),
    kind: sub.kind ?? kind,
    verbs: [...sub.verbs],
  }));
  return [main, ...parts];
}

/** Returns the hash of the stored kind, by which clients notice a new storage version. */
function storageVersionHash(
  { storageKind: { group, version, kind }, record: { storedVersion = version } }: ResourceInfo,
): string {
  // Not Web Crypto, which is asynchronous: discovery must not depend on the event loop.
  const digest = createHash("sha256").update(`${group}/${storedVersion}/${kind}`).digest();
  return digest.subarray(0, 8).toString("base64");
}

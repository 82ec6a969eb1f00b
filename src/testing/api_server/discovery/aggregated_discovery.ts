import type { DiscoveryRequest } from "./discovery_request.ts";
import { parseAccept } from "../http/mod.ts";
import { encodeJson, type Json } from "../../values/mod.ts";
import { ALL_VERBS, type ResourceInfo } from "../kinds/mod.ts";
import { hashOf } from "./openapi/mod.ts";

const TYPES: readonly string[] = ["application/json", "application/yaml"];

const VIEW = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/**
 * Returns all groups with their resources in one answer. Returns undefined unless the client prefers aggregated
 * discovery, in the served version, to other JSON or YAML.
 */
export function aggregatedDiscovery(discovery: DiscoveryRequest): Response | undefined {
  const { path, registry, request, writer } = discovery;
  const [first] = parseAccept(request.headers.get("accept")).filter(({ type, parameters }) =>
    TYPES.includes(type) &&
    (parameters.get("as") === undefined || parameters.get("v") === "v2")
  );
  if (first?.parameters.get("as") !== "APIGroupDiscoveryList") return undefined;
  const groups = path.startsWith("/apis") ? registry.groups() : [""];
  const items = groups.map((group) => ({
    metadata: group === "" ? {} : { name: group },
    versions: registry.versions(group).map((version) => ({
      version,
      resources: registry.resourcesOf(group, version).map(describe),
      freshness: "Current",
    })),
  }));
  const text = encodeJson({
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items,
  });
  const etag = `"${hashOf(text)}"`;
  const known = request.headers.get("if-none-match") === etag;
  const response = known
    ? writer.bare(304)
    : first.type === "application/yaml"
    ? writer.yaml(200, text)
    : writer.json(200, text);
  if (!known) response.headers.set("Content-Type", `${first.type};${VIEW}`);
  response.headers.set("Cache-Control", "public");
  response.headers.set("Etag", etag);
  response.headers.set("Vary", "Accept");
  return response;
}

function describe(resource: ResourceInfo): Json {
  const { definition } = resource;
  const { plural, singular, namespaced, kind, shortNames, categories, verbs } = definition;
  // For built-in kinds, the real server names group and version only if they differ from the resource's.
  const own = resource.custom
    ? { group: definition.group, version: definition.version }
    : { group: "", version: "" };
  const subresources = (definition.subresources ?? []).map((sub) => ({
    subresource: sub.name,
    responseKind: {
      group: sub.group ?? own.group,
      version: sub.version ?? own.version,
      kind: sub.kind ?? kind,
    },
    verbs: [...sub.verbs],
  }));
  return {
    resource: plural,
    responseKind: { ...own, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs: [...(verbs ?? ALL_VERBS)],
    ...(shortNames === undefined ? {} : { shortNames: [...shortNames] }),
    ...(categories === undefined ? {} : { categories: [...categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

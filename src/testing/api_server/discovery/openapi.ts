import {
  encodeJson,
  type Json,
  type JsonObject,
  noSuchResource,
  notImplemented,
} from "../values/mod.ts";
import type { ResourceInfo, ResourceRegistry } from "../kinds/mod.ts";
import { releaseOf } from "./version.ts";

const ROOT = "/openapi/v3";

/** The query parameters of a PATCH. Clients look them up before they rely on them. */
const PATCH_PARAMETERS: Readonly<Record<string, string>> = {
  dryRun: "string",
  fieldManager: "string",
  fieldValidation: "string",
  force: "boolean",
};

/**
 * Answers a request for OpenAPI v3, as text. The documents contain no schemas, only the query parameters of PATCH,
 * which kubectl reads before it creates or applies an object.
 *
 * @throws {ApiError} 501, for OpenAPI v2; 404, for a version that is not served.
 */
export function openApiText(path: string, registry: ResourceRegistry): string {
  const trimmed = path.replace(/\/$/, "");
  if (trimmed === ROOT) return encodeJson(index(registry));
  if (!trimmed.startsWith(`${ROOT}/`)) {
    throw notImplemented("This server does not serve OpenAPI v2");
  }
  const group = trimmed.slice(ROOT.length + 1);
  const resources = registry.all().filter((resource) => pathOf(resource) === group);
  if (resources.length === 0) throw noSuchResource();
  return encodeJson(documentOf(resources, releaseOf(registry.minor)));
}

function index(registry: ResourceRegistry): Json {
  const groups = new Set(registry.all().map(pathOf));
  const paths: JsonObject = {};
  for (const group of groups) paths[group] = { serverRelativeURL: `${ROOT}/${group}` };
  return { paths };
}

function documentOf(resources: readonly ResourceInfo[], release: string): Json {
  const paths: JsonObject = {};
  for (const resource of resources.filter((one) => one.allows("patch"))) {
    const namespace = resource.namespaced ? "/namespaces/{namespace}" : "";
    const { kind, version } = resource.definition;
    paths[`/${pathOf(resource)}${namespace}/${resource.plural}/{name}`] = {
      patch: {
        parameters: Object.entries(PATCH_PARAMETERS).map(([name, type]) => ({
          name,
          in: "query",
          schema: { type },
        })),
        responses: { "200": { description: "OK" } },
        "x-kubernetes-action": "patch",
        "x-kubernetes-group-version-kind": { group: resource.group, kind, version },
      },
    };
  }
  return { openapi: "3.0.0", info: { title: "Kubernetes", version: release }, paths };
}

function pathOf({ group, definition }: ResourceInfo): string {
  return group === "" ? `api/${definition.version}` : `apis/${group}/${definition.version}`;
}

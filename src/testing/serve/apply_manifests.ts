import { expandedSize, parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import type { ApiServer } from "../api_server/mod.ts";
import type { ManifestObject } from "./manifest.ts";

/** The field manager of loaded objects. */
const FIELD_MANAGER = "kubeloop-serve";

/** The maximum length of an object, which is that of a request body. */
const MAX_LENGTH = 3 * 1024 * 1024;

interface DiscoveredResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * Applies the objects in the given order, with forced server-side apply. Objects that exist already are updated.
 *
 * @param token The administrator's token, if the server requires one.
 * @param signal Stops the work when it aborts.
 * @throws {Error} If the server rejects an object; the rest is not applied. The message is one line.
 * @throws `signal.reason`, if it aborts.
 */
export async function applyManifests(
  server: ApiServer,
  manifests: readonly ManifestObject[],
  token: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const call = caller(server, token, signal);
  for (const { where, object } of manifests) {
    const { apiVersion = "", kind = "", metadata } = object;
    const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    // Discovery is repeated for each object, because a CustomResourceDefinition loaded before adds resources.
    const found = (await call("GET", group)) as { resources?: readonly DiscoveredResource[] };
    const resource = found.resources?.find((one) => one.kind === kind && !one.name.includes("/"));
    if (resource === undefined) {
      throw new Error(`Cannot load ${where}: the server does not serve ${kind} of ${apiVersion}`);
    }
    const namespace = resource.namespaced
      ? `/namespaces/${encodeURIComponent(metadata.namespace ?? "default")}`
      : "";
    const path = `${group}${namespace}/${resource.name}/${encodeURIComponent(metadata.name ?? "")}`;
    const query = `?fieldManager=${FIELD_MANAGER}&force=true`;
    const answer = (await call("PATCH", path + query, textOf(object, where))) as {
      kind?: string;
      message?: string;
    };
    if (answer.kind === "Status") {
      throw new Error(`Cannot load ${where}: ${kind} ${metadata.name}: ${answer.message}`);
    }
  }
}

/** Returns the JSON of an object. */
function textOf(object: unknown, where: string): string {
  if (expandedSize(object) <= MAX_LENGTH) return stringifyJson(object);
  throw new Error(`Cannot load ${where}: it is longer than ${MAX_LENGTH} bytes`);
}

function caller(server: ApiServer, token: string | undefined, signal: AbortSignal) {
  return async (method: string, path: string, body?: string): Promise<unknown> => {
    const headers: Record<string, string> = { accept: "application/json" };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["content-type"] = "application/apply-patch+yaml";
    const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
    const response = await server.fetch(`http://localhost${path}`, init);
    const text = await response.text();
    // The 404 for an unknown group is plain text.
    return response.headers.get("content-type")?.startsWith("application/json") === true
      ? parseJson(text)
      : {};
  };
}

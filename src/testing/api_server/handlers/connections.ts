import {
  type ApiError,
  badRequest,
  getArray,
  getString,
  type JsonObject,
  methodNotAllowed,
  notFound,
  notImplemented,
} from "../../values/mod.ts";
import { attributesOf } from "../access/mod.ts";
import { requireContainer, requireKubelet, type ResourceInfo } from "../kinds/mod.ts";
import { objectKey } from "../storage/mod.ts";
import { clusterView } from "./write_steps.ts";
import type { Exchange } from "./exchange.ts";
import { openPodStream } from "./pod_streams.ts";

/** The methods of requests that the server answers by calling a kubelet. */
const STREAM_METHODS: readonly string[] = ["GET", "POST"];

/**
 * Answers a request that a real server would pass on to a kubelet, a Pod or a Service. None of them runs here, but a Pod
 * may have programs, which are connected to the client. As far as a real server would refuse the request, the error is that
 * of the real server.
 *
 * @returns The response, which the connection is upgraded with; undefined for other requests.
 * @throws {ApiError} 501 or, for other errors, 400, 403, 404, 405, 500 or 503.
 */
export function connect(exchange: Exchange): Response | undefined {
  const { info, server } = exchange;
  const resource = server.registry.find(info.group, info.version, info.resource);
  const [subresource = "", ...rest] = info.subresource.split("/");
  const { connections } = resource?.record ?? {};
  if (resource === undefined || connections === undefined) return undefined;
  const connection = Object.hasOwn(connections, subresource) ? connections[subresource] : undefined;
  if (typeof connection === "function") {
    const { name, port } = splitTarget(info.name, resource.definition.singular);
    const namespace = resource.namespaced ? info.namespace : "";
    const target = requireObject(exchange, resource, namespace, name);
    return connection(target, port, clusterView(server, namespace));
  }
  if (connection === undefined || rest.length > 0) return undefined;
  return openStream(exchange, resource, connection === "container");
}

/** Returns the 501 for what a kubelet would do. */
export function noKubelet(what: string): ApiError {
  return notImplemented(`This server does not serve ${what}: no kubelet runs on its nodes`);
}

function openStream(exchange: Exchange, resource: ResourceInfo, inContainer: boolean): Response {
  const { info, method, query, server, user } = exchange;
  if (!STREAM_METHODS.includes(method)) throw methodNotAllowed();
  if (!inContainer) requirePorts(query.getAll("ports"));
  // Since 1.35, a GET, which a WebSocket begins with, needs the permission of a POST as well.
  server.authorizer.require(user, { ...attributesOf(info), verb: "create" });
  const pod = requireObject(exchange, resource, info.namespace, info.name);
  const container = query.get("container") ?? "";
  if (inContainer) requireContainer(pod, container);
  if (requireKubelet(pod, clusterView(server, info.namespace)) === undefined) {
    throw badRequest(`pod ${info.name} does not have a host assigned`);
  }
  const only = getString(getArray(pod, "spec", "containers")[0], "name");
  const opened = openPodStream(exchange, pod, inContainer ? container || only : undefined);
  if (opened === undefined) throw noKubelet(`${resource.plural}/${info.subresource}`);
  return opened;
}

function requirePorts(ports: readonly string[]): void {
  for (const port of ports.flatMap((text) => text.split(","))) {
    const failed = `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}`;
    if (!/^[0-9]+$/.test(port)) throw badRequest(`${failed}: invalid syntax`);
    if (Number(port) > 65535) throw badRequest(`${failed}: value out of range`);
  }
}

/** Returns the parts of a name as `name`, `name:port` or `scheme:name:port`. */
function splitTarget(text: string, what: string): { name: string; port: string } {
  const parts = text.split(":");
  const [scheme, name, port = ""] = parts.length > 2 ? parts : ["", ...parts];
  const known = scheme === "" || scheme === "http" || scheme === "https";
  if (parts.length > 3 || !known || !name) {
    throw badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  }
  return { name, port };
}

function requireObject(
  { server }: Exchange,
  { definition, storageName }: ResourceInfo,
  namespace: string,
  name: string,
): JsonObject {
  const stored = server.storage.store(storageName).get(objectKey(namespace, name));
  if (stored === undefined) throw notFound(definition, name);
  return stored.parse() as unknown as JsonObject;
}

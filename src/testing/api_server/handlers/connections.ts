import {
  type ApiError,
  badRequest,
  failure,
  getArray,
  getString,
  internalError,
  type JsonObject,
  methodNotAllowed,
  notFound,
  notImplemented,
} from "../values/mod.ts";
import { objectKey, type Storage } from "../storage/mod.ts";
import type { Exchange } from "./exchange.ts";

/** The methods of requests that the server answers by calling a kubelet. */
const STREAM_METHODS: readonly string[] = ["GET", "POST"];

/** A request that a real server passes on to a kubelet, a Pod or a Service. */
type Connection = Pick<Exchange, "info" | "method" | "query"> & {
  readonly server: { readonly storage: Storage };
};

/**
 * Refuses a request that a real server would pass on to a kubelet, a Pod or a Service, since none of them runs here. As
 * far as a real server would refuse the request, the error is that of the real server.
 *
 * @throws {ApiError} 501 or, for other errors, 400, 404, 405, 500 or 503.
 */
export function refuseConnection(connection: Connection): void {
  const { group, resource, subresource, version } = connection.info;
  if (group !== "" || version !== "v1") return;
  const [connects] = subresource.split("/");
  if (connects === "proxy") {
    if (resource === "pods") refusePodProxy(connection);
    if (resource === "nodes") refuseNodeProxy(connection);
    if (resource === "services") refuseServiceProxy(connection);
    return;
  }
  if (resource !== "pods") return;
  if (subresource === "attach" || subresource === "exec") refuseStream(connection, true);
  if (subresource === "portforward") refuseStream(connection, false);
}

/**
 * Finds the node whose kubelet has the logs and runs the commands of a Pod. Returns undefined if the Pod has no node.
 *
 * @throws {ApiError} 404, if the node does not exist; 500, if it has no address.
 */
export function requireKubelet(pod: JsonObject, storage: Storage): string | undefined {
  const name = getString(pod, "spec", "nodeName");
  if (name === "") return undefined;
  const node = storage.store("nodes").get(objectKey("", name));
  // A real server says so, with the name of the node.
  if (node === undefined) throw notFound({ group: "", plural: "pods" }, name);
  requireAddress(node.parse() as unknown as JsonObject);
  return name;
}

/**
 * Returns the name of the container that a request is about.
 *
 * @throws {ApiError} 400, if the Pod does not have it, or if the request names none of several.
 */
export function requireContainer(pod: JsonObject, container: string): string {
  const names = ["initContainers", "containers", "ephemeralContainers"]
    .flatMap((list) => getArray(pod, "spec", list))
    .map((one) => getString(one, "name"));
  const name = getString(pod, "metadata", "name");
  if (container !== "") {
    if (names.includes(container)) return container;
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  }
  const [only, ...others] = getArray(pod, "spec", "containers");
  if (only !== undefined && others.length === 0) return getString(only, "name");
  const choice = names.join(" ");
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${choice}]`,
  );
}

/** Returns the 501 for what a kubelet would do. */
export function noKubelet(what: string): ApiError {
  return notImplemented(`This server does not serve ${what}: no kubelet runs on its nodes`);
}

function refuseStream(
  { info, method, query, server }: Connection,
  inContainer: boolean,
): never {
  if (!STREAM_METHODS.includes(method)) throw methodNotAllowed();
  if (!inContainer) requirePorts(query.getAll("ports"));
  const pod = requireObject(server.storage, "pods", info.namespace, info.name);
  if (inContainer) requireContainer(pod, query.get("container") ?? "");
  if (requireKubelet(pod, server.storage) === undefined) {
    throw badRequest(`pod ${info.name} does not have a host assigned`);
  }
  throw noKubelet(`pods/${info.subresource}`);
}

function requirePorts(ports: readonly string[]): void {
  for (const port of ports.flatMap((text) => text.split(","))) {
    const failed = `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}`;
    if (!/^[0-9]+$/.test(port)) throw badRequest(`${failed}: invalid syntax`);
    if (Number(port) > 65535) throw badRequest(`${failed}: value out of range`);
  }
}

function refusePodProxy({ info, server }: Connection): never {
  const { name } = splitTarget(info.name, "pod");
  const pod = requireObject(server.storage, "pods", info.namespace, name);
  if (getString(pod, "status", "podIP") === "") throw badRequest("address not allowed");
  throw notImplemented("This server does not serve pods/proxy: no containers run in its Pods");
}

function refuseNodeProxy({ info, server }: Connection): never {
  const { name } = splitTarget(info.name, "node");
  requireAddress(requireObject(server.storage, "nodes", "", name));
  throw noKubelet("nodes/proxy");
}

function refuseServiceProxy({ info, server }: Connection): never {
  const { name, port } = splitTarget(info.name, "service");
  const { storage } = server;
  const service = requireObject(storage, "services", info.namespace, name);
  if (/^[0-9]+$/.test(port)) {
    const ports = getArray(service, "spec", "ports") as JsonObject[];
    if (!ports.some((one) => one["port"] === Number(port))) {
      throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
    }
  }
  const endpoints = storage.store("endpoints").get(objectKey(info.namespace, name))?.parse();
  // A real server always has the Endpoints of a Service, which its controllers write.
  if (
    endpoints !== undefined && getArray(endpoints as unknown as JsonObject, "subsets").length === 0
  ) {
    throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  }
  throw notImplemented("This server does not serve services/proxy: no containers run in its Pods");
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
  storage: Storage,
  plural: string,
  namespace: string,
  name: string,
): JsonObject {
  const stored = storage.store(plural).get(objectKey(namespace, name));
  if (stored === undefined) throw notFound({ group: "", plural }, name);
  return stored.parse() as unknown as JsonObject;
}

function requireAddress(node: JsonObject): void {
  if (getArray(node, "status", "addresses").length > 0) return;
  throw internalError("no preferred addresses found; known addresses: []");
}

function unavailable(message: string): ApiError {
  return failure(503, message, { reason: "ServiceUnavailable" });
}

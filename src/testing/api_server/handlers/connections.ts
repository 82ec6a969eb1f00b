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
import type { KubeObject } from "@kubeloop/controller/types";
import { attributesOf } from "../access/mod.ts";
import { decodePath, isTrue } from "../http/mod.ts";
import {
  type Connection,
  requireContainer,
  requireKubelet,
  type ResourceInfo,
} from "../kinds/mod.ts";
import { canonical, connectionSchema, type KindInfo } from "../schema/mod.ts";
import { connectAdmission } from "./admission.ts";
import { objectKey } from "../storage/mod.ts";
import { clusterView } from "./write_steps.ts";
import type { Exchange } from "./exchange.ts";
import { openPodStream, portsOf } from "./pod_streams.ts";

/** The methods of requests that the server answers by calling a kubelet. */
const STREAM_METHODS: readonly string[] = ["GET", "POST"];

/** A connection that a request asks for. */
interface AskedConnection {
  readonly connection: Connection;
  readonly resource: ResourceInfo;
}

/**
 * Answers a request for a connection, which a real server would pass on to a kubelet, a Pod or a Service. None of them runs
 * here, but a Pod may have programs, which are connected to the client. As far as a real server would refuse the request,
 * the error is that of the real server.
 *
 * @returns The response, which the connection is upgraded with.
 * @throws {ApiError} 501 or, for other errors, 400, 403, 404, 405, 500 or 503.
 */
export function connect(
  exchange: Exchange,
  { connection, resource }: AskedConnection,
): Promise<Response> {
  return typeof connection === "function"
    ? openProxy(exchange, resource, connection)
    : openStream(exchange, resource, connection === "container");
}

/** Returns the connection that a request asks for; undefined for other requests. */
export function connectionOf({ info, server }: Exchange): AskedConnection | undefined {
  const resource = server.registry.find(info.group, info.version, info.resource);
  const [subresource = "", ...rest] = info.subresource.split("/");
  const { connections } = resource?.record ?? {};
  if (resource === undefined || connections === undefined) return undefined;
  const connection = Object.hasOwn(connections, subresource) ? connections[subresource] : undefined;
  if (connection === undefined) return undefined;
  return typeof connection === "function" || rest.length === 0
    ? { connection, resource }
    : undefined;
}

/** Answers a request that a proxy would pass on. */
async function openProxy(
  exchange: Exchange,
  resource: ResourceInfo,
  connection: Exclude<Connection, string>,
): Promise<Response> {
  const { info, server } = exchange;
  await admitConnection(exchange, resource, "proxy");
  const { name, port } = splitTarget(info.name, resource.definition.singular);
  const namespace = resource.namespaced ? info.namespace : "";
  const target = () => requireObject(exchange, resource, namespace, name);
  return connection({ name, port, cluster: clusterView(server, namespace), target });
}

/**
 * Asks the webhooks whether a connection may be opened.
 *
 * @throws {ApiError} 400 for a dry run, or the refusal of a webhook.
 */
async function admitConnection(
  exchange: Exchange,
  resource: ResourceInfo,
  subresource: string,
): Promise<void> {
  const { info, query } = exchange;
  if (query.has("dryRun")) throw badRequest("dryRun is not supported");
  const name = resource.subresource(subresource)!.kind!;
  const schema = connectionSchema(name);
  const kind = { ...resource.kind, group: "", version: "v1", kind: name, schema };
  const admission = connectAdmission(
    { ...exchange, resource, info: { ...info, subresource } },
    kind,
  );
  await admission?.connect(optionsOf(exchange, kind));
}

/** Returns the options of a connection, as its query and path name them. */
function optionsOf({ info, query }: Exchange, { kind, schema }: KindInfo): KubeObject {
  const options: JsonObject = { kind, apiVersion: "v1" };
  for (const { name, type } of schema.fields.values()) {
    const values = query.getAll(name);
    const [first] = values;
    if (first === undefined || name === "kind" || name === "apiVersion") continue;
    if (type.kind === "list") {
      options[name] = name === "ports" ? portsOf(query).map(Number) : values;
    } else if (type.kind === "scalar" && type.name === "bool") {
      options[name] = isTrue(first);
    } else options[name] = first;
  }
  const at = info.path.indexOf("/proxy/");
  if (schema.fields.has("path") && at >= 0) {
    options["path"] = decodePath(info.path.slice(at + "/proxy".length));
  }
  return canonical(options, schema) as unknown as KubeObject;
}

/** Returns the 501 for what a kubelet would do. */
export function noKubelet(what: string): ApiError {
  return notImplemented(`This server does not serve ${what}: no kubelet runs on its nodes`);
}

async function openStream(
  exchange: Exchange,
  resource: ResourceInfo,
  inContainer: boolean,
): Promise<Response> {
  const { info, method, query, server, user } = exchange;
  if (!STREAM_METHODS.includes(method)) throw methodNotAllowed();
  if (!inContainer && !query.has("dryRun")) requirePorts(portsOf(query));
  // Since 1.35, a GET, which a WebSocket begins with, needs the permission of a POST as well.
  server.authorizer.require(user, { ...attributesOf(info), verb: "create" });
  await admitConnection(exchange, resource, info.subresource);
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
  for (const port of ports) {
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

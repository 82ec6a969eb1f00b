import {
  type AnswerKind,
  negotiate,
  parseDecodedRequestInfo,
  readListQuery,
  type RequestInfo,
  requireRoutable,
} from "../http/mod.ts";
import { handleComputed } from "./computed_handlers.ts";
import { handleDelete, handleDeleteCollection } from "./delete_handler.ts";
import type { Answer, Exchange, ResourceExchange } from "./exchange.ts";
import {
  badRequest,
  methodNotAllowed,
  noSuchResource,
  notFound,
  verbNotSupported,
} from "../../values/mod.ts";
import { LagReader } from "../lag/mod.ts";
import { handleGet, handleList } from "./read_handlers.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import { handleAction, handleSubresource, isServedSubresource } from "./subresource_handlers.ts";
import { handleCreate, handlePatch, handleUpdate } from "./write_handlers.ts";
import { requirePatchType, requireRoutablePatch } from "./patch_type.ts";
import { handleReview } from "./review_handlers.ts";

/** Answers one request for one resource. */
export type ResourceHandler = (exchange: ResourceExchange) => Promise<Answer>;

/** The result of {@linkcode resolveHandler}: a watch, or the handler to call. */
export type Resolved = { readonly watch: true } | {
  readonly watch: false;
  readonly handler: ResourceHandler;
};

/**
 * Adds the resource, its store and the negotiated representation to an exchange. Returns undefined where a real
 * server's router answers 404 in plain text, as it does for custom resources.
 *
 * @throws {ApiError} 404, if the resource or subresource is not served; 405, if the method is not; 406, if the answer
 * cannot be written as requested; 415, for an unsupported patch type; 400 or 422, for a missing name or invalid list
 * options.
 */
export function resourceExchange(exchange: Exchange): ResourceExchange | undefined {
  const { request, query, server } = exchange;
  const info = infoOf(exchange);
  const resource = info.malformed
    ? undefined
    : server.registry.find(info.group, info.version, info.resource);
  if (resource === undefined) {
    if (server.registry.isCustomGroup(info.group)) return undefined;
    throw noSuchResource();
  }
  const { deprecation } = resource.definition;
  const warn = () => {
    if (deprecation !== undefined) exchange.warnings.push(deprecation);
  };
  if (resource.custom) {
    if (!fitsCustom(resource, info)) return undefined;
    warn();
    if (info.subresource !== "" && resource.subresource(info.subresource) === undefined) {
      // A missing subresource of a custom resource gets the same answer as a missing object.
      throw notFound(resource.definition, info.name);
    }
  } else if (!fits(resource, info)) throw noSuchResource();
  const kind = answerKind(exchange);
  const routed = { ...exchange, info: resource.namespaced ? info : { ...info, namespace: "" } };
  // A real server checks the method first, then the media type of a patch, then the Accept header.
  resolveHandler({ ...routed, resource });
  if (!resource.custom) {
    if (exchange.method === "PATCH") requireRoutablePatch(request);
    requireRoutable(request.headers, kind);
    warn();
    if (info.subresource !== "" && info.name === "") throw badRequest("name must be provided");
  }
  // Invalid list options are reported before a representation that cannot be served.
  if (kind !== "object") readListQuery(query, kind === "watch");
  const store = server.storage.store(resource.storageName);
  return {
    ...routed,
    resource,
    store,
    reader: new LagReader(request, resource.storageName, store),
    representation: negotiate(request.headers, query, {
      table: hasTable(resource, info),
      protobuf: !resource.custom,
    }),
  };
}

/** Reports whether an answer can be a Table: not that of a request that stores nothing, as a review. */
function hasTable(resource: ResourceInfo, { subresource }: RequestInfo): boolean {
  const { actsOn, review } = resource.record;
  if (review !== undefined || actsOn !== undefined) return false;
  return resource.subresource(subresource)?.hasTable ?? true;
}

/** Returns the parts of the path. For a custom resource, the path is split only after encoded slashes are decoded. */
function infoOf({ info, method, query, server }: Exchange): RequestInfo {
  if (!server.registry.isCustomGroup(info.group)) return info;
  const decoded = info.malformed ? parseDecodedRequestInfo(method, info.path, query) : info;
  // Whatever follows the subresource is ignored.
  return { ...decoded, subresource: decoded.subresource.split("/")[0]! };
}

/** The parts of an exchange that select its handler. */
type Routed = Pick<ResourceExchange, "info" | "method" | "resource" | "request">;

function answerKind({ info, method }: Exchange): AnswerKind {
  if (method !== "GET" || info.subresource !== "") return "object";
  return info.verb === "watch" || info.verb === "list" ? info.verb : "object";
}

/** Reports whether the path has the parts that paths of the resource have. */
function fits(resource: ResourceInfo, info: RequestInfo): boolean {
  if (info.subresource !== "" && !isServedSubresource(resource, info.subresource)) return false;
  if (resource.namespaced) return info.name === "" || info.namespace !== "";
  return info.namespace === "" || resource.record.isNamespace;
}

/**
 * Reports whether the path has the scope of the custom resource. Without a namespace, a namespaced one can only be
 * listed and watched.
 */
function fitsCustom({ namespaced }: ResourceInfo, info: RequestInfo): boolean {
  if (!namespaced) return info.namespace === "";
  return info.namespace !== "" || info.verb === "list" || info.verb === "watch";
}

/**
 * Returns the handler for the request.
 *
 * @throws {ApiError} 405, if the method is not served there.
 */
export function resolveHandler(exchange: Routed): Resolved {
  const { info, method, resource } = exchange;
  const { actsOn, computed, review } = resource.record;
  if (review !== undefined || actsOn !== undefined) {
    if (info.name !== "" || resource.namespaced !== (info.namespace !== "")) throw noSuchResource();
    if (method !== "POST") throw methodNotAllowed();
    if (review !== undefined) return { watch: false, handler: (one) => handleReview(one, review) };
    return { watch: false, handler: (one) => handleAction(one, actsOn!) };
  }
  if (computed !== undefined) {
    if (method !== "GET") throw methodNotAllowed();
    return { watch: false, handler: handleComputed };
  }
  if (resource.custom) return resolveCustom(exchange);
  if (info.subresource !== "") return { watch: false, handler: handleSubresource(exchange) };
  const handler = handlerFor(exchange);
  if (handler === undefined) throw methodNotAllowed();
  return handler === "watch" ? { watch: true } : { watch: false, handler };
}

/**
 * Returns the handler for a custom resource. A real server dispatches these by verb, not by route. A missing or
 * additional name therefore does not make the method wrong, and HEAD is handled as GET.
 */
function resolveCustom(exchange: Routed): Resolved {
  const { info, method, request, resource } = exchange;
  const served = method === "HEAD" ? "GET" : method;
  if (served === "PATCH") requirePatchType(request, resource);
  if ((served === "PUT" || served === "PATCH") && info.name === "") {
    throw badRequest("name must be provided");
  }
  if (info.subresource !== "") {
    const known = served === "GET" || served === "PUT" || served === "PATCH";
    if (known && info.name !== "") {
      return { watch: false, handler: handleSubresource({ ...exchange, method: served }) };
    }
    throw verbNotSupported(resource.definition, info.verb);
  }
  if (served === "POST") return { watch: false, handler: handleCreate };
  const handler = handlerFor({ ...exchange, method: served });
  if (handler === undefined) throw verbNotSupported(resource.definition, info.verb);
  if (handler !== "watch") return { watch: false, handler };
  return method === "HEAD" ? { watch: false, handler: handleList } : { watch: true };
}

function handlerFor({ info, method, resource }: Routed): ResourceHandler | "watch" | undefined {
  const everywhere = resource.namespaced && info.namespace === "";
  const item = info.name !== "" && !info.watchPath;
  switch (method) {
    case "GET":
      if (info.verb === "watch") return "watch";
      return item ? handleGet : handleList;
    case "POST":
      return item || everywhere || info.watchPath ? undefined : handleCreate;
    case "PUT":
      return item ? handleUpdate : undefined;
    case "PATCH":
      return item ? handlePatch : undefined;
    case "DELETE":
      if (item) return handleDelete;
      return everywhere || info.watchPath || !resource.allows("deletecollection")
        ? undefined
        : handleDeleteCollection;
    default:
      return undefined;
  }
}

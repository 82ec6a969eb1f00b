import {
  type AnswerKind,
  mediaType,
  negotiate,
  parseRequestInfo,
  readListQuery,
  type RequestInfo,
  requireRoutable,
} from "../http/mod.ts";
import { handleCreate } from "./create_handler.ts";
import { handleDelete, handleDeleteCollection } from "./delete_handler.ts";
import type { Answer, Exchange, ResourceExchange } from "./exchange.ts";
import {
  badRequest,
  methodNotAllowed,
  noSuchResource,
  notFound,
  verbNotSupported,
} from "../values/mod.ts";
import { handleGet, handleList } from "./read_handlers.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import { handleSubresource, isServedSubresource } from "./subresource_handlers.ts";
import {
  handlePatch,
  handleUpdate,
  PATCH_TYPES,
  requirePatchable,
  unknownPatchType,
} from "./update_handler.ts";
import { handleReview, isReview } from "./review_handlers.ts";

/** Answers one request for one resource. */
export type ResourceHandler = (exchange: ResourceExchange) => Promise<Answer>;

/** The verb that {@linkcode resolveHandler} answers for watches, which are no ordinary answers. */
export type Resolved = { readonly watch: true } | {
  readonly watch: false;
  readonly handler: ResourceHandler;
};

/**
 * Completes a request for a resource; undefined when the router itself finds nothing there, which custom resources leave
 * to it.
 *
 * @throws {ApiError} 404, when nothing is served there; 406, when the answer cannot be written as asked.
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
  if (resource.custom) {
    if (!fitsCustom(resource, info)) return undefined;
    if (info.subresource !== "" && resource.subresource(info.subresource) === undefined) {
      // What a custom resource lacks is not found, like an object that is missing.
      throw notFound(resource.definition, info.name);
    }
  } else if (!fits(resource, info)) throw noSuchResource();
  const kind = answerKind(exchange);
  const routed = { ...exchange, info: resource.namespaced ? info : { ...info, namespace: "" } };
  // The method comes first, then the two media types.
  resolveHandler({ ...routed, resource });
  if (!resource.custom) {
    if (exchange.method === "PATCH" && !PATCH_TYPES.has(mediaType(request))) {
      throw unknownPatchType();
    }
    requireRoutable(request.headers, kind);
    if (info.subresource !== "" && info.name === "") throw badRequest("name must be provided");
  }
  // What is wrong with the options of a list comes before what is wrong with how it is to be written.
  if (kind !== "object") readListQuery(query, kind === "watch");
  return {
    ...routed,
    resource,
    store: server.storage.store(resource.storageName),
    representation: negotiate(request.headers, query),
  };
}

/** What is asked for; the parts of a custom resource's path are told apart after they are decoded. */
function infoOf({ info, method, query, server }: Exchange): RequestInfo {
  if (!info.malformed || !server.registry.isCustomGroup(info.group)) return info;
  return parseRequestInfo(method, info.path.replace(/%2f/gi, "/"), query);
}

/** As much of a request as says which handler is for it. */
type Routed = Pick<ResourceExchange, "info" | "method" | "resource" | "request">;

function answerKind({ info, method }: Exchange): AnswerKind {
  if (method !== "GET" || info.subresource !== "") return "object";
  return info.verb === "watch" || info.verb === "list" ? info.verb : "object";
}

/** Whether the path has the parts that the resource's paths have. */
function fits(resource: ResourceInfo, info: RequestInfo): boolean {
  if (info.subresource !== "" && !isServedSubresource(resource, info.subresource)) return false;
  if (resource.namespaced) return info.name === "" || info.namespace !== "";
  return info.namespace === "" || resource.storageName === "namespaces";
}

/** Whether a custom resource is asked for in the scope it lives in; all namespaces can only be read. */
function fitsCustom({ namespaced }: ResourceInfo, info: RequestInfo): boolean {
  if (!namespaced) return info.namespace === "";
  return info.namespace !== "" || info.verb === "list" || info.verb === "watch";
}

/**
 * Finds what answers the request.
 *
 * @throws {ApiError} 405, when the method is not served there.
 */
export function resolveHandler(exchange: Routed): Resolved {
  const { info, method, resource } = exchange;
  if (isReview(resource)) {
    if (method !== "POST" || info.name !== "") throw methodNotAllowed();
    return { watch: false, handler: handleReview };
  }
  if (resource.custom) return resolveCustom(exchange);
  if (info.subresource !== "") return { watch: false, handler: handleSubresource(exchange) };
  const handler = handlerFor(exchange);
  if (handler === undefined) throw methodNotAllowed();
  return handler === "watch" ? { watch: true } : { watch: false, handler };
}

/** Custom resources are served by verb, so that a name too many or too few is no wrong method, and HEAD is a GET. */
function resolveCustom(exchange: Routed): Resolved {
  const { info, method, request, resource } = exchange;
  const served = method === "HEAD" ? "GET" : method;
  if (served === "PATCH") requirePatchable(resource, PATCH_TYPES.get(mediaType(request)));
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

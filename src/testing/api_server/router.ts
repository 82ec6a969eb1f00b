import { handleCreate } from "./create_handler.ts";
import { handleDelete, handleDeleteCollection } from "./delete_handler.ts";
import type { Answer, Exchange, ResourceExchange } from "./exchange.ts";
import { type AnswerKind, negotiate } from "./negotiation.ts";
import { methodNotAllowed, noSuchResource } from "./_pure.ts";
import { handleGet, handleList } from "./read_handlers.ts";
import type { ResourceInfo } from "./resource_info.ts";
import { handleSubresource, isServedSubresource } from "./subresource_handlers.ts";
import { handlePatch, handleUpdate } from "./update_handler.ts";
import { handleReview, isReview } from "./review_handlers.ts";

/** Answers one request for one resource. */
export type ResourceHandler = (exchange: ResourceExchange) => Promise<Answer>;

/** The verb that {@linkcode resolveHandler} answers for watches, which are no ordinary answers. */
export type Resolved = { readonly watch: true } | {
  readonly watch: false;
  readonly handler: ResourceHandler;
};

/**
 * Completes a request for a resource.
 *
 * @throws {ApiError} 404, when nothing is served there; 406, when the answer cannot be written as asked.
 */
export function resourceExchange(exchange: Exchange): ResourceExchange {
  const { info, request, query, server } = exchange;
  const resource = info.malformed
    ? undefined
    : server.registry.find(info.group, info.version, info.resource);
  if (resource === undefined || !fits(resource, exchange)) throw noSuchResource();
  return {
    ...exchange,
    info: resource.namespaced ? info : { ...info, namespace: "" },
    resource,
    store: server.storage.store(resource.storageName),
    representation: negotiate(request.headers, query, answerKind(exchange)),
  };
}

function answerKind({ info, method }: Exchange): AnswerKind {
  if (method !== "GET" || info.subresource !== "") return "object";
  return info.verb === "watch" || info.verb === "list" ? info.verb : "object";
}

/** Whether the path has the parts that the resource's paths have. */
function fits(resource: ResourceInfo, { info }: Exchange): boolean {
  if (info.subresource !== "" && !isServedSubresource(resource, info.subresource)) return false;
  if (resource.namespaced) return info.name === "" || info.namespace !== "";
  return info.namespace === "" || resource.storageName === "namespaces";
}

/**
 * Finds what answers the request.
 *
 * @throws {ApiError} 405, when the method is not served there.
 */
export function resolveHandler(exchange: ResourceExchange): Resolved {
  const { info, method, resource } = exchange;
  if (isReview(resource)) {
    if (method !== "POST" || info.name !== "") throw methodNotAllowed();
    return { watch: false, handler: handleReview };
  }
  if (info.subresource !== "") return { watch: false, handler: handleSubresource(exchange) };
  const handler = handlerFor(exchange);
  if (handler === undefined) throw methodNotAllowed();
  return handler === "watch" ? { watch: true } : { watch: false, handler };
}

function handlerFor(
  { info, method, resource }: ResourceExchange,
): ResourceHandler | "watch" | undefined {
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
      return everywhere || !resource.allows("deletecollection")
        ? undefined
        : handleDeleteCollection;
    default:
      return undefined;
  }
}

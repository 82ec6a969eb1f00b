import type { Answer, ResourceExchange } from "./exchange.ts";
import { handleGet } from "./read_handlers.ts";
import { methodNotAllowed, notImplemented } from "../../values/mod.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import { handlePatch, handleUpdate } from "./write_handlers.ts";
import { handleBinding, handleEviction } from "./pod_subresources.ts";
import { handleLog } from "./pod_log.ts";
import { handleTokenRequest } from "./token_request.ts";
import { handleGetScale, handleWriteScale } from "./scale_handlers.ts";

type Handler = (exchange: ResourceExchange) => Promise<Answer>;

/** Reports whether the resource has the subresource. */
export function isServedSubresource(resource: ResourceInfo, name: string): boolean {
  return resource.subresource(name) !== undefined;
}

/**
 * Returns the handler for a request of a subresource.
 *
 * @throws {ApiError} 405, if the method is not served there.
 */
export function handleSubresource(
  { info, method, resource }: Pick<ResourceExchange, "info" | "method" | "resource">,
): Handler {
  const verb = METHOD_VERBS.get(method) ?? "";
  if (!resource.subresource(info.subresource)!.verbs.includes(verb)) throw methodNotAllowed();
  const isPart = info.subresource === "status" ||
    Object.hasOwn(resource.record.parts, info.subresource);
  const handler = isPart ? PART[verb] : OTHERS[info.subresource]?.[verb];
  if (handler !== undefined) return handler;
  throw notImplemented(`This server does not serve the subresource ${info.subresource}`);
}

type Handlers = Readonly<Record<string, Handler>>;

/** The handlers of the status, and of the other parts of an object, by the verb. */
const PART: Handlers = { get: handleGet, update: handleUpdate, patch: handlePatch };

/** The handlers of all other subresources. */
const OTHERS: Readonly<Record<string, Handlers>> = {
  binding: { create: handleBinding },
  eviction: { create: handleEviction },
  log: { get: handleLog },
  scale: { get: handleGetScale, update: handleWriteScale, patch: handleWriteScale },
  token: { create: handleTokenRequest },
};

/**
 * Answers a create of an object that acts as a subresource of another resource. The body names the object.
 *
 * @param on The plural of that resource and its subresource.
 */
export function handleAction(
  exchange: ResourceExchange,
  { plural, subresource }: { readonly plural: string; readonly subresource: string },
): Promise<Answer> {
  const { info, server } = exchange;
  const resource = server.registry.find(info.group, info.version, plural)!;
  const store = server.storage.store(resource.storageName);
  const reviewed = { resource: exchange.resource, subresource: "" };
  const routed = { ...exchange, info: { ...info, subresource }, resource, store, reviewed };
  return handleSubresource(routed)(routed);
}

const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ["GET", "get"],
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

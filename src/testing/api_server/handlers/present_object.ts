import type { KubeObject } from "@kubeloop/controller/types";
import { modified } from "../../values/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { findObject } from "./read_handlers.ts";
import { prepareRead } from "./unreadable.ts";

/** How often a write starts again because other requests change the object while it waits for webhooks. */
export const MAX_TRIES = 100;

/**
 * Runs a write with the object that the path names. If it returns undefined, another request has changed the object
 * while it waited for webhooks: it then runs again with the changed object, as in a real server.
 *
 * @throws {ApiError} 409, if that happens too often.
 */
export async function writePresent(
  exchange: ResourceExchange,
  write: (stored: StoredObject | undefined) => Answer | Promise<Answer | undefined>,
): Promise<Answer> {
  const { method, resource, server, warnings } = exchange;
  // A real server reads an object from etcd to delete it, and from its watch cache to update it.
  const fresh = method === "DELETE";
  const warned = warnings.length;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = findObject(exchange);
    const prepared = stored &&
      (fresh ? prepareRead(exchange, stored, fresh) : server.converter.prepare(resource, [stored]));
    if (prepared !== undefined) await prepared;
    warnings.length = warned;
    const answer = await write(stored);
    if (answer !== undefined) return answer;
  }
  throw modified(resource.definition, exchange.info.name);
}

/** Reports whether another request has changed or removed an object since it was read. */
export function hasMoved({ store }: ResourceExchange, stored: StoredObject): boolean {
  return store.get(stored.key) !== stored;
}

/** Returns the answer with a stored object in the requested version. */
export async function storedAnswer(
  { resource, server }: ResourceExchange,
  code: number,
  stored: StoredObject,
): Promise<Answer> {
  const prepared = server.converter.prepare(resource, [stored]);
  if (prepared !== undefined) await prepared;
  return { type: "object", code, text: resource.text(stored) };
}

/**
 * Returns the form in which an object is stored; a promise if a webhook converts it.
 *
 * @param before The object that an update changes.
 */
export function storageForm(
  { request, resource, server }: ResourceExchange,
  object: KubeObject,
  before?: StoredObject,
): KubeObject | Promise<KubeObject> {
  if (resource.conversionWebhook === undefined) return resource.toStorage(object, before);
  return server.converter.toStorage(resource, object, request.signal);
}

/** Returns the answer to a dry run with an object that would have been stored: as it would be read again. */
export async function dryRunAnswer(
  { request, resource, server }: ResourceExchange,
  code: number,
  form: KubeObject,
): Promise<Answer> {
  const object = await server.converter.fromStorage(resource, form, request.signal);
  return { type: "object", code, text: resource.encode(object) };
}

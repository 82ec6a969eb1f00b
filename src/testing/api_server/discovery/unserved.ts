import { methodNotAllowed, notFound, notImplemented } from "../values/mod.ts";
import type { RequestInfo } from "../http/mod.ts";

/** The resources that a real API server serves and this one does not, by group. */
const RESOURCES: Readonly<Record<string, string>> = {
  "": "bindings componentstatuses",
};

/** The subresources that a real API server serves and this one does not, with their methods. */
const SUBRESOURCES: Readonly<Record<string, readonly string[]>> = {};

/**
 * Refuses resources and subresources that a real API server serves and this one does not. A 501 shows a client that
 * they are missing here, where a 404 could be taken for a real answer.
 *
 * @param exists Reports whether the object of the request exists.
 * @throws {ApiError} 501, with the name of the resource; 404, for a subresource of an object that does not exist;
 * 405, for a method that the subresource does not have.
 */
export function refuseUnserved(
  info: RequestInfo,
  method: string,
  exists: (info: RequestInfo) => boolean,
): void {
  const { group, resource, subresource } = info;
  const name = group === "" ? resource : `${resource}.${group}`;
  if (has(RESOURCES, group, resource)) throw notImplemented(`This server does not serve ${name}`);
  const methods = group === "" ? SUBRESOURCES[`${resource}/${subresource}`] : undefined;
  if (methods !== undefined) {
    if (!methods.includes(method)) throw methodNotAllowed();
    if (!exists(info)) throw notFound({ group, plural: resource }, info.name);
    throw notImplemented(`This server does not serve ${name}/${subresource}`);
  }
}

function has(table: Readonly<Record<string, string>>, key: string, name: string): boolean {
  return Object.hasOwn(table, key) && table[key]!.split(" ").includes(name);
}

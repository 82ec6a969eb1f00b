import { notFound, notImplemented } from "../values/mod.ts";
import type { RequestInfo } from "../http/mod.ts";

/** The resources that a real API server serves and this one does not, by group. */
const RESOURCES: Readonly<Record<string, string>> = {
  "": "bindings componentstatuses",
  "authentication.k8s.io": "tokenreviews",
  "authorization.k8s.io": "localsubjectaccessreviews",
};

const SUBRESOURCES: Readonly<Record<string, string>> = {
  nodes: "proxy",
  pods: "attach ephemeralcontainers exec portforward proxy resize",
  serviceaccounts: "token",
  services: "proxy",
};

/**
 * Refuses resources and subresources that a real API server serves and this one does not. A 501 shows a client that
 * they are missing here, where a 404 could be taken for a real answer.
 *
 * @param exists Reports whether the object of the request exists.
 * @throws {ApiError} 501, with the name of the resource; 404, for a subresource of an object that does not exist.
 */
export function refuseUnserved(info: RequestInfo, exists: (info: RequestInfo) => boolean): void {
  const { group, resource, subresource } = info;
  const name = group === "" ? resource : `${resource}.${group}`;
  if (has(RESOURCES, group, resource)) throw notImplemented(`This server does not serve ${name}`);
  if (group === "" && has(SUBRESOURCES, resource, subresource)) {
    if (!exists(info)) throw notFound({ group, plural: resource }, info.name);
    throw notImplemented(`This server does not serve ${name}/${subresource}`);
  }
}

function has(table: Readonly<Record<string, string>>, key: string, name: string): boolean {
  return Object.hasOwn(table, key) && table[key]!.split(" ").includes(name);
}

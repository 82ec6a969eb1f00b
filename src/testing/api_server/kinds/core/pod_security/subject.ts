import { getObject, getString, type JsonObject } from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

/** A violation of the Pod Security Standards. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** The input of a check besides the spec of the Pod. */
export interface Subject {
  /** The annotations of the Pod. */
  readonly annotations: JsonObject;
  /** The minor version of Kubernetes whose standards apply. */
  readonly minor: number;
}

/** A check of one control. Returns undefined if the Pod passes. */
export type Check = (spec: JsonObject, subject: Subject) => Violation | undefined;

/** Returns all containers of a Pod. */
export function containersOf(spec: JsonObject): JsonObject[] {
  return ["initContainers", "containers", "ephemeralContainers"]
    .flatMap((list) => objects(spec, list));
}

/** Returns the names of the containers to which something applies. */
export function named(spec: JsonObject, applies: (container: JsonObject) => boolean): string[] {
  return containersOf(spec).filter(applies).map((container) => getString(container, "name"));
}

/** Returns names as errors list them. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}

/** Returns a noun, in the plural unless there is one name. */
export function several(what: string, names: readonly string[]): string {
  return names.length === 1 ? what : `${what}s`;
}

/** Returns the names of containers with the word before them. */
export function containers(names: readonly string[]): string {
  return `${several("container", names)} ${quoted(names)}`;
}

/** Returns each name once, sorted. */
export function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** Returns the security context of a container or a Pod. */
export function security(container: JsonObject): JsonObject {
  return getObject(container, "securityContext");
}

/** Returns a violation, if there are such containers. */
export function ifAny(
  names: readonly string[],
  reason: string,
  detail: (shown: string) => string,
): Violation | undefined {
  return names.length === 0 ? undefined : { reason, detail: detail(containers(names)) };
}

/** Names the Pod and the containers whose security context `applies` selects; empty if it selects none. */
export function setters(spec: JsonObject, applies: (context: JsonObject) => boolean): string {
  const names = named(spec, (one) => applies(security(one)));
  return [
    ...(applies(security(spec)) ? ["pod"] : []),
    ...(names.length === 0 ? [] : [containers(names)]),
  ].join(" and ");
}

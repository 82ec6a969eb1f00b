import type { JsonObject } from "../../../values/mod.ts";
import type { Release, Span } from "../../release/mod.ts";
import type { Dialect } from "./dialect.ts";

/** A query parameter, its type, and the minor versions that have it. */
export type Parameter = readonly [name: string, type: string, span?: Span];

/** The query parameters of the operations. */
export const LIST: readonly Parameter[] = [
  ["allowWatchBookmarks", "boolean"],
  ["continue", "string"],
  ["fieldSelector", "string"],
  ["labelSelector", "string"],
  ["limit", "integer"],
  ["resourceVersion", "string"],
  ["resourceVersionMatch", "string"],
  ["sendInitialEvents", "boolean"],
  ["shardSelector", "string", { since: "1.36" }],
  ["timeoutSeconds", "integer"],
  ["watch", "boolean"],
];
export const WRITE: readonly Parameter[] = [
  ["dryRun", "string"],
  ["fieldManager", "string"],
  ["fieldValidation", "string"],
];
export const PATCH: readonly Parameter[] = [...WRITE, ["force", "boolean"]];
export const DELETE: readonly Parameter[] = [
  ["dryRun", "string"],
  ["gracePeriodSeconds", "integer"],
  ["ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"],
  ["orphanDependents", "boolean"],
  ["propagationPolicy", "string"],
];
export const PRETTY: Parameter = ["pretty", "string"];

/** Returns the query parameters of an operation that a release has. */
export function queryParameters(
  parameters: readonly Parameter[],
  release: Release,
  dialect: Dialect,
): JsonObject[] {
  return parameters.filter(([, , span]) => span === undefined || release.has(span))
    .map((parameter) => queryParameter(parameter, dialect));
}

/** Returns a query parameter as an operation has it. */
export function queryParameter([name, type]: Parameter, { isRich }: Dialect): JsonObject {
  const schema = { type, uniqueItems: true };
  return isRich ? { name, in: "query", schema } : { name, in: "query", ...schema };
}

import type { KubeObject } from "@kubeloop/controller/types";
import { applyPatch, type ResourceInfo } from "../kinds/mod.ts";
import type { JsonObject } from "../../values/mod.ts";

/** Who writes fields, and when. */
export interface FieldsOwner {
  readonly manager: string;
  readonly subresource?: string;
  /** The time, in RFC 3339. */
  readonly now: string;
}

/** Returns an object with the fields that a controller of the server applies and then owns, whoever had them before. */
export function withOwnedFields(
  { apiVersion, kind }: ResourceInfo,
  live: KubeObject,
  fields: JsonObject,
  owner: FieldsOwner,
): KubeObject {
  const { name = "" } = live.metadata;
  const patch = { apiVersion, kind: kind.kind, metadata: { name }, ...fields };
  return applyPatch({ kind, live, patch, force: true, name, ...owner }).object;
}

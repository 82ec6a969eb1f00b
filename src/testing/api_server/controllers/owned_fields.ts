import type { KubeObject } from "@kubeloop/controller/types";
import { applyPatch, type ResourceInfo } from "../kinds/mod.ts";
import type { JsonObject } from "../../values/mod.ts";

/** The owner and time of written fields. */
export interface FieldsOwner {
  readonly manager: string;
  readonly subresource?: string;
  /** The time, in RFC 3339. */
  readonly now: string;
}

/** Applies fields by force, so that a controller of the server owns them afterwards. */
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

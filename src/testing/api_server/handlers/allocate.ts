import type { KubeObject } from "@kubeloop/controller/types";
import type { ResourceInfo } from "../kinds/mod.ts";
import type { ResourceStore } from "../storage/mod.ts";
import type { JsonObject } from "../../values/mod.ts";

/**
 * Returns an object with what the server gives to one object at a time, as the IP address of a Service.
 *
 * @param place The store of all objects of the resource, and whether nothing is to be stored.
 * @throws {ApiError} 422, if the object asks for something that it cannot have.
 */
export function allocate(
  { record }: ResourceInfo,
  object: KubeObject,
  old: KubeObject | undefined,
  { store, dryRun }: { readonly store: ResourceStore; readonly dryRun: boolean },
): KubeObject {
  if (record.allocate === undefined) return object;
  const uid = object.metadata.uid;
  const others = store.list("").filter((stored) => stored.uid !== uid)
    .map((stored) => stored.parse() as unknown as JsonObject);
  const next = object as unknown as JsonObject;
  const before = old as unknown as JsonObject | undefined;
  return record.allocate(next, before, { others, dryRun }) as unknown as KubeObject;
}

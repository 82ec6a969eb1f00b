import type { JsonObject } from "../values/mod.ts";
import { FieldSet } from "./field_set.ts";
import { type Owner, owner, readOwners, writeOwners } from "./managers.ts";
import { fieldElement } from "./path_element.ts";

const SCALE_VERSION = "autoscaling/v1";

/** The number of replicas, as a set of paths. */
function replicas(path: readonly string[]): FieldSet {
  const set = new FieldSet();
  set.insert(path.map(fieldElement));
  return set;
}

const SCALE_REPLICAS = replicas(["spec", "replicas"]);

/**
 * The Scale of an object with its owners listed: those who own the object's number of replicas own the Scale's.
 *
 * @param scale The Scale.
 * @param object The object it is of.
 * @param path Where the object has its number of replicas.
 */
export function withOwnersOf(
  scale: JsonObject,
  object: JsonObject,
  path: readonly string[],
): JsonObject {
  const owned = replicas(path);
  const owners = new Map<string, Owner>();
  for (const one of readOwners(object)?.values() ?? []) {
    if (one.set.intersection(owned).isEmpty) continue;
    const scaler = owner({ ...one, apiVersion: SCALE_VERSION, set: SCALE_REPLICAS });
    owners.set(scaler.id, scaler);
  }
  return writeOwners(scale, owners);
}

/**
 * An object with the owners that its Scale has after a server-side apply: whoever owns the Scale's number of replicas owns
 * the object's, and those who no longer do lose it.
 *
 * @param object The object as it is.
 * @param scale The Scale as it was applied.
 * @param path Where the object has its number of replicas.
 * @param apiVersion The version of the object.
 */
export function withOwnersOfScale(
  object: JsonObject,
  scale: JsonObject,
  path: readonly string[],
  apiVersion: string,
): JsonObject {
  const owned = replicas(path);
  const before = readOwners(object) ?? new Map<string, Owner>();
  const scalers = readOwners(scale) ?? new Map<string, Owner>();
  const owners = new Map<string, Owner>();
  for (const [id, one] of before) {
    const set = scalers.has(id) ? one.set : one.set.difference(owned);
    if (!set.isEmpty) owners.set(id, { ...one, set });
  }
  for (const [id, one] of scalers) {
    if (owners.has(id) || one.set.intersection(SCALE_REPLICAS).isEmpty) continue;
    // An updater of the object may be listed twice, as by the real server: as a scaler it goes by another id.
    owners.set(id, { ...one, apiVersion, time: undefined, set: owned });
  }
  return writeOwners(object, owners);
}

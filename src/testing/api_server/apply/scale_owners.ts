import type { JsonObject } from "../../values/mod.ts";
import { FieldSet } from "./field_set.ts";
import { type Owner, owner, readOwners, writeOwners } from "./managers.ts";
import { fieldElement } from "./path_element.ts";

const SCALE_VERSION = "autoscaling/v1";

/** Returns the set that has only the path of the replicas field. */
function replicas(path: readonly string[]): FieldSet {
  const set = new FieldSet();
  set.insert(path.map(fieldElement));
  return set;
}

const SCALE_REPLICAS = replicas(["spec", "replicas"]);

/**
 * Returns a Scale with its managed fields.
 *
 * The managers of the object's replicas field own `spec.replicas` of the Scale.
 *
 * @param scale The Scale.
 * @param object The object that the Scale belongs to.
 * @param path The path of the replicas field in the object.
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
 * Returns an object with its managed fields after a server-side apply of its Scale.
 *
 * The managers of `spec.replicas` of the Scale own the replicas field of the object. Other managers lose that field.
 *
 * @param object The object before the apply.
 * @param scale The Scale after the apply.
 * @param path The path of the replicas field in the object.
 * @param apiVersion The API version of the object.
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
    // A manager that also updates the object may be listed twice, as in a real server: the id of an update includes the
    // API version, and the Scale has its own.
    owners.set(id, { ...one, apiVersion, time: undefined, set: owned });
  }
  return writeOwners(object, owners);
}

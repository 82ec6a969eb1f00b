import { getOwn, isObject, type Json, type JsonObject, type Type } from "../../values/mod.ts";
import { atomOf, memberType } from "./atom.ts";
import { fieldElement, type PathElement, showPath } from "./path_element.ts";
import { checkTyped } from "./typed_check.ts";
import { mergeTyped } from "./typed_merge.ts";

/** The error for a configuration that does not fit the type of the object. */
export class ConfigurationError extends Error {
  /** Always `ConfigurationError`. */
  override readonly name: string = "ConfigurationError";
}

/**
 * Merges a configuration that a policy has made into an object, without field ownership.
 *
 * @throws {ConfigurationError} If the configuration does not fit the type, or sets a part of an atomic value.
 */
export function mergeConfiguration(live: JsonObject, config: JsonObject, type: Type): Json {
  const { apiVersion, kind } = live;
  const named = {
    ...config,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
  };
  const errors = checkTyped(named, type);
  if (errors.length > 0) {
    throw new ConfigurationError(
      `failed to convert patch object to typed object: ${showErrors(errors)}`,
    );
  }
  const atomic = atomicParts(named, type, []);
  if (atomic.length > 0) {
    throw new ConfigurationError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${
        atomic.join(", ")
      }`,
    );
  }
  return mergeTyped(live, named, type);
}

/** Formats the errors of a configuration as one message. */
export function showErrors(errors: readonly string[]): string {
  if (errors.length === 1) return errors[0]!;
  return ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}

/** Returns the paths of lists, maps and structs that can only be replaced as a whole. */
function atomicParts(value: Json, type: Type, path: readonly PathElement[]): string[] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  const atom = atomOf(type, value);
  const own = atom.kind === "leaf" ? [showPath(path)] : [];
  if (Array.isArray(value)) {
    if (type.kind !== "list") return own;
    return value.reduce<string[]>(
      (found, item, index) => [...found, ...atomicParts(item, type.item, [...path, `i:${index}`])],
      own,
    );
  }
  // Only the fields of structs are looked into, as the real server does.
  if (type.kind !== "struct") return own;
  return Object.keys(value).sort().reduce<string[]>((found, key) => {
    const inner = type.fields.get(key);
    if (inner === undefined) return found;
    const next = [...path, fieldElement(key)];
    return [...found, ...atomicParts(getOwn(value, key) ?? null, memberType(type, key)!, next)];
  }, own);
}

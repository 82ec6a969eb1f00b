import { fieldPath } from "./field_error.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** The implicit fields of an embedded resource. */
const OF_RESOURCES: readonly string[] = ["apiVersion", "kind", "metadata"];

/**
 * Returns the path of the first field that the server would prune from a value; undefined if there is none.
 *
 * @param path The path of the value.
 */
export function findPruned(value: Json, schema: JsonObject, path: string): string | undefined {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (!isObject(items)) return undefined;
    return first(value.entries(), ([index, one]) => findPruned(one, items, fieldPath(path, index)));
  }
  if (!isObject(value)) return undefined;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  return first(Object.entries(value), ([name, field]) => {
    const named = isObject(properties) && Object.hasOwn(properties, name)
      ? properties[name]
      : additionalProperties;
    if (isObject(named)) return findPruned(field, named, fieldPath(path, name));
    const isKnown = isOpen || (isResource && OF_RESOURCES.includes(name));
    return isKnown ? undefined : fieldPath(path, name);
  });
}

function first<T>(parts: Iterable<T>, find: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = find(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

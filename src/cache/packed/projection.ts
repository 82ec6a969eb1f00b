import { isRecord } from "../../base/mod.ts";
import { KEPT_PATHS, type KubeObject, type ResourceDescriptor } from "../../types/mod.ts";

/** A kept field, or a value on the way to kept fields. */
interface Part {
  readonly name: string;
  readonly path: readonly string[];
  /** The parts of the value that are kept; undefined if all of it is. */
  parts: Part[] | undefined;
}

/** The type of an object. */
interface ObjectType {
  readonly kind?: string | undefined;
  readonly apiVersion?: string | undefined;
}

/** Reduces objects to the fields that the cache of a `fieldsOf()` keeps. */
export class Projection {
  readonly #root: Part = { name: "", path: [], parts: [] };

  /** @param fields The names on the paths of the fields. Some metadata is always kept. */
  constructor(fields: readonly (readonly string[])[]) {
    for (const path of [...KEPT_PATHS, ...fields]) addPath(this.#root, path);
  }

  /** Returns the projection for a resource; undefined if its caches keep all fields. */
  static for(resource: ResourceDescriptor | undefined): Projection | undefined {
    return resource?.fields && new Projection(resource.fields);
  }

  /**
   * Returns the kept part of an object.
   *
   * @param type The type of the object.
   * @param valueAt Returns the value of the object at a path; undefined if it has none.
   */
  of<T extends KubeObject>(
    { kind, apiVersion }: ObjectType,
    valueAt: (path: readonly string[]) => unknown,
  ): T {
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      ...keptFields(this.#root, valueAt),
    } as T;
  }
}

function addPath(root: Part, path: readonly string[]): void {
  let part = root;
  for (const [depth, name] of path.entries()) {
    if (part.parts === undefined) return;
    let below = part.parts.find((one) => one.name === name);
    if (below === undefined) {
      part.parts.push(below = { name, path: path.slice(0, depth + 1), parts: [] });
    }
    part = below;
  }
  part.parts = undefined;
}

/** Returns the kept part of a value. */
function keptOf(part: Part, valueAt: (path: readonly string[]) => unknown): unknown {
  if (part.parts === undefined) return valueAt(part.path);
  const fields = keptFields(part, valueAt);
  if (Object.keys(fields).length > 0) return fields;
  // A field that is absent, another value than an object, or an object that has none of the kept fields.
  const value = valueAt(part.path);
  return isRecord(value) || Array.isArray(value) ? fields : value;
}

function keptFields(
  { parts = [] }: Part,
  valueAt: (path: readonly string[]) => unknown,
): Record<string, unknown> {
  const kept = parts.map((part) => [part.name, keptOf(part, valueAt)] as const);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

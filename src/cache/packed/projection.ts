import { isMember, setOwn } from "../../base/mod.ts";
import { KEPT_PATHS, type KubeObject, type ResourceDescriptor } from "../../types/mod.ts";

/** The names of a value that are kept, with the parts of their values; undefined if all of the value is kept. */
type Parts = Map<string, Parts> | undefined;

/** Reduces objects to the fields that the caches of a `fieldsOf()` keep. */
export class Projection {
  /** The names on the paths of all kept fields. */
  readonly paths: readonly (readonly string[])[];
  readonly #parts: Parts;

  /** @param fields The names on the paths of the fields. The type and some metadata are always kept. */
  constructor(fields: readonly (readonly string[])[]) {
    this.paths = [["kind"], ["apiVersion"], ...KEPT_PATHS, ...fields];
    this.#parts = partsOf(this.paths);
  }

  /** Returns the projection for a resource; undefined if its caches keep all fields. */
  static for(resource: ResourceDescriptor | undefined): Projection | undefined {
    return resource?.fields && new Projection(resource.fields);
  }

  /** Returns a new object with the kept fields. An object or list on the way to a field is an object of the kept names. */
  of<T extends KubeObject>(object: T): T {
    return keptOf(object, this.#parts) as T;
  }
}

function partsOf(paths: readonly (readonly string[])[]): Parts {
  if (paths.some((path) => path.length === 0)) return undefined;
  const below = Map.groupBy(paths, ([name = ""]) => name);
  return new Map(
    [...below].map(([name, some]) => [name, partsOf(some.map(([, ...names]) => names))] as const),
  );
}

function keptOf(value: unknown, parts: Parts): unknown {
  if (parts === undefined || typeof value !== "object" || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, below] of parts) {
    if (!isMember(value, name)) continue;
    setOwn(kept, name, keptOf((value as Record<string, unknown>)[name], below));
  }
  return kept;
}

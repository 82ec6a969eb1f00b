import { type CacheRead, isCompared, keyOf, type Known, type Moment } from "../record/mod.ts";
import type { Given } from "./chronicle.ts";

/** An object that a reconcile has read, or looked for. */
export interface Look {
  readonly at: number;
  readonly object: string;
  /** The version that it has read; undefined if the object was not there. */
  readonly knew: Given | undefined;
  /** The line that has read it; undefined if the library has. */
  readonly place: string | undefined;
}

/** The parts of a run that tell the objects of reads. */
export interface ReadContext {
  /** Returns the full name of the resource of a read. */
  resourceOf(read: CacheRead): string;
  /** Returns the time of a version; 0 if it is from before the run. */
  timeOf(number: number): number;
}

/** Returns the objects of reads up to a moment, each as it was read last. */
export function looksIn(
  reads: readonly CacheRead[],
  upTo: number,
  { resourceOf, timeOf }: ReadContext,
): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>();
  for (const read of reads) {
    const { at, key, objects, place } = read;
    if (at > upTo) break;
    const resource = resourceOf(read);
    if (!isCompared(resource)) continue;
    if (key !== undefined && objects.length === 0) {
      const object = `${resource} ${key}`;
      looks.set(object, { at, object, knew: undefined, place });
    }
    for (const one of objects) {
      const { name = "", namespace = "", resourceVersion } = one.metadata;
      const object = `${resource} ${keyOf(namespace, name)}`;
      const number = Number(resourceVersion);
      const knew = { type: "READ", object: one as Given["object"], number, atMs: timeOf(number) };
      looks.set(object, { at, object, knew, place });
    }
  }
  return looks;
}

type Read = Moment & { kind: "read" };

/** Returns a read from the server in the form of a read from a cache. */
export function serverRead(
  moment: Read,
  given: readonly Known[],
): Pick<CacheRead, "process" | "cache" | "name" | "key" | "objects"> {
  const { process, resource, verb } = moment;
  return {
    process,
    cache: moment,
    name: resource,
    key: verb === "get" ? keyIn(moment) : undefined,
    objects: given.map(({ object }) => object),
  };
}

/** Returns the key of the object of a get, from its name: `operator get pods default/w-0 #1`. */
function keyIn({ id, process, resource, verb }: Read): string {
  return id.slice(`${process} ${verb} ${resource} `.length).replace(/ #\d+$/, "");
}

import { Brand } from "../../base/mod.ts";
import { ByteRange, parseRange, type ScannedObject, type Slab, valueAt } from "../../bytes/mod.ts";
import { type JsonPath, parsePath } from "./json_path.ts";

/** What identifies a version of an object. Absent parts are empty. */
export interface ObjectIdentity {
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
  /** The UID. */
  readonly uid: string;
  /** The resource version, which is opaque. */
  readonly resourceVersion: string;
}

/** The type of a field that a reference does not have at hand. Take it from `object()`, or by `valueAt()`. */
export interface NotAtHand {
  /** Never there. */
  readonly "take it from object(), or by valueAt()": never;
}

/** An {@linkcode ObjectRef} was read whose version the cache has let go. */
export class StaleReferenceError extends Error {
  /** Always `StaleReferenceError`. */
  override readonly name: string = "StaleReferenceError";
}

/** The reference to an object whose bytes were read, perhaps in a page; `key` is empty when it has none. */
export let makeRef: <T>(object: ScannedObject, key: string, page?: Slab) => ObjectRef<T>;
/** Where the bytes of a reference are: for the store that keeps them. */
export let rangeOf: (ref: ObjectRef) => ByteRange;

const brand = new Brand("ObjectRef");

/** What people look for in an object and would find to be undefined in a reference to it. */
const NOT_AT_HAND = [
  ...["spec", "status", "data"],
  ...["labels", "annotations", "ownerReferences", "finalizers", "generation"],
  ...["creationTimestamp", "deletionTimestamp", "managedFields"],
];

/**
 * One version of an object in a compact cache: what identifies it is at hand, the rest is bytes until it is asked for. It is
 * what the handlers of an informer with `cache: "compact"` are given.
 *
 * What else one knows of an object is not there: `ref.spec` or `ref.metadata.labels` throw a TypeError, so that a handler
 * meant for objects does not take everything for empty.
 *
 * It can be read while its version is in the cache and during the handler calls that it was given to, up to the end of the
 * promise that a handler returns. Afterwards reading throws; it never shows another version. What identifies it stays.
 *
 * @typeParam T The interface of the object.
 *
 * @example
 * ```ts
 * import { type ObjectRef, SharedInformer } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const source = new FakeControllerSource<Pod>();
 * source.add({ metadata: { namespace: "x", name: "a" }, status: { phase: "Running" } });
 * const pods = new SharedInformer<Pod, "compact">(source, { name: "pods", cache: "compact", clock });
 *
 * const lines: unknown[] = [];
 * pods.addEventHandler({
 *   onAdd: (ref: ObjectRef<Pod>) => {
 *     lines.push(ref.key, ref.valueAt("status.phase"), ref.object().status);
 *   },
 * });
 * const stop = new AbortController();
 * const running = pods.run({ signal: stop.signal });
 * await clock.advance(10);
 * assertEquals(lines, ["x/a", "Running", { phase: "Running" }]);
 * stop.abort();
 * await clock.run(running);
 * ```
 */
export class ObjectRef<T = unknown> implements ObjectIdentity {
  /** Its key in the cache: `namespace/name`, unless the informer has a `keyFunc` of its own. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The kind, where the object says it: items of lists of built-in kinds do not. */
  readonly kind?: string;
  /** Group and version, where the object says them. */
  readonly apiVersion?: string;
  /** Not at hand: throws. Its type keeps a reference from being passed where an object is wanted. */
  declare readonly spec?: NotAtHand;
  /** Not at hand: throws. */
  declare readonly status?: NotAtHand;
  /** Not at hand: throws. */
  declare readonly data?: NotAtHand;
  readonly #range: ByteRange;

  /** Made by the cache. */
  private constructor(object: ScannedObject, key: string, page: Slab | undefined) {
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = object;
    this.key = key;
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
    if (object.kind !== undefined) this.kind = object.kind;
    if (object.apiVersion !== undefined) this.apiVersion = object.apiVersion;
    this.#range = new ByteRange(object.bytes, object.start, object.end, page);
  }

  /** What identifies it, at the place where an object has it: key functions work on references too. */
  get metadata(): ObjectIdentity {
    return this;
  }

  /**
   * The object, parsed anew each time: the caller's own, to be changed at will.
   *
   * @returns The object.
   * @throws {StaleReferenceError} When its version is gone.
   */
  object(): T {
    const { bytes, start, end } = this.#read();
    return parseRange(bytes, start, end) as T;
  }

  /**
   * One value of the object, without parsing the rest.
   *
   * @param path Where it is, as in `status.phase`; a dot within a name is written `\\.`, or the path given as an array.
   * @returns What `object()` has there; undefined where there is nothing.
   * @throws {StaleReferenceError} When its version is gone.
   */
  valueAt(path: JsonPath): unknown {
    const { bytes, start, end } = this.#read();
    return valueAt(bytes, start, end, parsePath(path));
  }

  /** Whether `value` is a reference, of this or another copy of the package. */
  static is<T>(value: unknown): value is ObjectRef<T> {
    return brand.isOn(value);
  }

  static {
    makeRef = (object, key, page) => new ObjectRef(object, key, page);
    rangeOf = (ref) => ref.#range;
  }

  #read(): ByteRange {
    const range = this.#range;
    if (range.end > range.start) return range;
    throw new StaleReferenceError(
      `Cannot read "${this.key}" at resource version "${this.resourceVersion}": the cache has let that version go; ` +
        "read it within the handler, or take the present one by getByKey()",
    );
  }
}

brand.put(ObjectRef.prototype);
for (const name of NOT_AT_HAND) {
  Object.defineProperty(ObjectRef.prototype, name, {
    get(this: ObjectRef): never {
      throw new TypeError(
        `Cannot read "${name}" of a reference to "${this.key}": the informer's cache is compact; ` +
          `take it from object(), or by valueAt()`,
      );
    },
  });
}

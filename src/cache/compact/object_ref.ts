import { Brand } from "../../base/mod.ts";
import { type KubeObject, withType } from "../../types/mod.ts";
import { ByteRange, parseRange, type ScannedObject, type Slab, valueAt } from "../../bytes/mod.ts";
import { type JsonPath, parsePath } from "./json_path.ts";

/** The identity of one version of an object. Absent parts are empty strings. */
export interface ObjectIdentity {
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
  /** The UID. */
  readonly uid: string;
  /** The resource version, an opaque string. */
  readonly resourceVersion: string;
}

/** The type of a field that cannot be read from a reference. Read the field with `object()` or `valueAt()`. */
export interface NotAtHand {
  /** Never present. The name says how to read the field. */
  readonly "take it from object(), or by valueAt()": never;
}

/** The error for reading an {@linkcode ObjectRef} whose version the cache has freed. */
export class StaleReferenceError extends Error {
  /** Always `StaleReferenceError`. */
  override readonly name: string = "StaleReferenceError";
}

/** The kind and the API version of the items of a list. */
export interface ObjectType {
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * Creates a reference to a scanned object. `key` is empty if the object has no key. `page` is the buffer that the bytes
 * are part of, if a store is to keep the buffer as a whole. `listed` is the type that the list of the object gives it.
 */
export let makeRef: <T>(
  object: ScannedObject,
  key: string,
  page?: Slab,
  listed?: ObjectType,
) => ObjectRef<T>;
/** Returns the location of a reference's bytes, for the store that keeps the bytes. */
export let rangeOf: (ref: ObjectRef) => ByteRange;

const brand = new Brand("ObjectRef");

/** Fields that objects usually have. They would be undefined in a reference, so reading them throws. */
const NOT_AT_HAND = [
  ...["spec", "status", "data"],
  ...["labels", "annotations", "ownerReferences", "finalizers", "generation"],
  ...["creationTimestamp", "deletionTimestamp", "managedFields"],
];

/**
 * A reference to one version of an object in a compact cache. The identity of the object can be read directly; the rest
 * is kept as bytes and parsed on demand. The handlers of an informer with `cache: "compact"` receive references instead
 * of objects.
 *
 * Other fields of the object cannot be read from the reference. The common ones, such as `ref.spec` and
 * `ref.metadata.labels`, throw a TypeError, so that a handler written for objects does not mistake every object for an
 * empty one. The rest are undefined.
 *
 * The reference can be read while its version is in the cache, and during the handler calls that receive the reference,
 * until the promise that the handler returns settles. After that, reading throws; the reference never shows another
 * version. The identity remains readable.
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
  /** The key of the object in the cache: `namespace/name`, or `name` for a cluster-scoped object. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The kind, from the object or from the list that it came with. */
  readonly kind?: string;
  /** The API group and version, from the object or from the list that it came with. */
  readonly apiVersion?: string;
  /** Cannot be read: throws. The type prevents passing a reference where an object is expected. */
  declare readonly spec?: NotAtHand;
  /** Cannot be read: throws. */
  declare readonly status?: NotAtHand;
  /** Cannot be read: throws. */
  declare readonly data?: NotAtHand;
  readonly #range: ByteRange;

  /** Only the cache creates references. */
  private constructor(
    object: ScannedObject,
    key: string,
    page: Slab | undefined,
    listed: ObjectType | undefined,
  ) {
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = object;
    this.key = key;
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
    const kind = object.kind || listed?.kind;
    const apiVersion = object.apiVersion || (object.kind ? undefined : listed?.apiVersion);
    if (kind !== undefined) this.kind = kind;
    if (apiVersion !== undefined) this.apiVersion = apiVersion;
    this.#range = new ByteRange(object.bytes, object.start, object.end, page);
  }

  /** The identity, in the place where objects have it. So key functions accept references, too. */
  get metadata(): ObjectIdentity {
    return this;
  }

  /**
   * Parses the object. Each call returns a new copy, which the caller may change.
   *
   * @returns The object.
   * @throws {StaleReferenceError} When the cache has freed the version.
   */
  object(): T {
    const { bytes, start, end } = this.#read();
    const parsed = parseRange(bytes, start, end) as T & KubeObject;
    return this.kind && this.apiVersion ? withType(parsed, this.kind, this.apiVersion) : parsed;
  }

  /**
   * Returns one value of the object without parsing the rest.
   *
   * @param path The path of the value, such as `status.phase`. A dot within a name is written `\\.`; the path may also
   * be an array of names.
   * @returns The value that `object()` has at the path; undefined if it has none.
   * @throws {StaleReferenceError} When the cache has freed the version.
   * @throws {SyntaxError} When the path is text with an empty part.
   */
  valueAt(path: JsonPath): unknown {
    const { bytes, start, end } = this.#read();
    const names = parsePath(path);
    const value = valueAt(bytes, start, end, names);
    if (value || names.length !== 1) return value;
    const [name] = names;
    return name === "kind" || name === "apiVersion" ? this[name] ?? value : value;
  }

  /** Reports whether `value` is a reference, created by this or another copy of the package. */
  static is<T>(value: unknown): value is ObjectRef<T> {
    return brand.isOn(value);
  }

  static {
    makeRef = (object, key, page, listed) => new ObjectRef(object, key, page, listed);
    rangeOf = (ref) => ref.#range;
  }

  #read(): ByteRange {
    const range = this.#range;
    if (range.end > range.start) return range;
    throw new StaleReferenceError(
      `Cannot read "${this.key}" at resource version "${this.resourceVersion}": the cache has freed that version; ` +
        "read it during the handler call, or get the current version with getByKey()",
    );
  }
}

brand.put(ObjectRef.prototype);
for (const name of NOT_AT_HAND) {
  Object.defineProperty(ObjectRef.prototype, name, {
    get(this: ObjectRef): never {
      throw new TypeError(
        `Cannot read "${name}" of a reference to "${this.key}": the informer's cache is compact; ` +
          `read the field with object() or valueAt()`,
      );
    },
  });
}

import { LruMap } from "../base/mod.ts";
import {
  isCount,
  isRecord,
  type Logger,
  type OptionChecks,
  requireOptions,
  stringifyJson,
  TextHash,
} from "../base/mod.ts";
import {
  apiVersionOf,
  type DeepReadonly,
  type KubeObject,
  type ResourceDescriptor,
  resourceName,
  type Stored,
} from "../types/mod.ts";
import { extractOwned, fieldsOfShape } from "./extract_owned.ts";
import { isApplied } from "./is_applied.ts";
import { type Applier, isStripped, managedFieldsOf } from "./managed_fields.ts";

/** The default maximum number of entries, of about 250 bytes each. */
const DEFAULT_MAX_ENTRIES = 50_000;

/** Options of {@linkcode AppliedMemory}. */
export interface AppliedMemoryOptions {
  /**
   * The maximum number of remembered objects. When it is reached, the object that was looked up least recently is
   * forgotten, which costs a needless request later. Default 50,000.
   */
  readonly maxEntries?: number | undefined;
}

const CHECKS: OptionChecks<AppliedMemoryOptions> = { maxEntries: isCount(1) };

/**
 * Remembers the applies of a controller whose results do not look like the desired objects.
 *
 * The server changes some values before it stores them, such as `{}` to an object with defaults. The stored object then never
 * equals the desired one. The memory keeps a hash of the sent fields and of the owned fields in the response, so
 * that the same object is not sent again in this process. Objects that look as desired are not kept.
 *
 * A controller has one memory. All its `ApplyPass`es and `StatusDraft`s share it.
 *
 * @example
 * ```ts
 * import { AppliedMemory } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const memory = new AppliedMemory({ maxEntries: 1_000 });
 * assertEquals(memory.size, 0);
 * ```
 */
export class AppliedMemory {
  /** The hashes by UID and subresource, least recently used first. */
  readonly #entries: LruMap<string, string>;
  /** The resources whose cached objects have no managed fields. */
  readonly #stripped = new Set<string>();
  /** Fields that a kind lacks, as the server has said. */
  readonly #lacking = new Set<string>();

  /**
   * Creates an empty memory.
   *
   * @throws {TypeError} If an option is unknown.
   * @throws {RangeError} If `maxEntries` is not a whole number of at least 1.
   */
  constructor(options: AppliedMemoryOptions = {}) {
    requireOptions("AppliedMemory", options, CHECKS);
    const { maxEntries = DEFAULT_MAX_ENTRIES } = options;
    this.#entries = new LruMap(maxEntries);
  }

  /** The number of remembered objects. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Reports whether applying `desired` again would change nothing.
   *
   * @internal
   */
  isApplied(
    desired: Readonly<Record<string, unknown>>,
    object: DeepReadonly<Stored<KubeObject>>,
    applier: Applier,
  ): boolean {
    const stripped = isStripped(object);
    if (!stripped && isApplied(desired, object, applier)) return true;
    const key = keyOf(object, applier);
    const known = this.#entries.get(key);
    if (known === undefined) return false;
    this.#entries.set(key, known);
    return known === hashOf(desired, object, applier, stripped);
  }

  /**
   * Remembers the response to an apply of `desired` to the object `before`.
   *
   * If an apply takes the last member of a list or an object away, the server removes the field, and only the next apply sets
   * it to the empty value. A changed object with empty values is therefore not remembered until an apply changes nothing.
   *
   * @internal
   */
  note(
    desired: Readonly<Record<string, unknown>>,
    before: DeepReadonly<Stored<KubeObject>> | undefined,
    response: DeepReadonly<Stored<KubeObject>>,
    applier: Applier,
    resource: ResourceDescriptor,
  ): void {
    const key = keyOf(response, applier);
    this.#entries.delete(key);
    const stripped = isStripped(response) || this.#stripped.has(resourceName(resource));
    if (!stripped && isApplied(desired, response, applier)) return;
    const isChange = before !== undefined &&
      before.metadata.resourceVersion !== response.metadata.resourceVersion;
    if (isChange && hasEmpty(desired)) return;
    this.#entries.set(key, hashOf(desired, response, applier, stripped));
  }

  /**
   * Warns once for each resource whose cached objects have no managed fields.
   *
   * @internal
   */
  warnIfStripped(
    resource: ResourceDescriptor,
    object: DeepReadonly<KubeObject>,
    logger: Logger,
  ): void {
    const name = resourceName(resource);
    if (!isStripped(object) || this.#stripped.has(name)) return;
    this.#stripped.add(name);
    logger.warn(
      `Cached ${name} have no metadata.managedFields: each object is applied once after a start, even if nothing changes, ` +
        "and is read before its status is written. " +
        "Keep the managed fields in the cache, without transformStripManagedFields",
    );
  }

  /**
   * Reports whether the server has said that a kind lacks a field.
   *
   * @internal
   */
  lacks(resource: ResourceDescriptor, path: string): boolean {
    return this.#lacking.has(lackOf(resource, path));
  }

  /**
   * Remembers that a kind lacks a field.
   *
   * @internal
   */
  noteLack(resource: ResourceDescriptor, path: string): void {
    this.#lacking.add(lackOf(resource, path));
  }
}

function lackOf(resource: ResourceDescriptor, path: string): string {
  return `${apiVersionOf(resource)} ${resource.kind} ${path}`;
}

/** Reports whether a value is, or contains, an empty list or object. */
function hasEmpty(value: unknown): boolean {
  if (!Array.isArray(value) && !isRecord(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some(hasEmpty);
}

function keyOf(object: DeepReadonly<Stored<KubeObject>>, { subresource }: Applier): string {
  return `${object.metadata.uid}/${subresource}`;
}

/** Returns a hash of the desired fields and of the owned part of an object. */
function hashOf(
  desired: Readonly<Record<string, unknown>>,
  object: DeepReadonly<KubeObject>,
  applier: Applier,
  stripped: boolean,
): string {
  const tree = stripped ? fieldsOfShape(desired) : managedFieldsOf(object, applier).own ?? {};
  const owned = extractOwned(tree, object);
  return [desired, tree, owned ?? null].reduce<TextHash>(
    (hash, part) => hash.add(stringifyJson(part, { sorted: true })),
    new TextHash(),
  ).hex();
}

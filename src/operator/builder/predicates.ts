import { Brand, type JsonPath, requireSync, splitPath } from "../../base/mod.ts";
import { hasSameValueAt, type Item, PackedObject } from "../../cache/mod.ts";
import type { CheckedPath, FieldPath, KubeObject } from "../../types/mod.ts";
import type { Change, ItemChange } from "./change.ts";

/**
 * Reports whether a change causes a reconcile: controller-runtime's `predicate.Predicate`. It is called once for each change.
 * If it returns false, the change never causes a reconcile.
 *
 * @typeParam T The interface of the objects.
 */
export type Predicate<T extends KubeObject = KubeObject> = (change: Change<T>) => boolean;

const brand = new Brand("FieldPredicate");

/** The part of a change that a {@linkcode FieldPredicate} reads. */
type ChangedItem = Pick<ItemChange, "type" | "item" | "old">;

/** A predicate of the library, which reads a few fields of the stored form of an object. */
export interface FieldPredicate<T extends KubeObject = KubeObject> {
  (change: Change<T>): boolean;
  /** Reports whether a change causes a reconcile. */
  readonly judge: (change: ChangedItem) => boolean;
}

/** Reports whether a predicate needs no parsed objects. */
export function readsFields<T extends KubeObject>(
  predicate: Predicate<T>,
): predicate is FieldPredicate<T> {
  return brand.isOn(predicate);
}

function fieldPredicate<T extends KubeObject>(
  judge: (change: ChangedItem) => boolean,
): FieldPredicate<T> {
  const predicate = ({ type, object, old }: Change<T>) =>
    judge({ type, item: object as unknown as KubeObject, old: old as unknown as KubeObject });
  brand.put(predicate);
  return Object.assign(predicate, { judge });
}

/**
 * Returns a predicate for updates of single fields. It is true for new and deleted objects and for resyncs.
 *
 * TypeScript refuses a path that the type of the objects does not have. A type with only metadata accepts every path: write
 * `changed<KubeObject>(path)` for a path that is known only at run time, and in a generic function.
 *
 * @typeParam T The interface of the objects. Default: the interface of the kind of the option `when`.
 * @typeParam P The types of the paths.
 * @param paths The fields, with dots between names, such as `data` or `metadata.labels`. A list item is its index, as in
 * `spec.containers.0.image`. A dot within a name is escaped as `\\.`. A path may also be an array of names, such as
 * `["metadata", "labels", "app.kubernetes.io/name"]`.
 * @returns The predicate: true if at least one of the fields differs.
 * @throws {TypeError} If `paths` is empty, or a path has an empty name.
 *
 * @example
 * ```ts
 * import { changed } from "@kubeloop/controller/operator";
 * import { assert } from "@std/assert";
 *
 * const meta = { name: "a", uid: "1", resourceVersion: "1" };
 * const old = { metadata: meta, data: { key: "old" } };
 * const object = { metadata: meta, data: { key: "new" } };
 * assert(changed("data")({ type: "updated", object, old }));
 * assert(!changed("metadata.labels", "spec")({ type: "updated", object, old }));
 * assert(!changed(["metadata", "labels", "app.kubernetes.io/name"])({ type: "updated", object, old }));
 * ```
 */
export function changed<
  T extends KubeObject = KubeObject,
  const P extends readonly JsonPath[] = readonly (FieldPath<T> | readonly string[])[],
>(...paths: { [I in keyof P]: CheckedPath<NoInfer<T>, P[I]> }): Predicate<T> {
  if (paths.length === 0) throw new TypeError('changed() needs a field, as in changed("data")');
  const fields = paths.map(namesOf);
  return fieldPredicate(({ type, item, old }) =>
    type !== "updated" || old === undefined ||
    fields.some((names) => !hasSameValueAt(old, item, names))
  );
}

function namesOf(path: unknown): readonly string[] {
  const names: unknown = typeof path === "string" ? splitPath(path) : path;
  if (Array.isArray(names) && names.length > 0 && names.every(isName)) return [...names];
  throw new TypeError(`Invalid field of changed(): ${JSON.stringify(path)}, expected "spec.size"`);
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "";
}

/**
 * True for changes of the desired state and for deletions: controller-runtime's `GenerationChangedPredicate`, the default for
 * the reconciled kind. The server increments `metadata.generation` for a change of the desired state, but not of the status,
 * labels or annotations. True for every update of a kind without a generation, such as ConfigMap.
 *
 * Also true for the removal of a finalizer, so that the controller can add it again.
 */
export const generationChanged: Predicate = fieldPredicate(({ type, item, old }) => {
  if (type !== "updated" || old === undefined) return true;
  const { generation, deletionTimestamp } = item.metadata;
  return generation === undefined || generation !== old.metadata.generation ||
    deletionTimestamp !== old.metadata.deletionTimestamp ||
    finalizersOf(item) < finalizersOf(old);
});

function finalizersOf(item: Item<KubeObject>): number {
  return item instanceof PackedObject
    ? item.finalizerCount
    : item.metadata.finalizers?.length ?? 0;
}

/** True for changes of labels, and for new and deleted objects: controller-runtime's `LabelChangedPredicate`. */
export const labelsChanged: Predicate = changed("metadata.labels");

/**
 * True for changes of annotations, and for new and deleted objects: controller-runtime's `AnnotationChangedPredicate`.
 */
export const annotationsChanged: Predicate = changed("metadata.annotations");

/** True for every change. Replaces a default predicate. */
export const anyChange: Predicate = fieldPredicate(() => true);

/**
 * Returns a predicate that is true if all given predicates are true: controller-runtime's `predicate.And`.
 *
 * @example
 * ```ts
 * import { allOf, anyOf, changed, generationChanged, labelsChanged, not } from "@kubeloop/controller/operator";
 *
 * allOf(anyOf(generationChanged, labelsChanged), not(changed("spec.paused")));
 * ```
 */
export function allOf<T extends KubeObject>(
  ...predicates: readonly Predicate<NoInfer<T>>[]
): Predicate<T>;
/** The same, with the type of the objects from the predicates: `const p = allOf((change: Change<Pod>) => …)`. */
export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T>;
export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  requirePredicates("allOf", predicates);
  if (predicates.every(readsFields)) {
    return fieldPredicate((change) => predicates.every(({ judge }) => judge(change)));
  }
  return (change) => predicates.every((predicate) => requireSync("a predicate", predicate(change)));
}

/** Returns a predicate that is true if at least one given predicate is true: controller-runtime's `predicate.Or`. */
export function anyOf<T extends KubeObject>(
  ...predicates: readonly Predicate<NoInfer<T>>[]
): Predicate<T>;
/** The same, with the type of the objects from the predicates. */
export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T>;
export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  requirePredicates("anyOf", predicates);
  if (predicates.every(readsFields)) {
    return fieldPredicate((change) => predicates.some(({ judge }) => judge(change)));
  }
  return (change) => predicates.some((predicate) => requireSync("a predicate", predicate(change)));
}

/** Returns a predicate that is true if the given predicate is false: controller-runtime's `predicate.Not`. */
export function not<T extends KubeObject>(predicate: Predicate<NoInfer<T>>): Predicate<T>;
/** The same, with the type of the objects from the predicate. */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T>;
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  requirePredicates("not", [predicate]);
  if (readsFields(predicate)) return fieldPredicate((change) => !predicate.judge(change));
  return (change) => !requireSync("a predicate", predicate(change));
}

function requirePredicates(name: string, predicates: readonly unknown[]): void {
  if (predicates.length > 0 && predicates.every((one) => typeof one === "function")) return;
  throw new TypeError(`${name}() needs predicates, which are functions of a change`);
}

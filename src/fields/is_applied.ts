import { isRecord, jsonEqual, own } from "../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../types/mod.ts";
import { ListItems, matchItems, valueText } from "./list_items.ts";
import {
  type Applier,
  at,
  below,
  countElements,
  elementsOf,
  type FieldTree,
  isWhole,
  keysOf,
  managedFieldsOf,
  valueOf,
} from "./managed_fields.ts";
import { isBuiltIn, isGranular, isZero, StoredForm } from "./stored_form.ts";

/** Metadata that identifies an object. It has no field manager. */
const IDENTITY: ReadonlySet<string> = new Set(["name", "namespace", "uid", "resourceVersion"]);

/**
 * Reports whether a server-side apply with force would change nothing: the applier owns exactly the fields of `desired`,
 * and they have the desired values.
 *
 * The function does not know the schema. The managed fields tell which values are atomic, and which lists are sets or maps.
 * If they do not prove that nothing would change, it returns false, for example for fields that the server does not know.
 *
 * @param desired The object that would be applied, as `plainJson` returns it.
 * @param object The object as the server has stored it.
 * @param applier The field manager that would apply it.
 */
export function isApplied(
  desired: Readonly<Record<string, unknown>>,
  object: DeepReadonly<KubeObject>,
  applier: Applier,
): boolean {
  const { own: tree = {}, isOtherVersion, others } = managedFieldsOf(object, applier);
  if (isOtherVersion) return false;
  const { apiVersion: _, kind, metadata, ...rest } = desired;
  const fields: Record<string, unknown> = rest;
  // Built-in kinds have the subresource, and the server ignores the status in other requests.
  if (applier.subresource === "" && isBuiltIn(applier.apiVersion)) delete fields["status"];
  const owned: Record<string, unknown> = {};
  for (const key of isRecord(metadata) ? Object.keys(metadata) : []) {
    const value = (metadata as Record<string, unknown>)[key];
    if (!IDENTITY.has(key)) owned[key] = value;
    else if (value !== own(object.metadata, key)) return false;
  }
  if (Object.keys(owned).length > 0) fields["metadata"] = owned;
  const form = isBuiltIn(applier.apiVersion)
    ? new StoredForm(applier.apiVersion, kind ?? object.kind)
    : undefined;
  return new Comparison(others, form).isSameMap(fields, object, tree);
}

/**
 * Reports whether an object of a built-in kind has all desired values, with any owner. An apply would then only add an
 * owner. Lists are compared as a whole.
 *
 * @param desired The object that would be applied, as `plainJson` returns it.
 * @param object The object as the server has stored it.
 */
export function hasValues(
  desired: Readonly<Record<string, unknown>>,
  object: DeepReadonly<KubeObject>,
): boolean {
  const form = new StoredForm(String(desired["apiVersion"]), desired["kind"]);
  const path: string[] = [];
  const has = (
    value: unknown,
    live: unknown,
    around: Readonly<Record<string, unknown>>,
  ): boolean => {
    if (!isRecord(value)) return form.isStoredAs(value, live, path, around);
    return isRecord(live) && Object.keys(value).every((key) => {
      path.push(`f:${key}`);
      const stored = own(live, key);
      const same = (stored === undefined && isZero(value[key])) || has(value[key], stored, value);
      path.pop();
      return same;
    });
  };
  return has(desired, object, {});
}

/** Compares the owned values of an applier with its desired values. */
class Comparison {
  readonly #others: readonly FieldTree[];
  /** The form in which the server stores values of a built-in kind; undefined for other kinds, whose values it does not change. */
  readonly #form: StoredForm | undefined;
  /** The path of the current value. */
  readonly #path: string[] = [];
  /** The desired object that contains the current value. */
  #around: Readonly<Record<string, unknown>> = {};

  constructor(others: readonly FieldTree[], form: StoredForm | undefined) {
    this.#others = others;
    this.#form = form;
  }

  /** `tree` is the part of the value that the applier owns; undefined for none. */
  #isSame(desired: unknown, live: unknown, tree: FieldTree | undefined): boolean {
    if (Array.isArray(desired)) return this.#isSameList(desired, live, tree);
    if (isRecord(desired)) {
      return tree === undefined || isWhole(tree)
        ? this.#isSameWhole(desired, live, tree)
        : this.isSameMap(desired, live, tree);
    }
    if (tree === undefined || !isWhole(tree)) return false;
    // The server omits the zero value of many fields. Since the applier owns the field, it was not removed.
    return (live === undefined && isZero(desired)) || this.#isStored(desired, live);
  }

  #isSameAt(element: string, desired: unknown, live: unknown, tree: FieldTree | undefined) {
    this.#path.push(element);
    const same = this.#isSame(desired, live, tree);
    this.#path.pop();
    return same;
  }

  /** Compares an object that is owned as a whole, or not at all. */
  #isSameWhole(
    desired: Readonly<Record<string, unknown>>,
    live: unknown,
    tree: FieldTree | undefined,
  ): boolean {
    const isEmpty = Object.keys(desired).length === 0;
    if (tree === undefined) {
      // An empty list that is merged by item has no owner, nor has an object with only such lists.
      return !isEmpty && this.isSameMap(desired, live, {});
    }
    if (isEmpty) {
      return live === undefined
        ? this.#isInMetadata() || (this.#form?.dropsEmpty(this.#path) ?? false)
        : this.#isStored(desired, live) || this.#isSplit();
    }
    // If the object is not atomic, the applier owned it when it was empty.
    return !this.#isSplit() && this.#isStored(desired, live);
  }

  /** Compares an object field by field. */
  isSameMap(desired: Readonly<Record<string, unknown>>, live: unknown, tree: FieldTree): boolean {
    let owned = 0;
    for (const key of Object.keys(desired)) {
      const element = `f:${key}`;
      const inner = below(tree, element);
      if (inner !== undefined) owned++;
      this.#around = desired;
      if (!this.#isSameAt(element, desired[key], own(live, key), inner)) return false;
    }
    return owned === countElements(tree);
  }

  #isSameList(desired: readonly unknown[], live: unknown, tree: FieldTree | undefined): boolean {
    if (tree === undefined) {
      // An empty list that is merged by item has no owner and changes nothing. An empty atomic list would have an owner.
      if (desired.length > 0) return false;
      if (this.#form !== undefined && (live ?? undefined) === undefined) return true;
      if (this.#form?.isStoredAs(desired, live, this.#path, this.#around)) return true;
      // Lists in metadata are merged by item. The server may have added items, such as finalizers.
      if (this.#isInMetadata()) return true;
      const isEmpty = Array.isArray(live) && live.length === 0;
      return this.#isSplitElsewhere() || (isEmpty && !this.#isOwnedElsewhere());
    }
    if (isWhole(tree)) {
      return this.#isStored(desired, live) || (desired.length === 0 && live === undefined);
    }
    if (!Array.isArray(live)) return false;
    const elements = elementsOf(tree);
    if (elements.length !== desired.length) return false;
    return elements[0]!.startsWith("v:")
      ? isSameSet(desired, live, elements)
      : this.#isSameItems(desired, live, tree, elements);
  }

  /** Compares a list whose items are identified by keys. */
  #isSameItems(
    desired: readonly unknown[],
    live: readonly unknown[],
    tree: FieldTree,
    elements: readonly string[],
  ): boolean {
    const matched = matchItems(desired, elements);
    if (matched === undefined) return false;
    const names = Object.keys(keysOf(elements[0]!) ?? {});
    const items = new ListItems(live);
    let last = -1;
    for (const [i, element] of matched.entries()) {
      const place = items.placeOf(element, names);
      // An apply puts the items into the order of the desired list. It replaces duplicates.
      if (place === undefined || place.isRepeated || place.index <= last) return false;
      last = place.index;
      if (!this.#isSameAt(element, desired[i], live[last], below(tree, element))) return false;
    }
    return true;
  }

  #isStored(desired: unknown, live: unknown): boolean {
    return this.#form === undefined
      ? jsonEqual(desired, live)
      : this.#form.isStoredAs(desired, live, this.#path, this.#around);
  }

  /** Reports whether another manager owns only a part of the current value, which is therefore not atomic. */
  #isSplitElsewhere(): boolean {
    return this.#others.some((other) => {
      const tree = at(other, this.#path);
      return tree !== undefined && !isWhole(tree);
    });
  }

  /** Reports whether the fields of the current value have separate owners. */
  #isSplit(): boolean {
    return this.#isSplitElsewhere() || this.#isInMetadata() ||
      (this.#form !== undefined && isGranular(this.#path));
  }

  /** Reports whether the current value is a field of the metadata of the object. */
  #isInMetadata(): boolean {
    return this.#path[0] === "f:metadata" && this.#path.length === 2;
  }

  #isOwnedElsewhere(): boolean {
    return this.#others.some((other) => at(other, this.#path) !== undefined);
  }
}

/** Reports whether a live list has the items of a set in their order, and the applier owns exactly these items. */
function isSameSet(
  desired: readonly unknown[],
  live: readonly unknown[],
  elements: readonly string[],
): boolean {
  const owned = new Set(elements.map((element) => valueText(valueOf(element))));
  const items = new ListItems(live);
  let last = -1;
  for (const item of desired) {
    const place = items.placeOfValue(item);
    const isOwned = owned.delete(valueText(item));
    if (!isOwned || place === undefined || place.isRepeated || place.index <= last) return false;
    last = place.index;
  }
  return true;
}

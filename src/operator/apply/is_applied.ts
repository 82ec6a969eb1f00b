import { isRecord, jsonEqual, own, showJson } from "../../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../../types/mod.ts";
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
import { hasStoredForms, isStoredAs } from "./stored_form.ts";

/** The metadata that identifies an object. No field manager owns it. */
const IDENTITY: ReadonlySet<string> = new Set(["name", "namespace", "uid", "resourceVersion"]);

/**
 * Reports whether a server-side apply with force would change nothing: the applier owns exactly the fields of `desired`,
 * and they have these values.
 *
 * The function does not know the schema of the object. It concludes from the managed fields which values are atomic,
 * which lists are sets and which are maps. It returns false if it cannot conclude that nothing would change, as for
 * fields that the server does not know.
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
  const { apiVersion: _, kind: __, metadata, ...rest } = desired;
  const fields: Record<string, unknown> = rest;
  const owned: Record<string, unknown> = {};
  for (const key of isRecord(metadata) ? Object.keys(metadata) : []) {
    const value = (metadata as Record<string, unknown>)[key];
    if (!IDENTITY.has(key)) owned[key] = value;
    else if (value !== own(object.metadata, key)) return false;
  }
  if (Object.keys(owned).length > 0) fields["metadata"] = owned;
  return new Comparison(others, applier.apiVersion).isSameMap(fields, object, tree);
}

/** Compares the values that an applier owns with those that it would apply. */
class Comparison {
  readonly #others: readonly FieldTree[];
  /** Whether the kind is built in: the server does not store its empty lists and maps. */
  readonly #dropsEmpty: boolean;
  /** Whether the server stores some values of the kind in another form than it gets them. */
  readonly #hasForms: boolean;
  /** The path of the values that are being compared. */
  readonly #path: string[] = [];

  constructor(others: readonly FieldTree[], apiVersion: string) {
    this.#others = others;
    this.#dropsEmpty = isBuiltIn(apiVersion);
    this.#hasForms = hasStoredForms(apiVersion);
  }

  /** `tree` is what the applier owns of the value; undefined if it owns nothing of it. */
  #isSame(desired: unknown, live: unknown, tree: FieldTree | undefined): boolean {
    if (Array.isArray(desired)) return this.#isSameList(desired, live, tree);
    if (isRecord(desired)) {
      return tree === undefined || isWhole(tree)
        ? this.#isSameWhole(desired, live, tree)
        : this.isSameMap(desired, live, tree);
    }
    if (tree === undefined || !isWhole(tree)) return false;
    // The server does not store a zero value of many fields. The applier owns the field, so that nobody has removed it.
    return (live === undefined && isZero(desired)) || this.#isStored(desired, live);
  }

  #isSameAt(element: string, desired: unknown, live: unknown, tree: FieldTree | undefined) {
    this.#path.push(element);
    const same = this.#isSame(desired, live, tree);
    this.#path.pop();
    return same;
  }

  /** Compares an object of which no single field is owned. */
  #isSameWhole(
    desired: Readonly<Record<string, unknown>>,
    live: unknown,
    tree: FieldTree | undefined,
  ): boolean {
    const isEmpty = Object.keys(desired).length === 0;
    if (tree === undefined) {
      // Lists that are merged by item and have none are not owned; nor is an object that has only such lists.
      return !isEmpty && this.isSameMap(desired, live, {});
    }
    if (isEmpty) {
      return live === undefined
        ? this.#isDroppedMap()
        : this.#isStored(desired, live) || this.#isSplitElsewhere();
    }
    // If others own single fields, the object is not atomic: the applier has owned it while it was empty.
    return this.#isStored(desired, live) && !this.#isSplitElsewhere();
  }

  /** Compares an object field by field. */
  isSameMap(desired: Readonly<Record<string, unknown>>, live: unknown, tree: FieldTree): boolean {
    let owned = 0;
    for (const key of Object.keys(desired)) {
      const element = `f:${key}`;
      const inner = below(tree, element);
      if (inner !== undefined) owned++;
      if (!this.#isSameAt(element, desired[key], own(live, key), inner)) return false;
    }
    return owned === countElements(tree);
  }

  #isSameList(desired: readonly unknown[], live: unknown, tree: FieldTree | undefined): boolean {
    if (tree === undefined) {
      // An empty list that is merged by item is not owned, and changes nothing. An empty atomic list would be owned.
      if (desired.length > 0) return false;
      if (live === undefined && this.#dropsEmpty) return true;
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
    const indices = indexItems(live, names);
    let last = -1;
    for (let i = 0; i < desired.length; i++) {
      const element = matched[i]!;
      // An apply puts the items into the order of the desired list. It replaces duplicates.
      const index = indices.get(element) ?? DUPLICATE;
      if (index <= last) return false;
      last = index;
      if (!this.#isSameAt(element, desired[i], live[index], below(tree, element))) return false;
    }
    return true;
  }

  #isStored(desired: unknown, live: unknown): boolean {
    return isStoredAs(desired, live, this.#hasForms ? this.#path : undefined);
  }

  /** Reports whether another manager owns single fields or items of the current value, so that it is not atomic. */
  #isSplitElsewhere(): boolean {
    return this.#others.some((other) => {
      const tree = at(other, this.#path);
      return tree !== undefined && !isWhole(tree);
    });
  }

  /** Reports whether the current value is a map that the server does not store if it is empty. */
  #isDroppedMap(): boolean {
    const isMap = DROPPED_MAPS.has(this.#path.at(-1) ?? "");
    return isMap &&
      (this.#dropsEmpty || (this.#path[0] === "f:metadata" && this.#path.length === 2));
  }

  #isOwnedElsewhere(): boolean {
    return this.#others.some((other) => at(other, this.#path) !== undefined);
  }
}

/**
 * Maps of built-in kinds and of metadata, which are not stored if they are empty, while other empty objects are stored,
 * such as an `emptyDir`.
 */
const DROPPED_MAPS: ReadonlySet<string> = new Set([
  "f:annotations",
  "f:binaryData",
  "f:data",
  "f:labels",
  "f:limits",
  "f:matchLabels",
  "f:nodeSelector",
  "f:requests",
]);

/** The groups of the kinds that a server has without definitions, without `.k8s.io` at their end. */
const BUILT_IN: ReadonlySet<string> = new Set([
  "admissionregistration",
  "apiextensions",
  "apiregistration",
  "apps",
  "authentication",
  "authorization",
  "autoscaling",
  "batch",
  "certificates",
  "coordination",
  "discovery",
  "events",
  "flowcontrol.apiserver",
  "networking",
  "node",
  "policy",
  "rbac.authorization",
  "resource",
  "scheduling",
  "storage",
]);

/** Reports whether a kind is built in. */
function isBuiltIn(apiVersion: string): boolean {
  const slash = apiVersion.indexOf("/");
  if (slash < 0) return true;
  const group = apiVersion.slice(0, slash);
  return BUILT_IN.has(group.endsWith(".k8s.io") ? group.slice(0, -".k8s.io".length) : group);
}

/** The index of items that occur more than once in a list. */
const DUPLICATE = -1;

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === 0n || value === false;
}

/** Reports whether a live list has the items of a set, in their order, and the applier owns exactly these. */
function isSameSet(
  desired: readonly unknown[],
  live: readonly unknown[],
  elements: readonly string[],
): boolean {
  const owned = new Set(elements.map((element) => showJson(valueOf(element))));
  let last = -1;
  for (const item of desired) {
    if (!owned.delete(showJson(item))) return false;
    const index = live.findIndex((one) => jsonEqual(one, item));
    if (index <= last || live.findLastIndex((one) => jsonEqual(one, item)) !== index) return false;
    last = index;
  }
  return true;
}

/** Returns the element that names an item with the values of its keys, as the server writes it. */
function elementOf(item: unknown, names: readonly string[]): string {
  if (names.length === 1) {
    const value = own(item, names[0]!);
    return isAbsent(value) ? "k:{}" : `k:{"${names[0]}":${showJson(value)}}`;
  }
  const keys: Record<string, unknown> = {};
  for (const name of names) {
    const value = own(item, name);
    if (!isAbsent(value)) keys[name] = value;
  }
  return `k:${showJson(keys)}`;
}

/** Returns the indices of the items of a list by their elements. */
function indexItems(list: readonly unknown[], names: readonly string[]): Map<string, number> {
  const indices = new Map<string, number>();
  for (let i = 0; i < list.length; i++) {
    const element = elementOf(list[i], names);
    indices.set(element, indices.has(element) ? DUPLICATE : i);
  }
  return indices;
}

/**
 * Returns the element of each item; undefined if the items are not those of the elements. Items may lack keys to which
 * the server gives a default, such as the `protocol` of a port.
 */
function matchItems(
  items: readonly unknown[],
  elements: readonly string[],
): string[] | undefined {
  const names = Object.keys(keysOf(elements[0]!) ?? {});
  const free = new Set(elements);
  const result = items.map((item) => {
    const element = elementOf(item, names);
    return free.delete(element) ? element : undefined;
  });
  if (free.size === 0) return result as string[];
  for (let i = 0; i < items.length; i++) {
    if (result[i] !== undefined) continue;
    for (const element of free) {
      if (!fits(items[i], keysOf(element) ?? {})) continue;
      free.delete(element);
      result[i] = element;
      break;
    }
    if (result[i] === undefined) return undefined;
  }
  return result as string[];
}

function fits(item: unknown, keys: Readonly<Record<string, unknown>>): boolean {
  return isRecord(item) && Object.keys(keys).every((name) => {
    const value = own(item, name);
    return isAbsent(value) || jsonEqual(value, keys[name]);
  });
}

import { isRecord, jsonEqual, own } from "../base/mod.ts";
import type { ElementPath } from "./field_path.ts";

/** The depth from which on values are compared as a whole, so that no object exceeds the stack. */
const MAX_DEPTH = 200;

/** The fields that can name the items of a list, best first. */
const ITEM_NAMES: readonly string[] = ["name", "type", "uid"];

/** Two items of two lists, and the element that names them; undefined for an item that only the other list has. */
export type ItemPair = readonly [element: string, before: unknown, after: unknown];

/** The items of two lists in pairs. */
export interface PairedItems {
  readonly pairs: readonly ItemPair[];
  /** Whether both lists have the same items in different orders. */
  readonly isReordered: boolean;
}

/** Options of {@linkcode Differ}. */
export interface DifferOptions {
  /** Returns the pairs of items of two lists; undefined if the lists are compared as a whole. */
  pairItems(before: readonly unknown[], after: readonly unknown[]): PairedItems | undefined;
  /** Whether fields are compared in the order of their names, and an object or list that becomes or was empty is reported. */
  readonly isForPeople?: boolean;
  /** The fields of the metadata of objects that are not compared. Default: none. */
  readonly skippedMetadata?: readonly string[];
  /** The number of values after which the comparison stops. Default `Infinity`. */
  readonly maxVisited?: number;
}

/** Called with a difference: its path, which is valid during the call, and both values; undefined for an absent one. */
export type ReportDifference = (path: ElementPath, before: unknown, after: unknown) => void;

/** Finds the differences between two JSON values. A field that is undefined is absent. */
export class Differ {
  /** The number of values that were compared so far: the cost of the comparison. */
  visited = 0;
  /** Whether the comparison has stopped early. */
  isStopped = false;
  readonly #options: DifferOptions;
  readonly #report: ReportDifference;
  readonly #path: string[] = [];
  #reported = 0;

  constructor(options: DifferOptions, report: ReportDifference) {
    this.#options = options;
    this.#report = report;
  }

  compare(before: unknown, after: unknown): void {
    if (before === after || this.isStopped) return;
    if (++this.visited > (this.#options.maxVisited ?? Infinity)) this.isStopped = true;
    else if (this.#path.length >= MAX_DEPTH) this.#compareWhole(before, after);
    else if (Array.isArray(before) && Array.isArray(after)) this.#compareLists(before, after);
    else if (isRecord(before) && isRecord(after)) this.#compareFields(before, after);
    else this.#compareWhole(before, after);
  }

  #compareWhole(before: unknown, after: unknown): void {
    if (jsonEqual(before, after)) return;
    this.#reported++;
    this.#report(this.#path, before, after);
  }

  #compareFields(before: Record<string, unknown>, after: Record<string, unknown>): void {
    const { isForPeople, skippedMetadata } = this.#options;
    const isMetadata = this.#path.length === 1 && this.#path[0] === "f:metadata";
    const names = Object.keys(before);
    this.visited += names.length;
    for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) names.push(name);
    if (isForPeople) names.sort();
    for (const name of names) {
      if (isMetadata && skippedMetadata?.includes(name)) continue;
      const old = own(before, name);
      const now = own(after, name);
      if (old !== now) this.#compareInside(`f:${name}`, old, now);
    }
    this.#compareSizes(before, after);
  }

  #compareLists(before: readonly unknown[], after: readonly unknown[]): void {
    const paired = this.#options.pairItems(before, after);
    if (paired === undefined) return this.#compareWhole(before, after);
    const reported = this.#reported;
    for (const [element, old, now] of paired.pairs) this.#compareInside(element, old, now);
    if (paired.isReordered && this.#reported === reported) this.#compareWhole(before, after);
    this.#compareSizes(before, after);
  }

  #compareInside(element: string, before: unknown, after: unknown): void {
    this.#path.push(element);
    this.compare(before, after);
    this.#path.pop();
  }

  /** Reports the one of two objects or lists that is empty: no member of it shows that it exists. */
  #compareSizes(before: object, after: object): void {
    if (!this.#options.isForPeople) return;
    const [old, now] = [before, after].map((value) =>
      Object.keys(value).length === 0 ? value : undefined
    );
    if ((old === undefined) !== (now === undefined)) this.#report(this.#path, old, now);
  }
}

/** Pairs items by the first of `name`, `type` and `uid` that each item has with a text of its own; undefined if none does. */
export function pairByName(
  before: readonly unknown[],
  after: readonly unknown[],
): PairedItems | undefined {
  for (const field of ITEM_NAMES) {
    const same = pairSameNames(before, after, field);
    if (same !== undefined) return { pairs: same, isReordered: false };
    const old = itemsByName(before, field);
    const now = old && itemsByName(after, field);
    if (old === undefined || now === undefined) continue;
    const pairs: ItemPair[] = [];
    const names = now.keys();
    let isReordered = false;
    for (const [name, item] of old) {
      pairs.push([nameElement(field, name), item, now.get(name)]);
      if (names.next().value !== name) isReordered = true;
    }
    for (const [name, item] of now) {
      if (!old.has(name)) pairs.push([nameElement(field, name), undefined, item]);
    }
    return { pairs, isReordered };
  }
  return undefined;
}

/** Pairs the items of two lists that have the same names in the same order, as most have; undefined for others. */
function pairSameNames(
  before: readonly unknown[],
  after: readonly unknown[],
  field: string,
): ItemPair[] | undefined {
  if (before.length !== after.length) return undefined;
  const pairs: ItemPair[] = [];
  for (let i = 0; i < before.length; i++) {
    const name = nameIn(before[i], field);
    if (name === undefined || name !== nameIn(after[i], field)) return undefined;
    pairs.push([nameElement(field, name), before[i], after[i]]);
  }
  return pairs;
}

/**
 * Pairs items by index, without the common beginning and end of both lists: an item that is inserted at the front is one pair.
 */
export function pairByIndex(before: readonly unknown[], after: readonly unknown[]): PairedItems {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  let tail = 0;
  // Lists of equal length need no search, which would look into nested lists again and again.
  if (before.length !== after.length) {
    while (head < shorter && jsonEqual(before[head], after[head])) head++;
    while (tail < shorter - head && jsonEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  }
  const pairs: ItemPair[] = [];
  for (let i = head; i < Math.max(before.length, after.length) - tail; i++) {
    const old = i < before.length - tail ? before[i] : undefined;
    const now = i < after.length - tail ? after[i] : undefined;
    pairs.push([`i:${i}`, old, now]);
  }
  return { pairs, isReordered: false };
}

/** Returns the fields of an object in the order of their names, or the items of a list, by element; undefined for other values. */
export function membersOf(value: unknown): [element: string, member: unknown][] | undefined {
  if (isRecord(value)) return Object.keys(value).sort().map((name) => [`f:${name}`, value[name]]);
  if (!Array.isArray(value)) return undefined;
  for (const field of ITEM_NAMES) {
    const items = itemsByName(value, field);
    if (items !== undefined) {
      return Array.from(items, ([name, item]) => [nameElement(field, name), item]);
    }
  }
  return value.map((item, index) => [`i:${index}`, item]);
}

/** Returns the items of a list by the text that each has in a field; undefined if not each has a text of its own. */
function itemsByName(list: readonly unknown[], field: string): Map<string, unknown> | undefined {
  const items = new Map<string, unknown>();
  for (const item of list) {
    const name = nameIn(item, field);
    if (name === undefined || items.has(name)) return undefined;
    items.set(name, item);
  }
  return items;
}

function nameIn(item: unknown, field: string): string | undefined {
  const name = isRecord(item) ? item[field] : undefined;
  return typeof name === "string" ? name : undefined;
}

function nameElement(field: string, name: string): string {
  return `k:{"${field}":${/^[\w./-]*$/.test(name) ? `"${name}"` : JSON.stringify(name)}}`;
}

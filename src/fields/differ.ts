import { isRecord, jsonEqual, own } from "../base/mod.ts";
import type { ElementPath } from "./field_path.ts";

/** The depth below which values are compared as a whole, so that no object exceeds the stack. */
const MAX_DEPTH = 200;

/** The fields that can name the items of a list, best first. */
const ITEM_NAMES: readonly string[] = ["name", "type", "uid"];

/** An item of each of two lists, and their common element. An item that a list lacks is undefined. */
export type ItemPair = readonly [element: string, before: unknown, after: unknown];

/** The items of two lists, in pairs. */
export interface PairedItems {
  /** The pairs, in the order of the lists. */
  readonly pairs: readonly ItemPair[];
  /** Whether both lists have the same items in different orders. */
  readonly isReordered: boolean;
}

/** Options of {@linkcode Differ}. */
export interface DifferOptions {
  /** Pairs the items of two lists; undefined to compare the lists as a whole. */
  pairItems(before: readonly unknown[], after: readonly unknown[]): PairedItems | undefined;
  /** Whether to sort fields by name, and to report an object or list that is empty on one side. Default false. */
  readonly isForPeople?: boolean;
  /** Fields of `metadata` that are not compared. Default: none. */
  readonly skippedMetadata?: readonly string[];
  /** The maximum number of compared values. Default `Infinity`. */
  readonly maxVisited?: number;
}

/** Called with each difference. The path is valid during the call. An absent value is undefined. */
export type ReportDifference = (path: ElementPath, before: unknown, after: unknown) => void;

/** Finds the differences between two JSON values. Undefined fields count as absent. */
export class Differ {
  /** The number of compared values: the cost of the comparison. */
  visited = 0;
  /** Whether the comparison was stopped early. Setting it stops the comparison. */
  isStopped = false;
  readonly #options: DifferOptions;
  readonly #report: ReportDifference;
  readonly #path: string[] = [];
  #reported = 0;

  /** Creates a comparison that reports each difference. */
  constructor(options: DifferOptions, report: ReportDifference) {
    this.#options = options;
    this.#report = report;
  }

  /** Compares two values, and reports their differences. */
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

  /** Reports the side that is empty, because it has no members that would be reported. */
  #compareSizes(before: object, after: object): void {
    if (!this.#options.isForPeople) return;
    const [old, now] = [before, after].map((value) =>
      Object.keys(value).length === 0 ? value : undefined
    );
    if ((old === undefined) !== (now === undefined)) this.#report(this.#path, old, now);
  }
}

/** Pairs items by the first of the fields `name`, `type` and `uid` that names each item uniquely; undefined if there is none. */
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

/** Pairs the items of two lists with the same names in the same order, which is the common case; undefined for others. */
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
 * Pairs items by index, without the common beginning and end of the lists, so that inserting an item at the front is one
 * difference.
 */
export function pairByIndex(before: readonly unknown[], after: readonly unknown[]): PairedItems {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  let tail = 0;
  // Lists of equal length are not searched: nested lists would be compared again at each level.
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

/** Returns the fields of an object, sorted by name, or the items of a list, with their elements; undefined for other values. */
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

/** Returns the items of a list by the value of a field; undefined if the field does not name each item uniquely. */
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

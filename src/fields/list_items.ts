import { own, stringifyJson } from "../base/mod.ts";
import { keysOf, valueOf } from "./managed_fields.ts";

/** The position of an item in a list. */
export interface Place {
  /** The index of the first item with this name. */
  readonly index: number;
  /** Whether several items have this name. */
  readonly isRepeated: boolean;
}

/** An index of the items of a list by the elements of a tree, because lists may be long. */
export class ListItems {
  readonly #list: readonly unknown[];
  /** The places of items by their elements, by the names of the keys; and by their JSON, under the name "\n". */
  readonly #places = new Map<string, ReadonlyMap<string, Place>>();

  constructor(list: readonly unknown[]) {
    this.#list = list;
  }

  /**
   * Returns the place of the item with an element `k:{…}` or `v:…`; undefined if there is none.
   *
   * @param names The names of the keys, if known. Most elements are then not parsed.
   */
  placeOf(element: string, names?: readonly string[]): Place | undefined {
    const place = names === undefined ? undefined : this.#byKeys(names).get(element);
    if (place !== undefined) return place;
    const keys = keysOf(element);
    if (keys !== undefined) {
      const all = Object.keys(keys);
      return this.#byKeys(all).get(elementOf(keys, all));
    }
    const value = valueOf(element);
    return value === undefined ? undefined : this.placeOfValue(value);
  }

  /** Returns the place of the item that equals a value; undefined if there is none. */
  placeOfValue(value: unknown): Place | undefined {
    return this.#by("\n", valueText).get(valueText(value));
  }

  #byKeys(names: readonly string[]): ReadonlyMap<string, Place> {
    return this.#by(names.join("\n"), (item) => elementOf(item, names));
  }

  #by(name: string, textOf: (item: unknown) => string): ReadonlyMap<string, Place> {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const places = new Map<string, Place>();
    for (const [index, item] of this.#list.entries()) {
      const text = textOf(item);
      const first = places.get(text);
      if (first === undefined) places.set(text, { index, isRepeated: false });
      else places.set(text, { index: first.index, isRepeated: true });
    }
    this.#places.set(name, places);
    return places;
  }
}

/**
 * Returns the element of each item; undefined if items and elements do not match one to one. Items may lack keys with a
 * default, such as the `protocol` of a port.
 */
export function matchItems(
  items: readonly unknown[],
  elements: readonly string[],
): string[] | undefined {
  const names = Object.keys(keysOf(elements[0] ?? "") ?? {});
  const free = new Set(elements);
  const result = items.map((item) => {
    const element = elementOf(item, names);
    return free.delete(element) ? element : undefined;
  });
  if (free.size === 0) return result as string[];
  const candidates = new Candidates(free);
  for (const [index, item] of items.entries()) {
    result[index] ??= candidates.take(item, names);
    if (result[index] === undefined) return undefined;
  }
  return result as string[];
}

/** The elements that are not literally equal to an item's: the server escapes some characters differently, and adds defaults. */
class Candidates {
  readonly #keys: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly #taken = new Set<string>();
  /** Elements by the values of some keys, by the names of these keys. */
  readonly #byNames = new Map<string, ReadonlyMap<string, string[]>>();

  constructor(elements: Iterable<string>) {
    this.#keys = new Map([...elements].map((element) => [element, keysOf(element) ?? {}]));
  }

  /** Takes the first element with the keys of an item. Keys that the item lacks may have any value. */
  take(item: unknown, names: readonly string[]): string | undefined {
    const present = names.filter((name) => !isAbsent(own(item, name)));
    const fitting = this.#by(present).get(elementOf(item, present)) ?? [];
    let element = fitting.pop();
    while (element !== undefined && this.#taken.has(element)) element = fitting.pop();
    if (element !== undefined) this.#taken.add(element);
    return element;
  }

  #by(names: readonly string[]): ReadonlyMap<string, string[]> {
    const name = names.join("\n");
    const known = this.#byNames.get(name);
    if (known !== undefined) return known;
    const elements = new Map<string, string[]>();
    for (const [element, keys] of this.#keys) {
      const text = elementOf(keys, names);
      const same = elements.get(text);
      if (same === undefined) elements.set(text, [element]);
      else same.push(element);
    }
    // take() pops from the end.
    for (const same of elements.values()) same.reverse();
    this.#byNames.set(name, elements);
    return elements;
  }
}

/** Returns a text that is the same for equal values, with any order of fields. */
export function valueText(value: unknown): string {
  return value === undefined ? "" : stringifyJson(value, { sorted: true });
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Returns the element of an item, with the values of its keys, as the server writes most elements. */
function elementOf(item: unknown, names: readonly string[]): string {
  if (names.length === 1) {
    const value = own(item, names[0]!);
    return isAbsent(value) ? "k:{}" : `k:{"${names[0]}":${stringifyJson(value)}}`;
  }
  const keys: Record<string, unknown> = {};
  for (const name of names) {
    const value = own(item, name);
    if (!isAbsent(value)) keys[name] = value;
  }
  return `k:${stringifyJson(keys)}`;
}

/** Throws if `item` is undefined: `undefined` is what the queues return when they have no item. */
export function requireItem(item: unknown): void {
  if (item === undefined) {
    throw new TypeError("Item is undefined: add a key, for example a string");
  }
}

/** Refuses the one value that cannot be told from "no item". */
export function requireItem(item: unknown): void {
  if (item === undefined) {
    throw new TypeError("Item is undefined: add a key, for example a string");
  }
}

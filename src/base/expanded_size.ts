/**
 * Returns the number of characters that the strings and keys of `value` have when each alias of YAML is replaced by what
 * it stands for. Some 500 bytes of aliases of aliases stand for gigabytes, which whoever prints the value would have to
 * make. Of a value that contains itself, only the first of the copies counts: nobody gets to the second.
 *
 * Takes time in proportion to the value without copies, because objects that aliases share are counted once.
 */
export function expandedSize(value: unknown): number {
  return sizeOf(value, new Map());
}

function sizeOf(value: unknown, sizes: Map<object, number>): number {
  if (typeof value === "string") return value.length + 1;
  if (typeof value !== "object" || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  // The size while it is being counted: a value that is met again then contains itself.
  sizes.set(value, 1);
  let size = 1;
  for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item, sizes);
  sizes.set(value, size);
  return size;
}

/** An object or array whose members are being counted. */
interface Counting {
  readonly value: object;
  readonly members: readonly [string, unknown][];
  next: number;
  size: number;
}

/**
 * Returns the number of characters that the strings and keys of `value` have when each alias of YAML is replaced by its
 * value. Some 500 bytes of aliases of aliases expand to gigabytes when the value is printed. A value that contains
 * itself is counted once.
 *
 * Takes time in proportion to the value without copies, because objects that aliases share are counted once. Counts
 * values of any depth.
 */
export function expandedSize(value: unknown): number {
  const sizes = new Map<object, number>();
  const rest: Counting[] = [];
  const root = { size: 0 };
  count(value, root, sizes, rest);
  for (let counting; (counting = rest.at(-1)) !== undefined;) {
    const { members, value } = counting;
    if (counting.next < members.length) {
      const [key, member] = members[counting.next++]!;
      counting.size += key.length;
      count(member, counting, sizes, rest);
    } else {
      rest.pop();
      sizes.set(value, counting.size);
      (rest.at(-1) ?? root).size += counting.size;
    }
  }
  return root.size;
}

/** Adds the size of a value to that of its parent, or opens it if its members have to be counted first. */
function count(
  value: unknown,
  parent: { size: number },
  sizes: Map<object, number>,
  rest: Counting[],
): void {
  if (typeof value !== "object" || value === null) {
    parent.size += typeof value === "string" ? value.length + 1 : 1;
    return;
  }
  const known = sizes.get(value);
  if (known !== undefined) {
    parent.size += known;
    return;
  }
  // The size while it is being counted: a value that is met again then contains itself.
  sizes.set(value, 1);
  rest.push({ value, members: Object.entries(value), next: 0, size: 1 });
}

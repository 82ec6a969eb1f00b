/** Parses the indexes of a Job, such as `0,2-4`; indexes from `completions` on are left out. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const indexes = new Set<number>();
  for (const range of (text ?? "").split(",")) {
    const [first = NaN, last = first] = range.split("-").map((part) => Number.parseInt(part, 10));
    for (let index = first; index <= last && index < completions; index++) indexes.add(index);
  }
  return indexes;
}

/** Formats the indexes of a Job, such as `0,2-4`. Two neighbours are listed, three are a range. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) =>
    first === last ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`
  ).join();
}

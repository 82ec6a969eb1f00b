/** Longer names are not compared: the distance of two names takes quadratic time. */
const MAX_LENGTH = 60;

/**
 * Returns the known name that a misspelt one probably means; undefined if none is close. Case, dashes and underscores do
 * not count, and a name that is cut short counts as one edit.
 *
 * @param name The name as it was written.
 * @param known The names that exist.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const plain = plainOf(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const other = plainOf(candidate);
    const isCut = plain.length > 2 && other.startsWith(plain);
    const distance = isCut ? 1 : editDistance(plain, other);
    const isClose = distance <= 1 + Math.max(plain.length, other.length) / 5;
    if (isClose && (best === undefined || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** Returns the number of insertions, deletions and replacements that turn `a` into `b` (Levenshtein distance). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

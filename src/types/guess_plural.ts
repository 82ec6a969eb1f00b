/**
 * Returns the plural of a kind as apimachinery's `UnsafeGuessKindToResource` guesses it, in lower case.
 *
 * It knows no exceptions but `endpoints`: `Gateway` becomes `gatewaies`.
 */
export function guessPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("endpoints")) return singular;
  if (singular.endsWith("s")) return `${singular}es`;
  if (singular.endsWith("y")) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}

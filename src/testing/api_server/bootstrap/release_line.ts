import type { Release, Span } from "../release/mod.ts";

/**
 * Reports whether a release has what a line of a table says. A line that not all releases have ends with a bar and a
 * {@linkcode Span}, as in `| since:1.36 gate:ClusterTrustBundle`.
 */
export function isIn(release: Release, line: string): boolean {
  const [, condition] = line.split("|");
  return condition === undefined || release.has(spanOf(condition));
}

/** Returns a line without its span. */
export function withoutSpan(line: string): string {
  return line.split("|")[0]!.trim();
}

function spanOf(text: string): Span {
  return Object.fromEntries(text.trim().split(" ").map((word) => word.split(":"))) as Span;
}

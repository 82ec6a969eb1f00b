/**
 * Returns at most `max` of the upper bounds of the buckets of a histogram: the first, the last, and those between that
 * are nearest to equal ratios, so that fast and slow are told apart equally well.
 *
 * @param bounds The bounds, which increase.
 * @param max The most bounds; at least 2.
 */
export function thinBuckets(bounds: readonly number[], max: number): readonly number[] {
  if (bounds.length <= max) return bounds;
  // Ratios need numbers above 0. Other bounds are spread by their position.
  const isPositive = (bounds[0] as number) > 0;
  const scale = bounds.map((bound, i) => isPositive ? Math.log(bound) : i);
  const from = scale[0] as number;
  const span = (scale.at(-1) as number) - from;
  const kept: number[] = [];
  let at = 0;
  for (let i = 0; i < max; i++) {
    const wanted = from + span * i / (max - 1);
    // As many bounds must be left as are still to be kept.
    const last = bounds.length - (max - i);
    while (at < last && distance(scale, at + 1, wanted) <= distance(scale, at, wanted)) at++;
    kept.push(bounds[at++] as number);
  }
  return kept;
}

function distance(scale: readonly number[], at: number, wanted: number): number {
  return Math.abs((scale[at] as number) - wanted);
}

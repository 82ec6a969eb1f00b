/**
 * Returns a selection of at most `max` upper bounds: the first, the last, and bounds between them in nearly equal ratios, so
 * that the relative precision is the same everywhere.
 *
 * @param bounds The increasing bounds.
 * @param max The maximum number of bounds, at least 2.
 */
export function thinBuckets(bounds: readonly number[], max: number): readonly number[] {
  if (bounds.length <= max) return bounds;
  // Ratios need positive numbers. Other bounds are selected by position.
  const isPositive = (bounds[0] as number) > 0;
  const scale = bounds.map((bound, i) => isPositive ? Math.log(bound) : i);
  const from = scale[0] as number;
  const span = (scale.at(-1) as number) - from;
  const kept: number[] = [];
  let at = 0;
  for (let i = 0; i < max; i++) {
    const wanted = from + span * i / (max - 1);
    // Enough bounds must remain for the rest of the selection.
    const last = bounds.length - (max - i);
    while (at < last && distance(scale, at + 1, wanted) <= distance(scale, at, wanted)) at++;
    kept.push(bounds[at++] as number);
  }
  return kept;
}

function distance(scale: readonly number[], at: number, wanted: number): number {
  return Math.abs((scale[at] as number) - wanted);
}

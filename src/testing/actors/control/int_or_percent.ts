/** A number, or a percentage of a total, such as `25%`. */
export type IntOrPercent = number | string;

/**
 * Returns a number for `value`: the value itself, or a percentage of `total`.
 *
 * @param call `up`: whether a percentage is rounded up, rather than down.
 */
export function scaledValue(
  value: IntOrPercent | undefined,
  total: number,
  { up }: { readonly up: boolean },
): number {
  if (typeof value !== "string") return value ?? 0;
  const exact = Number.parseInt(value, 10) * total / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}

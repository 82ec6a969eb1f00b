const MATURITY = ["alpha", "beta", ""];

/**
 * Compares versions by the priority of Kubernetes: `v2`, `v1`, `v2beta1`, `v1beta2`, `v1alpha1`, and then names of other forms
 * in alphabetical order.
 */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a !== undefined && b !== undefined) {
    return b.maturity - a.maturity || b.major - a.major || b.minor - a.minor;
  }
  if (a !== undefined) return -1;
  if (b !== undefined) return 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

function partsOf(name: string) {
  const found = /^v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?$/.exec(name);
  if (found === null) return undefined;
  const [, major, maturity = "", minor = "0"] = found;
  return { major: Number(major), maturity: MATURITY.indexOf(maturity), minor: Number(minor) };
}

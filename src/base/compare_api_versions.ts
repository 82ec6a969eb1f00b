const VERSION = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

/**
 * Compares two versions in the order of preference of Kubernetes: GA before beta before alpha, and newer before older.
 * Names in another format come last, in alphabetical order.
 */
export function compareApiVersions(a: string, b: string): number {
  const left = VERSION.exec(a);
  const right = VERSION.exec(b);
  if (left === null || right === null) {
    return left === null && right === null ? (a < b ? -1 : a > b ? 1 : 0) : left === null ? 1 : -1;
  }
  const rank = (match: RegExpExecArray) => match[2] === "alpha" ? 0 : match[2] === "beta" ? 1 : 2;
  return rank(right) - rank(left) || Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

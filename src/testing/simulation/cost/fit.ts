/** How a cost grows with the number of objects. */
export type CostOrder = "O(1)" | "O(n)" | "O(n log n)" | "O(n²)";

/** The orders, from the slowest growth to the fastest. */
export const ORDERS: readonly CostOrder[] = ["O(1)", "O(n)", "O(n log n)", "O(n²)"];

/** A part of a fitted function. */
export interface FitTerm {
  /** The function of the number of objects. */
  readonly of: "1" | "n" | "n log n" | "n²";
  /** The factor of the function. */
  readonly factor: number;
}

/** The function that describes counts by the number of objects. */
export interface Fit {
  /** The order of the fastest growing term. */
  readonly order: CostOrder;
  /** The terms, the slowest growing one first. */
  readonly terms: readonly FitTerm[];
}

const FUNCTIONS: Readonly<Record<FitTerm["of"], (n: number) => number>> = {
  "1": () => 1,
  "n": (n) => n,
  "n log n": (n) => n * Math.log2(n),
  "n²": (n) => n * n,
};

/** The models that are tried. A model with a higher penalty must fit better to be preferred. */
const MODELS: readonly { readonly of: readonly FitTerm["of"][]; readonly penalty: number }[] = [
  { of: ["1"], penalty: 0 },
  { of: ["1", "n"], penalty: 4 },
  { of: ["1", "n log n"], penalty: 5 },
  { of: ["1", "n²"], penalty: 5 },
  { of: ["1", "n", "n²"], penalty: 10 },
];

/** Counts differ by one or by 2 % without a reason, such as the random time after which a watch ends. */
const LEAST_ERROR = 1;
const RELATIVE_ERROR = 0.02;

/**
 * Fits counts to a constant, n, n log n and n² with weighted least squares. The model with the smallest sum of squares plus
 * penalty is chosen, so that constants with a little noise are constants.
 */
export function fit(sizes: readonly number[], counts: readonly number[]): Fit {
  const weights = counts.map((count) => {
    const error = Math.max(LEAST_ERROR, Math.abs(count) * RELATIVE_ERROR);
    return 1 / (error * error);
  });
  let best: { score: number; terms: FitTerm[] } | undefined;
  for (const { of, penalty } of MODELS) {
    if (of.length > sizes.length) continue;
    const columns = of.map((name) => sizes.map(FUNCTIONS[name]));
    const factors = solve(columns, counts, weights);
    // A cost does not shrink with the number of objects.
    if (factors === undefined || factors.slice(1).some((factor) => factor <= 0)) continue;
    let score = penalty;
    counts.forEach((count, i) => {
      const fitted = factors.reduce((sum, factor, k) => sum + factor * columns[k]![i]!, 0);
      score += (count - fitted) ** 2 * weights[i]!;
    });
    if (best !== undefined && score >= best.score) continue;
    best = { score, terms: of.map((name, k) => ({ of: name, factor: rounded(factors[k]!) })) };
  }
  const { terms } = best!;
  return { order: `O(${terms.at(-1)!.of})` as CostOrder, terms };
}

/** Adds up fits, so that a small growing part shows beside a large constant. */
export function combine(fits: readonly Fit[]): Fit {
  const names = Object.keys(FUNCTIONS) as FitTerm["of"][];
  const terms = names.flatMap((of) => {
    const factors = fits.flatMap(({ terms }) => terms.filter((term) => term.of === of))
      .map(({ factor }) => factor);
    if (factors.length === 0) return [];
    return [{ of, factor: rounded(factors.reduce((sum, factor) => sum + factor, 0)) }];
  });
  return { order: `O(${terms.at(-1)!.of})` as CostOrder, terms };
}

/** Returns a fit as a formula: `12 + 3 n`. Terms that are small for the largest size are left out. */
export function formula({ terms }: Fit, size: number): string {
  const valueOf = ({ of, factor }: FitTerm) => Math.abs(factor * FUNCTIONS[of](size));
  const least = Math.max(0.05, RELATIVE_ERROR * Math.max(...terms.map(valueOf)));
  const parts = terms.flatMap((term) => {
    if (valueOf(term) < least) return [];
    const { of, factor } = term;
    const shown = Number(factor.toPrecision(2));
    const amount = Math.abs(shown).toLocaleString("en", { maximumSignificantDigits: 2 });
    const text = of === "1" ? amount : amount === "1" ? of : `${amount} ${of}`;
    return [{ sign: shown < 0 ? "-" : "+", text }];
  });
  if (parts.length === 0) return "0";
  return parts.map(({ sign, text }, i) =>
    i === 0 ? (sign === "-" ? `-${text}` : text) : `${sign} ${text}`
  ).join(" ");
}

/** The last digits of a logarithm or a root are not the same on every runtime. */
function rounded(factor: number): number {
  return Number(factor.toPrecision(6));
}

/** Solves the normal equations of weighted least squares; undefined if they have no unique solution. */
function solve(
  columns: readonly (readonly number[])[],
  counts: readonly number[],
  weights: readonly number[],
): number[] | undefined {
  const roots = weights.map(Math.sqrt);
  const weighted = [...columns, counts].map((column) =>
    column.map((value, i) => value * roots[i]!)
  );
  // Columns of unit length keep n² from drowning the constant.
  const lengths = weighted.map((column) => Math.hypot(...column) || 1);
  const unit = weighted.map((column, k) => column.map((value) => value / lengths[k]!));
  const size = columns.length;
  const rows = unit.slice(0, size).map((one) =>
    unit.map((other) => one.reduce((sum, value, i) => sum + value * other[i]!, 0))
  );
  for (let k = 0; k < size; k++) {
    const pivot = rows[k]!;
    if (Math.abs(pivot[k]!) < 1e-9) return undefined;
    for (let l = 0; l < size; l++) {
      if (l === k) continue;
      const factor = rows[l]![k]! / pivot[k]!;
      for (let m = k; m <= size; m++) rows[l]![m]! -= factor * pivot[m]!;
    }
  }
  return rows.map((row, k) => row[size]! / row[k]! * lengths[size]! / lengths[k]!);
}

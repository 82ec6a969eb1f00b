/** @jsxImportSource preact */
import type { VNode } from "preact";

const WIDTH = 96;
const HEIGHT = 24;

/** The number of values that a sparkline shows. */
export const SPARK_VALUES = 60;

/** Returns the points of a line through `values`, the newest at the right. The scale starts at zero. */
export function sparkPath(values: readonly number[], top: number): string {
  const step = WIDTH / (SPARK_VALUES - 1);
  const first = SPARK_VALUES - values.length;
  return values.map((value, index) => {
    const y = HEIGHT - 1 - (top > 0 ? value / top : 0) * (HEIGHT - 3);
    return `${index === 0 ? "M" : "L"}${round((first + index) * step)},${round(y)}`;
  }).join("");
}

/** A small line of the last values, and of the failures among them. The text beside it has the number. */
export function Spark(
  { bad, values }: { values: readonly number[]; bad?: readonly number[] | undefined },
): VNode {
  const top = Math.max(1, ...values, ...(bad ?? []));
  const path = sparkPath(values, top);
  const start = (SPARK_VALUES - values.length) * WIDTH / (SPARK_VALUES - 1);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {values.length > 1 && (
        <path class="area" d={`${path}L${WIDTH},${HEIGHT}L${round(start)},${HEIGHT}Z`} />
      )}
      <path class={values.some((value) => value > 0) ? "line" : "line idle"} d={path} />
      {bad?.some((value) => value > 0) && <path class="bad" d={sparkPath(bad, top)} />}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

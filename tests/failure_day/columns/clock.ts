import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const JUMPS = {
  "an hour": HOUR_MS,
  "two years": 2 * YEAR_MS,
  "an hour back": -HOUR_MS,
  "two years back": -2 * YEAR_MS,
} as const;

/** The clock of the machine is set to a wrong time, and corrected later. */
export const clock: Column = {
  name: "clock",
  trouble: "the clock of the machine jumps, and back",
  try: (row, normal) => tryAll(row, variants(normal)),
};

function* variants({ steps }: Outcome): Generator<Variant> {
  for (const step of points(steps, 4)) {
    for (const [jump, byMs] of Object.entries(JUMPS)) {
      for (const returns of [false, true]) {
        yield {
          what: `the clock jumps by ${jump} at step ${step}${returns ? ", and back" : ""}`,
          trouble: {
            begin: (day) =>
              day.at(step, () => {
                day.clock.jump(byMs);
                if (returns) day.time.setTimer(() => day.clock.jump(-byMs), 30_000);
              }),
          },
          expected: {},
        };
      }
    }
  }
}

import { type Column, tryAll, type Variant } from "../column.ts";
import { type Day, Stopped } from "../day.ts";
import type { Row } from "../row.ts";

/** Matches the accepted errors of a second call: it is a repetition, or the work is done. */
const SECOND =
  /already|twice|again|only once|was run|runs|is running|has ended|has stopped|stopped|closed|409|404|not found|conflict/i;

/** It is called a second time, while the first call runs and after it. */
export const again: Column = {
  name: "again",
  trouble: "it is called a second time, during the first call and after it",
  try: (row) => tryAll(row, variants(row)),
};

function* variants(row: Row): Generator<Variant> {
  yield {
    what: "called during the first call",
    trouble: {
      start: async (day) => {
        const first = call(row, day);
        const second = call(row, day);
        const [result] = await Promise.all([first, second.catch(expectSecond)]);
        return result;
      },
    },
    expected: { error: row.isDone === undefined ? SECOND : undefined, maxLines: 2 },
  };
  yield {
    what: "called after the first call",
    trouble: {
      start: async (day) => {
        const result = await call(row, day);
        await call(row, day).catch(expectSecond);
        return result;
      },
    },
    expected: { maxLines: 2 },
  };
}

async function call(row: Row, day: Day): Promise<unknown> {
  return await row.start(day);
}

function expectSecond(error: unknown): void {
  if (error instanceof Stopped) return;
  if (!(error instanceof Error) || !SECOND.test(error.message)) {
    throw new Error("The second call says something else", { cause: error });
  }
}

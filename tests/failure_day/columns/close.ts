import { TerminalError } from "../../../src/base/mod.ts";
import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import type { Row } from "../row.ts";

/** The client is closed before the start, at every step, and after the end. */
export const close: Column = {
  name: "close",
  trouble: "its client is closed before, between any two steps, and after",
  try: (row, normal) => tryAll(row, variants(row, normal)),
};

/** A subject that fails names the closed client; nothing can help, so nothing is tried again. */
function isClosed(error: unknown): boolean {
  return TerminalError.is(error) && /client is closed/i.test((error as Error).message);
}

function* variants(row: Row, normal: Outcome): Generator<Variant> {
  yield {
    what: "closed before",
    trouble: { begin: (day) => void day.client.close(), limitMs: 1_000 },
    expected: { error: isClosed, hasNoWork: true, byMs: 1_000 + (row.stopMs ?? 0) },
  };
  for (const step of points(normal.steps)) {
    let closedMs = 0;
    yield {
      what: `closed at step ${step}`,
      trouble: {
        begin: (day) =>
          day.at(step, () => {
            closedMs = day.time.now();
            void day.client.close();
          }),
      },
      expected: () => ({
        error: isClosed,
        hasNoWork: true,
        byMs: row.isDone === undefined ? closedMs + (row.noticesMs ?? row.stopMs ?? 0) : undefined,
      }),
    };
  }
}

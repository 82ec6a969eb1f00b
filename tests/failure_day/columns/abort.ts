import { Stopped } from "../day.ts";
import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import type { Row } from "../row.ts";

/** The signal aborts before the start, at every step, and after the end. */
export const abort: Column = {
  name: "abort",
  trouble: "its signal aborts before, between any two steps, and after",
  try: (row, normal) => tryAll(row, variants(row, normal)),
};

function* variants(row: Row, normal: Outcome): Generator<Variant> {
  const reason = new Stopped("enough");
  const byReason = (error: unknown) => error === reason;
  yield {
    what: "aborted before",
    trouble: { begin: (day) => day.stop.abort(reason) },
    expected: { error: byReason, maxLines: 0, byMs: row.stopMs ?? 0, hasNoWork: true },
  };
  for (const step of points(normal.steps)) {
    let abortedMs = 0;
    yield {
      what: `aborted at step ${step}`,
      trouble: {
        begin: (day) =>
          day.at(step, () =>
            void later(step % 7).then(() => {
              abortedMs = day.time.now();
              day.stop.abort(reason);
            })),
      },
      expected: () => ({
        error: byReason,
        maxLines: 0,
        byMs: abortedMs + (row.stopMs ?? 0),
        hasNoWork: true,
      }),
    };
  }
}

/** Resolves a few microtasks later: between two awaits of the subject, and not only at its steps. */
async function later(microtasks: number): Promise<void> {
  for (let i = 0; i < microtasks; i++) await undefined;
}

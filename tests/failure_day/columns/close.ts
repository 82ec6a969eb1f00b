import { describeError, TerminalError } from "../../../src/base/mod.ts";
import { ApplyError } from "../../../src/kubectl/mod.ts";
import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Expected } from "../judge.ts";
import type { Outcome } from "../live.ts";
import type { Row } from "../row.ts";

/** The client is closed before the start, at every step, and after the end. */
export const close: Column = {
  name: "close",
  trouble: "its client is closed before, between any two steps, and after",
  try: (row, normal) => tryAll(row, variants(row, normal)),
};

/** An error about several objects has the error of each. */
function isTerminal(error: unknown): boolean {
  return TerminalError.is(error) || ApplyError.is(error) ||
    error instanceof AggregateError && error.errors.some((one) => isTerminal(one.cause ?? one));
}

/** A call that fails says by its class that no retry can help; what runs names the part that needs the client. */
export function isClosed(row: Row): (error: unknown) => boolean {
  return (error) =>
    (row.isDone !== undefined || isTerminal(error)) &&
    /client is closed/i.test(describeError(error));
}

function expectedOf(row: Row): Expected {
  return {
    error: isClosed(row),
    hasNoWork: true,
    mayHoldLease: true,
    // Each part of what runs says that it has ended.
    maxLines: row.isDone === undefined ? 0 : 12,
    line: /client is closed/i,
  };
}

function* variants(row: Row, normal: Outcome): Generator<Variant> {
  yield {
    what: "closed before",
    trouble: { begin: (day) => void day.client.close(), limitMs: 1_000 },
    expected: { ...expectedOf(row), byMs: 1_000 + (row.stopMs ?? 0) },
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
        ...expectedOf(row),
        byMs: row.isDone === undefined ? closedMs + (row.noticesMs ?? row.stopMs ?? 0) : undefined,
      }),
    };
  }
}

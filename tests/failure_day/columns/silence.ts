import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import { silence as silent } from "../wire.ts";

/** Matches the error of a server that does not answer. */
export const LATE = /timed out|no answer|within \d+ ?m?s|not answered/i;

/** The server does not answer one request, or none from one on. */
export const silence: Column = {
  name: "silence",
  trouble: "the server does not answer",
  try: (row, normal) => tryAll(row, variants(normal)),
};

function* variants(normal: Outcome): Generator<Variant> {
  for (const at of points(normal.requests.length)) {
    yield {
      what: `no answer to request ${at}, ${normal.requests[at]}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = (exchange) => exchange.index === at ? silent(exchange) : undefined),
      },
      expected: { error: LATE, mayHoldLease: /\/leases\//.test(normal.requests[at] ?? "") },
    };
  }
  for (const at of points(normal.requests.length, 3)) {
    yield {
      what: `no answer from request ${at} on, ${normal.requests[at]}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = (exchange) => exchange.index >= at ? silent(exchange) : undefined),
      },
      // Each try is a fault of its own.
      expected: { error: LATE, maxLines: 20, hasNoWork: true, mayHoldLease: true },
    };
  }
}

import { describeError } from "../../../src/base/mod.ts";
import { Stopped } from "../day.ts";
import { type Column, points, tryAll, type Variant } from "../column.ts";
import { isClosed } from "./close.ts";
import type { Outcome } from "../live.ts";
import type { Row } from "../row.ts";

/** The program does not wait for the promise, and closes its client: the call ends, and says which one it was. */
export const forgotten: Column = {
  name: "forgotten",
  trouble: "nobody waits for it, and its client is closed",
  try: (row, normal) => tryAll(row, variants(row, normal)),
};

function* variants(row: Row, { steps }: Outcome): Generator<Variant> {
  for (const step of points(steps, 5)) {
    yield {
      what: `forgotten, and closed at step ${step}`,
      trouble: {
        start: (day) => {
          const closed = new Promise<void>((resolve) =>
            day.at(step, () => {
              resolve(day.client.close());
              if (row.isDone !== undefined) day.stop.abort(new Stopped("forgotten"));
            })
          );
          void row.start(day);
          // A pause between two tries does not end with the client.
          const { noticesMs = 0 } = row;
          if (noticesMs === 0) return closed;
          return closed.then(() =>
            new Promise<void>((resolve) => void day.time.setTimer(resolve, noticesMs))
          );
        },
      },
      expected: {
        anyResult: true,
        hasNoWork: true,
        mayHoldLease: true,
        maxLines: row.isDone === undefined ? 0 : 12,
        unhandled: (reason) =>
          reason instanceof Stopped ||
          isClosed(row)(reason) && /after its last call, here \w/.test(describeError(reason)),
      },
    };
  }
}

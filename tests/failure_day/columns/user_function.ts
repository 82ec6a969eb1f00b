import { type Column, tryAll, type Variant } from "../column.ts";
import { type Day, type Misbehaviour, Stopped } from "../day.ts";
import { live } from "../live.ts";
import type { Row } from "../row.ts";

/** How long a function that never settles may hold its caller before that is stopped, in milliseconds. */
const PATIENCE_MS = 20_000;

/** A function of the user throws, rejects late, or never settles. */
export const userFunction: Column = {
  name: "function",
  trouble: "a function of the user throws, rejects late, or never settles",
  try: async (row, normal) => {
    const { provoke } = row;
    const { called } = provoke === undefined ? normal : await live(row, { begin: provoke });
    return await tryAll(row, variants(row, called));
  },
};

const FAILURE = "the function of the user has failed";

/** Other accepted errors: the stop, or that the function must not return a promise. */
const OTHER = "enough|must not be asynchronous|received a promise";

const WAYS: Readonly<Record<string, Misbehaviour>> = {
  "throws": () => {
    throw new Error(FAILURE);
  },
  "throws undefined": () => {
    throw undefined;
  },
  "rejects late": ({ time }) =>
    new Promise((_, reject) => void time.setTimer(() => reject(new Error(FAILURE)), 1_000)),
  "rejects after the stop": ({ stop }) =>
    new Promise((_, reject) => stop.afterwards(() => reject(new Error(FAILURE)))),
};

function* variants(row: Row, called: ReadonlySet<string>): Generator<Variant> {
  if (called.size === 0) throw new Error(`The row "${row.name}" has no function of the user`);
  for (const name of called) {
    for (const [way, does] of Object.entries(WAYS)) {
      yield {
        what: `${name} ${way}`,
        trouble: {
          // A function that takes a second takes it also at the end.
          stopMs: Math.max(row.stopMs ?? 0, 1_000),
          begin: (day) => begin(row, day, name, does),
        },
        expected: {
          // One object with which a function fails must not end what runs for all of them.
          error: row.isDone !== undefined && row.ending?.includes(name) !== true
            ? undefined
            : way === "throws undefined"
            ? () => true
            : new RegExp(`${FAILURE}|${OTHER}`),
          anyResult: true,
          maxLines: 20,
          anyThrown: way === "throws undefined",
          waits: row.inOrder?.includes(name) ? row.waits : undefined,
          hasNoWork: way === "rejects after the stop" && row.inOrder?.includes(name),
        },
      };
    }
    yield {
      what: `${name} never settles`,
      trouble: {
        begin: (day) => begin(row, day, name, () => new Promise(() => {})),
        limitMs: Math.max(row.limitMs ?? 0, 100_000),
      },
      expected: {
        error: new RegExp(`${OTHER}|timed out|within|not (?:ended|stopped)`),
        anyResult: true,
        maxLines: 20,
        hasNoWork: row.inOrder?.includes(name),
        waits: row.inOrder?.includes(name) ? row.waits ?? /has not ended within \d+ ms/ : undefined,
        // A function that still runs keeps the lease, or another leader would run beside it.
        mayHoldLease: true,
      },
    };
  }
}

function begin(row: Row, day: Day, name: string, does: Misbehaviour): void {
  day.misbehaviour = { name, does };
  row.provoke?.(day);
  // A subject that runs until it is stopped is stopped after its time limit.
  if (row.isDone !== undefined) return;
  day.time.setTimer(() => day.stop.abort(new Stopped("enough")), PATIENCE_MS);
}

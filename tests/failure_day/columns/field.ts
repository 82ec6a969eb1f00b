import type { Column } from "../column.ts";
import { live, type Outcome } from "../live.ts";
import { wrongIn } from "../judge.ts";
import type { Row } from "../row.ts";
import type { ServerState } from "../../../src/testing/mod.ts";

/** The fields that differ between two servers after the same requests. */
const VOLATILE = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "generation",
  "lastTransitionTime",
]);

/** The next version of the program does not know a field that the version before it has written. */
export const field: Column = {
  name: "field",
  trouble: "the next version of the program has lost a field",
  try: tryVersions,
};

async function tryVersions(row: Row): Promise<string[]> {
  const first = await version(row, 1);
  const second = await version(row, 2, first.state);
  const alone = await version(row, 2);
  const wrong = [first, second, alone].flatMap(({ outcome }) => wrongIn(outcome, row, {}));
  if (first.written === alone.written) wrong.push("the versions of the row write the same");
  if (second.written !== alone.written) {
    wrong.push(
      `the second version leaves ${second.written} after the first: must be ${alone.written}`,
    );
  }
  return wrong;
}

async function version(row: Row, version: 1 | 2, before?: ServerState): Promise<{
  readonly outcome: Outcome;
  readonly written: string;
  readonly state: ServerState | undefined;
}> {
  let written = "nothing";
  let state: ServerState | undefined;
  const outcome = await live(row, {
    state: before,
    begin: (day) => void (day.version = version),
    end: (day) => {
      written = JSON.stringify(
        row.written?.(day),
        (key, value) => VOLATILE.has(key) ? undefined : value,
      );
      state = day.server.state();
    },
  });
  return { outcome, written, state };
}

import { type Column, distinct, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import { refusal } from "../refusal.ts";

const REFUSED = /403|forbidden|cannot/i;

/** The program lacks one right. */
export const rights: Column = {
  name: "rights",
  trouble: "it lacks one right",
  try: (row, normal) => tryAll(row, variants(normal)),
};

function* variants({ requests }: Outcome): Generator<Variant> {
  for (const lacking of distinct(requests)) {
    const message = `user "u" cannot do ${lacking}`;
    yield {
      what: `403 to ${lacking}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = ({ what }) =>
            what === lacking ? refusal(403, { reason: "Forbidden", message }) : undefined),
      },
      // Each try is a fault of its own.
      expected: {
        error: REFUSED,
        hasNoWork: true,
        mayHoldLease: lacking.includes("/leases"),
        maxLines: 60,
        line: REFUSED,
      },
    };
  }
}

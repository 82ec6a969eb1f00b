import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import { refusal } from "../refusal.ts";

/** The server refuses one request because it is busy. */
export const unavailable: Column = {
  name: "503",
  trouble: "the server answers 503 once",
  try: (row, normal) => tryAll(row, variants(normal)),
};

function* variants({ requests }: Outcome): Generator<Variant> {
  for (const at of points(requests.length)) {
    for (const headers of [{ "retry-after": "1" }, undefined]) {
      yield {
        what: `503 ${headers ? "with" : "without"} Retry-After to request ${at}, ${requests[at]}`,
        trouble: {
          begin: ({ wire }) =>
            void (wire.script = ({ index, isUpgrade }) =>
              index === at
                ? refusal(503, { reason: "ServiceUnavailable", headers: isUpgrade ? {} : headers })
                : undefined),
        },
        // The server allows a retry of the request, so a subject need not notice. An upgrade is not retried.
        expected: {
          error: headers === undefined || requests[at]?.endsWith("(WebSocket)")
            ? /503|unavailable|not now/i
            : undefined,
        },
      };
    }
  }
}

import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import { refusal } from "../refusal.ts";

const MESSAGE = "The resourceVersion for the provided watch is too old.";

/** A version that the program asks for is too old, by the status of an answer or by an event of a watch. */
export const gone: Column = {
  name: "410",
  trouble: "the server answers 410 once",
  try: (row, normal) => tryAll(row, variants(normal)),
};

function* variants({ requests }: Outcome): Generator<Variant> {
  for (const at of points(requests.length)) {
    yield {
      what: `410 to request ${at}, ${requests[at]}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = ({ index }) =>
            index === at ? refusal(410, { reason: "Expired", message: MESSAGE }) : undefined),
      },
      expected: { error: /410|expired|too old/i },
    };
    yield {
      what: `410 in the stream of request ${at}, ${requests[at]}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = ({ index, request }) =>
            index === at && request.url.includes("watch=true") ? streamed() : undefined),
      },
      expected: { error: /410|expired|too old/i },
    };
  }
}

function streamed(): Response {
  const object = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: MESSAGE,
    reason: "Expired",
    code: 410,
  };
  return new Response(`${JSON.stringify({ type: "ERROR", object })}\n`, {
    headers: { "content-type": "application/json" },
  });
}

import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Outcome } from "../live.ts";
import type { Exchange } from "../wire.ts";
import { LATE } from "./silence.ts";

/** Matches the error of an answer that ended too early. */
const CUT =
  /reset|closed|ended|cut|broken|terminated|JSON|incomplete|unexpected end|did not answer with/i;

/** The server sends a half of an answer, and then nothing, or it resets the connection, or ends it. */
export const half: Column = {
  name: "half",
  trouble: "the server sends a half of an answer",
  try: (row, normal) => tryAll(row, variants(normal)),
};

const REST = {
  "and then nothing": LATE,
  "and resets the connection": CUT,
  "and ends": CUT,
} as const;

function* variants(normal: Outcome): Generator<Variant> {
  for (const at of points(normal.requests.length)) {
    for (const [rest, error] of Object.entries(REST)) {
      yield {
        what: `half of answer ${at}, ${normal.requests[at]}, ${rest}`,
        trouble: {
          begin: ({ wire }) =>
            void (wire.script = (exchange) =>
              exchange.index === at && !exchange.isUpgrade
                ? halved(exchange, rest as keyof typeof REST)
                : undefined),
        },
        expected: { error, mayHoldLease: /\/leases\//.test(normal.requests[at] ?? "") },
      };
    }
  }
}

async function halved(exchange: Exchange, rest: keyof typeof REST): Promise<Response> {
  const response = await exchange.send();
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const isStream = /watch=true|follow=true/.test(exchange.request.url);
  let hasSent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await reader.read();
      if (value === undefined) return controller.close();
      if (hasSent && !isStream) return;
      hasSent = true;
      controller.enqueue(value.subarray(0, value.length >> 1));
      void reader.cancel().catch(() => {});
      if (rest === "and ends") controller.close();
      if (rest === "and resets the connection") {
        controller.error(new TypeError("connection reset by peer"));
      }
      // Otherwise nothing more comes, until the program ends the request.
      if (rest === "and then nothing") await new Promise(() => {});
    },
    cancel: () => reader.cancel().catch(() => {}),
  }, { highWaterMark: 0 });
  return new Response(body, response);
}

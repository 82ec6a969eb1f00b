import { type Column, points, tryAll, type Variant } from "../column.ts";
import { TOKEN } from "../day.ts";
import type { Outcome } from "../live.ts";
import type { Exchange } from "../wire.ts";
import { refusal } from "../refusal.ts";

/** Text with which a server, or another tenant, may deceive readers of logs and errors. */
const HOSTILE =
  `\u001b]52;c;cm0gLXJm\u0007\u001b[2J\r\nerror forged: line\u2028\u202e<script>alert(1)</script>${TOKEN}\u0000`;
const LONG = `${HOSTILE}${"x".repeat(100_000)}`;

/** The server sends text that deceives, floods or repeats the token of the program. */
export const hostile: Column = {
  name: "hostile",
  trouble: "the server sends hostile text",
  try: (row, normal) => tryAll(row, variants(normal)),
};

function* variants({ requests }: Outcome): Generator<Variant> {
  for (const at of points(requests.length, 12)) {
    const what = `answer ${at}, ${requests[at]}`;
    yield {
      what: `a refusal in ${what}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = ({ index }) =>
            index === at
              ? refusal(422, {
                reason: "Invalid",
                message: LONG,
                details: {
                  name: LONG,
                  kind: HOSTILE,
                  causes: [{ field: LONG, message: LONG, reason: HOSTILE }],
                },
              })
              : undefined),
      },
      expected: { error: () => true },
    };
    yield {
      what: `no JSON in ${what}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = ({ index }) => index === at ? page(200) : undefined),
      },
      expected: { error: () => true, anyResult: true, maxLines: 2 },
    };
    yield {
      what: `a page as the refusal in ${what}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = ({ index }) => index === at ? page(400) : undefined),
      },
      // The page comes with a warning.
      expected: { error: () => true, maxLines: 2 },
    };
    yield {
      what: `every text of ${what}`,
      trouble: {
        begin: ({ wire }) =>
          void (wire.script = (exchange) => exchange.index === at ? spoilt(exchange) : undefined),
      },
      expected: { error: () => true, anyResult: true, maxLines: 20, hasNoWork: true },
    };
  }
}

function page(status: number): Response {
  return new Response(`<html>${LONG}</html>`, {
    status,
    headers: { "content-type": "text/html", warning: `299 - "${TOKEN} ${"y".repeat(5000)}"` },
  });
}

/** Answers with hostile text in every text of the answer that is not a name of the API. */
async function spoilt(exchange: Exchange): Promise<Response> {
  if (/watch=true|follow=true|\/log\b/.test(exchange.request.url) || exchange.isUpgrade) {
    return await exchange.send();
  }
  const response = await exchange.send();
  const text = await response.text();
  const keep = new Set(["kind", "apiVersion", "resourceVersion", "continue", "status", "code"]);
  let changed: string;
  try {
    changed = JSON.stringify(
      JSON.parse(text),
      (key, value) => typeof value === "string" && !keep.has(key) ? `${value}${HOSTILE}` : value,
    );
  } catch {
    changed = `${text}${HOSTILE}`;
  }
  return new Response(changed, response);
}

/** The named behaviours of a malicious server that concern the content of answers. */

import type { Asked, Behaviour } from "./malicious_server.ts";

const encoder = new TextEncoder();
const NEVER = new Promise<never>(() => {});

/** Values of every type that JSON has, where another one is expected. */
export const ANYTHING: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  "",
  "0",
  "-1",
  "garbage",
  "99999999999",
  "1e3",
  " 7",
  "\u0000\u001b[2J\n",
  "９",
  "x".repeat(5_000),
  [],
  [null],
  ["12"],
  {},
  { toString: 1, valueOf: 2 },
  { __proto__: null, constructor: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
];

/** Returns a response of JSON. */
export function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body), {
    headers: { "content-type": "application/json" },
    ...init,
  });
}

const status = (code: number, fields: object): Response =>
  json({ kind: "Status", apiVersion: "v1", status: "Failure", code, ...fields }, { status: code });

/** Returns a watch that sends lines and then ends, breaks or stays open. */
export function watchOf(lines: readonly unknown[], then: "close" | "break" | "open"): Response {
  const texts = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts[sent++];
      if (text !== undefined) return controller.enqueue(encoder.encode(`${text}\n`));
      if (then === "close") return controller.close();
      if (then === "break") return controller.error(new TypeError("connection reset"));
      return NEVER;
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/** A body of one chunk again and again. */
function endless(text: string, init: ResponseInit = {}): Response {
  const chunk = encoder.encode(text);
  return new Response(
    new ReadableStream({ pull: (controller) => controller.enqueue(chunk.slice()) }, {
      highWaterMark: 0,
    }),
    init,
  );
}

/** Changes the text of a true answer: a list as a whole, a watch line by line. */
export function changed(asked: Asked, change: (parsed: Json) => unknown): Promise<Response> {
  return asked.honest().then(async (response) => {
    if (!response.ok || response.body === null) return response;
    if (asked.verb === "list") return json(change(await response.json()));
    const lines = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, Uint8Array>({
        transform(text, controller) {
          // The honest server sends whole lines.
          for (const line of text.split("\n")) {
            if (line === "") continue;
            const sent = change(JSON.parse(line));
            controller.enqueue(
              encoder.encode(`${typeof sent === "string" ? sent : JSON.stringify(sent)}\n`),
            );
          }
        },
      }),
    );
    return new Response(lines, { headers: response.headers });
  });
}

// deno-lint-ignore no-explicit-any -- parsed JSON, to be broken
export type Json = any;

function metadataOf(parsed: Json): Json {
  return parsed.object?.metadata ?? parsed.metadata;
}

/** Behaviours after which the cache equals the server again by itself: no lie about an object is among them. */
export const BEHAVIOURS: Readonly<Record<string, () => Behaviour>> = {
  ...Object.fromEntries(
    [...ANYTHING, "soon", 31_536_000, -5].map((seconds) => [
      `a 503 with retryAfterSeconds ${short(seconds)}`,
      () => () =>
        status(503, { reason: "ServiceUnavailable", details: { retryAfterSeconds: seconds } }),
    ]),
  ),
  ...Object.fromEntries(
    ["31536000", "9".repeat(300), "-1", "soon", "1e9", "0"].map((header) => [
      `a 429 with Retry-After ${short(header)}`,
      () => () => json("{}", { status: 429, headers: { "retry-after": header } }),
    ]),
  ),
  ...Object.fromEntries(
    ANYTHING.flatMap((value) => [
      [
        `events at version ${short(value)}`,
        () => (asked: Asked) =>
          changed(asked, (parsed) => {
            if (asked.verb === "watch") metadataOf(parsed).resourceVersion = value;
            return parsed;
          }),
      ],
      [
        `lists at version ${short(value)}`,
        () => (asked: Asked) =>
          changed(asked, (parsed) => {
            if (asked.verb === "list") parsed.metadata.resourceVersion = value;
            return parsed;
          }),
      ],
      [
        `a Status of ${short(value)}`,
        () => () => status(500, { message: value, reason: value, details: value, code: value }),
      ],
      [
        `causes of ${short(value)}`,
        () => () => status(504, { reason: "Timeout", details: { causes: value } }),
      ],
      [`an answer of ${short(value)}`, () => () => json(JSON.stringify(value))],
      [
        `an ERROR event of ${short(value)}`,
        () => ({ verb }: Asked) =>
          verb === "watch" ? watchOf([{ type: "ERROR", object: value }], "close") : undefined,
      ],
      [
        `a continue token of ${short(value)}`,
        () => (asked: Asked) =>
          changed(asked, (parsed) => {
            if (asked.verb === "list") parsed.metadata.continue = value;
            return parsed;
          }),
      ],
      [
        `items of ${short(value)}`,
        () => (asked: Asked) =>
          changed(asked, (parsed) => {
            if (asked.verb === "list") parsed.items.push(value);
            return parsed;
          }),
      ],
    ]),
  ),
  ...Object.fromEntries(
    [undefined, "", "0", 7, null, {}].flatMap((version) =>
      (["close", "break"] as const).map((then) => [
        `a bookmark at version ${short(version)}, then a ${then}`,
        () => ({ verb }: Asked) => {
          const object = {
            kind: "ConfigMap",
            apiVersion: "v1",
            metadata: { resourceVersion: version },
          };
          return verb === "watch" ? watchOf([{ type: "BOOKMARK", object }], then) : undefined;
        },
      ])
    ),
  ),
  "two continue tokens in turn": () => ({ verb, nth }) =>
    verb === "list"
      ? json({
        metadata: { resourceVersion: "5", continue: `token${nth % 2}` },
        items: [{ metadata: { name: "phantom", namespace: "default" } }],
      })
      : undefined,
  "ever new continue tokens": () => ({ verb, nth }) =>
    verb === "list"
      ? json({ metadata: { resourceVersion: "5", continue: `token${nth}` }, items: [] })
      : undefined,
  "an endless body of a 500": () => () => endless("no ".repeat(20_000), { status: 500 }),
  "an endless answer": () => () => endless("[".repeat(60_000)),
  "an endless line": () => ({ verb }) => verb === "watch" ? endless("x".repeat(60_000)) : undefined,
  "an endless line of JSON": () => ({ verb }) =>
    verb === "watch" ? endless('{"a":'.repeat(12_000)) : undefined,
  "a body that never comes": () => () => new Response(new ReadableStream()),
  "an error's body that never comes": () => () =>
    new Response(new ReadableStream(), { status: 500 }),
  "no answer": () => () => NEVER,
  "a redirect to another server": () => () =>
    new Response("moved", { status: 307, headers: { location: "https://elsewhere.invalid/" } }),
  "a web page": () => () =>
    new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } }),
  "an empty answer": () => () => new Response(null, { status: 204 }),
  "a list that is a Table": () => () =>
    json({ kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: {}, items: [] }),
  "an object nested 9,000 deep": () => (asked) =>
    changed(asked, (parsed) => {
      if (asked.verb === "watch") return parsed;
      const deep = '{"a":'.repeat(9_000) + "1" + "}".repeat(9_000);
      const bad = `{"metadata":{"name":"deep","namespace":"default"},"data":${deep}}`;
      return JSON.stringify(parsed).replace('"items":[', `"items":[${bad},`);
    }),
  "an object nested 50,000 deep": () => (asked) =>
    changed(asked, (parsed) => {
      if (asked.verb === "watch") return parsed;
      const deep = "[".repeat(50_000) + "]".repeat(50_000);
      const bad = `{"metadata":{"name":"deep","namespace":"default"},"data":${deep}}`;
      return JSON.stringify(parsed).replace('"items":[', `"items":[${bad},`);
    }),
  "a watch that says nothing": () => ({ verb }) =>
    verb === "watch" ? watchOf([], "open") : undefined,
  "a watch of unknown events": () => ({ verb }) =>
    verb === "watch"
      ? watchOf([{ type: "TRUNCATED", object: {} }, "null", "[]", "{}"], "close")
      : undefined,
  "half a line": () => ({ verb }) =>
    verb === "watch" ? watchOf(['{"type":"ADDED","object":{"metadata":{'], "break") : undefined,
};

/** Returns a value as a short text, for the name of a test. */
export function short(value: unknown): string {
  const text = value === undefined ? "undefined" : JSON.stringify(value);
  return text.length <= 30 ? text : `${text.slice(0, 20)}… (${text.length})`;
}

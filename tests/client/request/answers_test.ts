import { assert, assertEquals, assertRejects } from "@std/assert";
import { networkFailure, silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { isNotFound, Namespaces, Pods, StatusError } from "../../../src/types/mod.ts";
import { bodyOf, ScriptedFetch, statusAnswer } from "../_scripted_fetch.ts";

const clientOf = (answer: Response) =>
  new Client({ fetch: new ScriptedFetch(answer).fetch, logger: silentLogger });

const html = "<!DOCTYPE html>\n<html>\n <body>\n  Please   sign in\n</body></html>";
const asHtml = { "Content-Type": "text/html; charset=utf-8" };

const FAILURES: [string, Response, { code: number; reason: string; says: string[] }][] = [
  [
    "a web page",
    new Response(html, { status: 502, headers: asHtml }),
    {
      code: 502,
      reason: "InternalError",
      says: ['"<!DOCTYPE html> <html> <body> Please sign in', "web page", "server URL"],
    },
  ],
  [
    "a text 404",
    new Response("404 page not found\n", { status: 404 }),
    { code: 404, reason: "NotFound", says: ['"404 page not found"', "installed"] },
  ],
  [
    "a text 429",
    new Response("Too many requests, please try again later.\n", { status: 429 }),
    { code: 429, reason: "TooManyRequests", says: ["Too many requests"] },
  ],
  [
    "an empty body",
    new Response(null, { status: 503 }),
    { code: 503, reason: "ServiceUnavailable", says: ["503 with nothing"] },
  ],
  [
    "JSON that is not a Status",
    Response.json({ password: "hunter2" }, { status: 403 }),
    { code: 403, reason: "Forbidden", says: ["begin like JSON"] },
  ],
  [
    "a redirect",
    new Response(null, { status: 302, headers: { Location: "https://evil.example/" } }),
    { code: 302, reason: "", says: ["redirect", "not followed"] },
  ],
  [
    "a Status without code and reason",
    Response.json({ kind: "Status", status: "Failure", message: "rv must be 0" }, { status: 500 }),
    { code: 500, reason: "", says: ["rv must be 0"] },
  ],
  [
    "a Status of a failure with code 200",
    Response.json({ kind: "Status", status: "Failure", reason: "Expired", code: 410 }),
    { code: 410, reason: "Expired", says: ["410"] },
  ],
];

for (const [what, answer, { code, reason, says }] of FAILURES) {
  Deno.test(`Client throws a StatusError for ${what}`, async () => {
    const error = await assertRejects(() => clientOf(answer).list(Pods));
    assert(StatusError.is(error));
    assertEquals([error.code, error.reason], [code, reason]);
    for (const part of says) assert(error.message.includes(part), error.message);
    assert(!/[\n]|hunter2/.test(error.message), error.message);
  });
}

Deno.test("Client shows at most 200 characters of an unexpected response", async () => {
  const answer = new Response("x".repeat(100_000), { status: 500 });
  const error = await assertRejects(() => clientOf(answer).list(Pods), Error);
  assert(error.message.length < 400, error.message);
});

Deno.test("Client derives the reason of a conflict without a Status from the method", async () => {
  const pod = { metadata: { name: "p", namespace: "n" } } as never;
  const conflict = () => new Response("no", { status: 409 });
  const posted = await assertRejects(() => clientOf(conflict()).create(Pods, pod));
  const put = await assertRejects(() => clientOf(conflict()).update(Pods, pod));
  assert(StatusError.is(posted) && StatusError.is(put));
  assertEquals([posted.reason, put.reason], ["AlreadyExists", "Conflict"]);
});

Deno.test("Client ignores a Retry-After header that is not a number", async () => {
  const answer = statusAnswer(429, "TooManyRequests", { "Retry-After": "x" });
  const error = await assertRejects(() => clientOf(answer).list(Pods));
  assert(StatusError.is(error) && error.retryAfterMs === undefined);
});

const NO_LISTS: [string, Response, string][] = [
  ["a web page", new Response(html, { headers: asHtml }), "web page"],
  [
    "text",
    new Response("ok", { headers: { "content-type": "text/plain;charset=UTF-8" } }),
    '"ok" (text/plain;charset=UTF-8), expected JSON',
  ],
  ["nothing", new Response(""), "with nothing"],
  ["half a list", new Response('{"metadata":{},"items":[{"da'), "begin like JSON"],
  ["no metadata", Response.json({ kind: "X", items: [] }), 'without metadata (kind "X")'],
  ["no items", Response.json({ kind: "Table", metadata: {} }), 'without items (kind "Table")'],
  ["items that are not a list", Response.json({ metadata: {}, items: {} }), "without items"],
  ["null", Response.json(null), "without metadata"],
  ["a number", Response.json(7), "without metadata"],
];

for (const [what, answer, message] of NO_LISTS) {
  Deno.test(`Client.list() says in one line that ${what} is not a list`, async () => {
    const error = await assertRejects(() => clientOf(answer).list(Pods), Error, message);
    assert(error instanceof TypeError || error instanceof SyntaxError);
    assert(error.message.includes("GET https://kubeloop.invalid/api/v1/pods"), error.message);
    assert(!error.message.includes("\n"));
  });
}

Deno.test("Client.list() treats null items as an empty list", async () => {
  const { items } = await clientOf(Response.json({ metadata: {}, items: null })).list(Pods);
  assertEquals(items, []);
});

Deno.test("Client reports a network failure when a response breaks off", async () => {
  const body = bodyOf(['{"metadata":'], new TypeError("error reading a body from connection"));
  const error = await assertRejects(() => clientOf(new Response(body)).list(Pods), Error, "failed");
  assertEquals(networkFailure(error), "eof");
});

Deno.test("Client.watch() rejects with the Status that the server returns", async () => {
  const error = await assertRejects(() => clientOf(statusAnswer(403, "Forbidden")).watch(Pods));
  assert(StatusError.is(error) && error.code === 403);
});

Deno.test("Client.get() of a missing object rejects with NotFound", async () => {
  const error = await assertRejects(() =>
    clientOf(statusAnswer(404, "NotFound")).get(Namespaces, "n")
  );
  assert(isNotFound(error));
});

Deno.test("Client.getRaw() returns the body unchanged", async () => {
  assertEquals(await clientOf(new Response("ok")).getRaw("/readyz"), "ok");
});

Deno.test("Client passes every warning to the handler, also after the handler throws", async () => {
  const lines: unknown[] = [];
  const answer = () =>
    Response.json({}, { headers: { Warning: '299 - "old", 299 - "older", 199 - "misc"' } });
  const logger = { ...silentLogger, error: (line: string) => void lines.push(line) };
  const client = new Client({
    fetch: new ScriptedFetch(answer, answer).fetch,
    logger,
    warningHandler: ({ text }) => {
      lines.push(text);
      if (text === "older") throw new Error("oops");
    },
  });
  await client.get(Namespaces, "n");
  await client.get(Namespaces, "n");
  const once = ["old", "older", "Warning handler threw: oops"];
  assertEquals(lines, [...once, ...once]);
});

Deno.test("Client without a warning handler logs each distinct warning once", async () => {
  const lines: string[] = [];
  const answer = () => Response.json({}, { headers: { Warning: '299 - "v1 is deprecated"' } });
  const logger = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  const client = new Client({ fetch: new ScriptedFetch(answer, answer).fetch, logger });
  await client.get(Namespaces, "n");
  await client.get(Namespaces, "n");
  assertEquals(lines, ["API server warns: v1 is deprecated"]);
});

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { Client, type LogsOptions, type LogStream } from "@kubeloop/controller/client";
import { TerminalError } from "@kubeloop/controller/base";
import { isForbidden } from "@kubeloop/controller/types";
import { bodyOf, networkError, ScriptedFetch, statusAnswer } from "../_scripted_fetch.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const inN = { namespace: "n" };

function logOf(
  body: ReadableStream<Uint8Array> | string | null,
  options: LogsOptions = {},
): LogStream {
  const { fetch } = new ScriptedFetch(new Response(body));
  return new Client({ fetch }).logs("p", { ...inN, ...options });
}

async function linesOf(log: AsyncIterable<string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of log) lines.push(line);
  return lines;
}

Deno.test("Client.logs() asks for a log as kubectl does, and only when a line is wanted", async () => {
  const script = new ScriptedFetch(new Response("a\n"), new Response("b\n"), new Response("c\n"));
  await using client = new Client({ fetch: script.fetch, token: "secret" });
  const log = client.logs("web", {
    ...inN,
    container: "main",
    follow: true,
    previous: false,
    sinceSeconds: 5,
    tailLines: 0,
    timestamps: true,
    limitBytes: 7,
  });
  assertEquals(script.requests.length, 0);
  assertEquals(await linesOf(log), ["a"]);
  const { headers, url } = script.request;
  assertEquals(
    url.slice(url.indexOf("/api")),
    "/api/v1/namespaces/n/pods/web/log?container=main&follow=true&timestamps=true&sinceSeconds=5&tailLines=0&limitBytes=7",
  );
  assertEquals(headers.get("accept"), "application/json, */*");
  assertEquals(headers.get("authorization"), "Bearer secret");

  const annotations = { "kubectl.kubernetes.io/default-container": "side" };
  const pod = { metadata: { name: "p", namespace: "m", annotations } };
  const sinceTime = new Date("2026-01-02T03:04:05.678Z");
  await linesOf(client.logs(pod, { sinceTime, previous: true }));
  await linesOf(client.logs(pod, { container: "other", sinceTime: "2026-01-02T03:04:05+01:00" }));
  assertEquals(script.requests.slice(1).map((request) => request.url.split("/pods/")[1]), [
    "p/log?container=side&previous=true&sinceTime=2026-01-02T03%3A04%3A05.678Z",
    "p/log?container=other&sinceTime=2026-01-02T03%3A04%3A05%2B01%3A00",
  ]);
});

Deno.test("a log has empty lines, both line breaks, and a last line without one", async () => {
  assertEquals(await linesOf(logOf("a\n\n\r\nb\r\nc\rd\n\ne")), [
    "a",
    "",
    "",
    "b",
    "c\rd",
    "",
    "e",
  ]);
  assertEquals(await linesOf(logOf("")), []);
  assertEquals(await linesOf(logOf("\n")), [""]);
  assertEquals(await linesOf(logOf(null)), []);
  // A byte order mark is what the container wrote.
  assertEquals(await linesOf(logOf("\ufeffa\n\ufeffb")), ["\ufeffa", "\ufeffb"]);
});

Deno.test("a log has U+FFFD in place of bytes that are not UTF-8", async () => {
  const bytes = Uint8Array.from([0x61, 0xff, 0xc3, 0x0a, 0xa4, 0x0a, 0xe2, 0x82]);
  assertEquals(await linesOf(logOf(bodyOf([bytes]))), ["a\ufffd\ufffd", "\ufffd", "\ufffd"]);
});

Deno.test("a log is the same however its bytes are cut into chunks", async () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "ä", "€", "😀", "\n", "\r", "\r\n", "\ufeff"),
  });
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 8 });
  await assertProperty(fc.asyncProperty(text, cuts, fc.integer({ min: 4, max: 30 }), async (
    whole,
    places,
    maxLineBytes,
  ) => {
    const bytes = new TextEncoder().encode(whole);
    const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length]
      .sort((a, b) => a - b);
    const chunks = at.slice(1).map((end, i) => bytes.slice(at[i], end))
      .filter(({ length }) => length > 0);
    const expected = whole.split("\n").map((line) => line.replace(/\r$/, ""));
    // A carriage return is removed only before a line break.
    const last = whole.slice(whole.lastIndexOf("\n") + 1);
    expected[expected.length - 1] = last;
    if (last === "") expected.pop();
    assertEquals(await linesOf(logOf(bodyOf(chunks))), expected);
    const parts = await linesOf(logOf(bodyOf(chunks), { maxLineBytes }));
    assertEquals(parts.join(""), expected.join(""));
    assertEquals(parts, await linesOf(logOf(bodyOf([bytes]), { maxLineBytes })));
    const encoder = new TextEncoder();
    assert(parts.every((part) => encoder.encode(part).length <= maxLineBytes));
    assert(parts.every((part) => !part.includes("\ufffd")));
  }));
});

Deno.test("a line that is too long is cut into parts, which nextLine() marks, and later lines follow", async () => {
  const log = logOf(bodyOf(["x".repeat(25), "\nshort\n", "y".repeat(10)]), { maxLineBytes: 10 });
  const lines: unknown[] = [];
  for (let line; (line = await log.nextLine()) !== undefined;) {
    lines.push([line.text.length, line.part, line.isComplete]);
  }
  assertEquals(lines, [
    [10, 0, false],
    [10, 1, false],
    [5, 2, true],
    [5, 0, true],
    [10, 0, false],
  ]);
});

Deno.test("an endless line takes no more memory than its bound", async () => {
  let sent = 0;
  const chunk = new Uint8Array(65_536).fill(120);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  }, { highWaterMark: 0 });
  let read = 0;
  for await (const part of logOf(body, { maxLineBytes: 100_000 })) {
    assertEquals(part.length, 100_000);
    read += part.length;
    if (read >= 20_000_000) break;
  }
  assert(sent - read < 300_000, `${sent - read} bytes are kept`);
});

Deno.test("a log that breaks off gives the lines before, and names the log in its error", async () => {
  const log = logOf(bodyOf(["a\nb\nhalf"], networkError("connection reset")));
  const lines: string[] = [];
  await assertRejects(
    async () => {
      for await (const line of log) lines.push(line);
    },
    Error,
    "Log of https://kubeloop.invalid/api/v1/namespaces/n/pods/p/log broke off, connection closed: ",
  );
  assertEquals(lines, ["a", "b"]);
  assertEquals(await log.next(), { done: true, value: undefined });
});

Deno.test("a log that the server refuses is a StatusError, and a retry of the request is one of every request", async () => {
  const script = new ScriptedFetch(
    statusAnswer(503, "ServiceUnavailable", { "retry-after": "0" }),
    new Response("a\n"),
    statusAnswer(403, "Forbidden"),
  );
  await using client = new Client({ fetch: script.fetch });
  assertEquals(await linesOf(client.logs("p", inN)), ["a"]);
  const refused = client.logs("p", inN);
  assert(isForbidden(await refused.next().catch((error) => error)));
  assertEquals((await refused.next()).done, true);
});

Deno.test("a log without a connection fails, also where a watch would be empty", async () => {
  const script = new ScriptedFetch(
    networkError("connection reset"),
    networkError("connection reset"),
  );
  await using client = new Client({ fetch: script.fetch, maxRetries: 0 });
  await assertRejects(() => client.logs("p", { ...inN, follow: true }).next(), Error, "GET https");
});

Deno.test("a loop over a log that is left releases the connection", async () => {
  const reasons: unknown[] = [];
  const log = logOf(bodyOf(["a\n", "b\n"], "open", (reason) => void reasons.push(reason)));
  for await (const line of log) {
    assertEquals(line, "a");
    break;
  }
  assertEquals(reasons.map((reason) => String(reason)), ["AbortError: The log was closed"]);
  assertEquals((await log.next()).done, true);
  assert(log.close() instanceof Promise);
});

Deno.test("a log ends with the reason of the signal, whatever it does", async () => {
  const reason = new Error("enough");
  const silent = () => bodyOf(["a\n"], "open");
  // Before the iteration.
  await assertRejects(
    () => linesOf(logOf("a\n", { signal: AbortSignal.abort(reason) })),
    Error,
    "enough",
  );
  // While the request is made.
  const stop = new AbortController();
  await using client = new Client({ fetch: () => new Promise(() => {}) });
  const opening = client.logs("p", { ...inN, signal: stop.signal }).next();
  stop.abort(reason);
  assertStrictEquals(await opening.catch((error) => error), reason);
  // While it waits for a line, and between two lines.
  for (const waits of [true, false]) {
    const stop = new AbortController();
    const cancelled: unknown[] = [];
    const body = bodyOf(["a\nb\n"], "open", (why) => void cancelled.push(why));
    const log = logOf(body, { signal: stop.signal, follow: true });
    assertEquals((await log.next()).value, "a");
    if (waits) await log.next();
    const next = waits ? log.next() : undefined;
    stop.abort(reason);
    assertStrictEquals(await (next ?? log.next()).catch((error) => error), reason);
    assertEquals((await log.next()).done, true);
    assertEquals(cancelled.length, 1);
  }
  // After its end, an abort means nothing.
  const late = new AbortController();
  const log = logOf(silent(), { signal: late.signal });
  await log.return();
  late.abort(reason);
  assertEquals((await log.next()).done, true);
});

Deno.test("close() ends a log in every state", async () => {
  const fresh = logOf("a\n");
  await fresh.close();
  assertEquals(await linesOf(fresh), []);

  let signal: AbortSignal | undefined;
  await using client = new Client({
    fetch: (request) => {
      signal = request.signal;
      return new Promise(() => {});
    },
  });
  const opening = client.logs("p", inN);
  const next = opening.next();
  while (signal === undefined) await new Promise((resolve) => setTimeout(resolve));
  await opening.close();
  assertEquals((await next).done, true);
  assert(signal.aborted);

  const waiting = logOf(bodyOf([], "open"));
  const first = waiting.next();
  await waiting.open();
  await waiting[Symbol.asyncDispose]();
  assertEquals((await first).done, true);
});

Deno.test("close() cancels the body of an answer that comes at the same time", async () => {
  for (let turns = 0; turns < 20; turns++) {
    let cancelled = 0;
    const { promise, resolve } = Promise.withResolvers<Response>();
    await using client = new Client({ fetch: () => promise });
    const log = client.logs("p", inN);
    const next = log.next();
    await new Promise((resolve) => setTimeout(resolve));
    resolve(new Response(bodyOf(["a\n"], "open", () => void cancelled++)));
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    assert(log.close() instanceof Promise);
    await next;
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals(cancelled, 1, `after ${turns} turns`);
  }
});

Deno.test("a closed client ends its logs with a TerminalError", async () => {
  const { fetch } = new ScriptedFetch(new Response(bodyOf([], "open")));
  const client = new Client({ fetch });
  const log = client.logs("p", inN);
  await log.open();
  const next = log.next();
  await client.close();
  assert(TerminalError.is(await next.catch((error) => error)));
  assert(TerminalError.is(await client.logs("p", inN).next().catch((error) => error)));
});

Deno.test("calls of next() that do not wait for each other get the lines in order", async () => {
  const log = logOf(bodyOf(["a\nb\n", "c\n"]));
  const results = await Promise.all([1, 2, 3, 4].map(() => log.next()));
  assertEquals(results.map(({ value }) => value), ["a", "b", "c", undefined]);
});

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { networkFailure, noopMetrics, silentLogger } from "../../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../../src/client/mod.ts";
import { Namespaces, Pods, StatusError } from "../../../src/types/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { type Answer, networkError, ScriptedFetch, statusAnswer } from "../_scripted_fetch.ts";

const RESET = "client error (SendRequest): connection reset by peer";
const CLOSED = "connection closed before message completed";
const REFUSED = "tcp connect error: Connection refused (os error 111)";
const TIMED_OUT = "tcp connect error: Connection timed out (os error 110)";

const ok = () => Response.json({ metadata: { name: "n" } });
const repeat = (count: number, answer: () => Answer) => Array.from({ length: count }, answer);
const busy = (retryAfter?: string) => () =>
  statusAnswer(
    429,
    "TooManyRequests",
    retryAfter === undefined ? {} : { "Retry-After": retryAfter },
  );

function setUp(answers: Answer[], options: ClientOptions = {}) {
  const clock = new VirtualClock();
  const script = new ScriptedFetch(...answers);
  const client = new Client({ fetch: script.fetch, clock, logger: silentLogger, ...options });
  return { clock, script, client };
}

Deno.test("Client retries after the time in Retry-After", async () => {
  const { clock, script, client } = setUp([busy("3"), busy("2"), ok]);
  await clock.run(client.get(Namespaces, "n"));
  assertEquals([script.requests.length, clock.now()], [3, 5000]);
});

Deno.test("Client says when it waits for less than a server asks for, and only then", async () => {
  const logger = new RecordingLogger();
  const { clock, client } = setUp([busy("5"), busy("3600"), ok], { logger });
  await clock.run(client.get(Namespaces, "n"));
  const lines = logger.of("warn").map(String);
  assertEquals(lines.length, 1, lines.join());
  assertMatch(lines[0]!, /the server asks to wait 3600 s, trying again in \d+ ms/);
});

Deno.test("Client retries a write with the same body if the response has Retry-After", async () => {
  const { clock, script, client } = setUp([
    () => statusAnswer(503, "ServiceUnavailable", { "Retry-After": "1" }),
    ok,
  ]);
  await clock.run(client.create(Namespaces, { metadata: { name: "n" } }));
  assertEquals(await script.requests[0]!.text(), await script.requests[1]!.text());
});

for (const code of [500, 599]) {
  Deno.test(`Client retries a ${code} with Retry-After`, async () => {
    const answer = () => statusAnswer(code, "InternalError", { "Retry-After": "1" });
    const { clock, script, client } = setUp([answer, ok]);
    await clock.run(client.get(Namespaces, "n"));
    assertEquals([script.requests.length, clock.now()], [2, 1000]);
  });
}

Deno.test("Client retries at most ten times and then throws the last error", async () => {
  const { clock, script, client } = setUp(repeat(12, () => busy("1")));
  const error = await assertRejects(() => clock.run(client.get(Namespaces, "n")));
  assert(StatusError.is(error) && error.code === 429 && error.retryAfterMs === 1000);
  assertEquals(script.requests.length, 11);
});

Deno.test("ClientOptions.maxRetries is the default of all calls, and the option of a call overrides it", async () => {
  const { clock, script, client } = setUp(repeat(20, () => busy("1")), { maxRetries: 2 });
  await assertRejects(() => clock.run(client.get(Namespaces, "n")), StatusError);
  assertEquals(script.requests.length, 3);
  await assertRejects(() => clock.run(client.get(Namespaces, "n", { maxRetries: 1 })), StatusError);
  assertEquals(script.requests.length, 5);
  await assertRejects(() => clock.run(client.list(Pods, { maxRetries: 0 })), StatusError);
  assertEquals(script.requests.length, 6);
  await assertRejects(() => clock.run(client.watch(Pods)), StatusError);
  assertEquals(script.requests.length, 9);
  await assertRejects(() => client.listerWatcher(Pods).list({}, {}), StatusError);
  assertEquals(script.requests.length, 10);
});

for (
  const [what, answer] of [
    ["429 without Retry-After", busy()],
    ["429 with a date", busy("Fri, 20 Nov 2026 12:49:14 GMT")],
    ["429 with a fraction", busy("1.5")],
    ["500 without Retry-After", () => statusAnswer(500, "InternalError")],
    ["404 with Retry-After", () => statusAnswer(404, "NotFound", { "Retry-After": "1" })],
  ] as const
) {
  Deno.test(`Client does not retry ${what}`, async () => {
    const { clock, script, client } = setUp([answer, ok]);
    await assertRejects(() => clock.run(client.get(Namespaces, "n")), StatusError);
    assertEquals(script.requests.length, 1);
  });
}

for (const message of [RESET, CLOSED]) {
  Deno.test(`Client retries a read one second after: ${message}`, async () => {
    const { clock, script, client } = setUp([networkError(message), ok]);
    await clock.run(client.get(Namespaces, "n"));
    assertEquals([script.requests.length, clock.now()], [2, 1000]);
  });
}

for (const message of [REFUSED, TIMED_OUT]) {
  Deno.test(`Client does not retry a read after: ${message}`, async () => {
    const { clock, script, client } = setUp([networkError(message), ok]);
    const error = await assertRejects(() => clock.run(client.get(Namespaces, "n")));
    assert(networkFailure(error) !== undefined);
    assertEquals(script.requests.length, 1);
  });
}

Deno.test("Client does not retry a write after a network failure", async () => {
  const { clock, script, client } = setUp([networkError(RESET), ok]);
  await assertRejects(() => clock.run(client.delete(Namespaces, "n")), Error, "reset");
  assertEquals(script.requests.length, 1);
});

Deno.test("Client's last error mentions a different previous error", async () => {
  const { clock, client } = setUp([networkError(CLOSED), networkError(REFUSED)]);
  const error = await assertRejects(() => clock.run(client.get(Namespaces, "n")), Error);
  assert(error.message.includes("Connection refused"), error.message);
  assert(error.message.includes(`error from a previous attempt: fetch failed: ${CLOSED}`));
  assertEquals(networkFailure(error), "refused");
});

Deno.test("Client's last error does not mention equal previous errors", async () => {
  const { clock, script, client } = setUp(repeat(11, () => networkError(RESET)));
  const error = await assertRejects(() => clock.run(client.get(Namespaces, "n")), Error);
  assert(!error.message.includes("previous attempt"), error.message);
  assertEquals(script.requests.length, 11);
});

Deno.test("Client's error says what failed and what to check", async () => {
  const { clock, client } = setUp([networkError(REFUSED)], { server: "https://10.0.0.1:6443" });
  const error = await assertRejects(() => clock.run(client.list(Pods)), Error);
  assertEquals(
    error.message,
    `GET https://10.0.0.1:6443/api/v1/pods failed: fetch failed: ${REFUSED}; ` +
      "is the API server running, and the address right?",
  );
});

for (const message of [RESET, CLOSED, TIMED_OUT]) {
  Deno.test(`Client.watch() retries ten times and then returns an empty watch: ${message}`, async () => {
    const { clock, script, client } = setUp(repeat(11, () => networkError(message)));
    const watch = await clock.run(client.watch(Pods));
    for await (const _event of watch) throw new Error("unexpected event");
    assertEquals([script.requests.length, clock.now()], [11, 10_000]);
  });
}

Deno.test("Client.watch() rejects immediately when the connection is refused", async () => {
  const { clock, script, client } = setUp([networkError(REFUSED)]);
  const error = await assertRejects(() => clock.run(client.watch(Pods)));
  assertEquals([networkFailure(error), script.requests.length], ["refused", 1]);
});

Deno.test("Client.watch() retries after Retry-After and finally rejects with the Status", async () => {
  const { clock, script, client } = setUp(repeat(11, () => busy("1")));
  const error = await assertRejects(() => clock.run(client.watch(Pods)));
  assert(StatusError.is(error) && error.code === 429);
  assertEquals(script.requests.length, 11);
});

Deno.test("Client stops waiting for a retry when the signal aborts", async () => {
  const { clock, script, client } = setUp([busy("60")]);
  const stop = new AbortController();
  const pending = client.get(Namespaces, "n", { signal: stop.signal });
  await clock.settle();
  stop.abort(new Error("enough"));
  await assertRejects(() => pending, Error, "enough");
  assertEquals([script.requests.length, clock.pendingTimers], [1, 0]);
});

Deno.test("Client's timeoutMs covers all retries and is sent to the server", async () => {
  const { clock, script, client } = setUp(repeat(11, () => busy("1")));
  const error = await assertRejects(
    () => clock.run(client.get(Namespaces, "n", { timeoutMs: 2500 })),
    DOMException,
    "longer than 2500 ms",
  );
  assertEquals(error.name, "TimeoutError");
  assertEquals([clock.now(), script.requests.length, clock.pendingTimers], [2500, 3, 0]);
  assertEquals(new URL(script.requests[0]!.url).search, "?timeout=2.5s");
});

Deno.test("Client leaves no timer behind when the call ends before timeoutMs", async () => {
  const { clock, client } = setUp([ok]);
  await clock.run(client.get(Namespaces, "n", { timeoutMs: 2500 }));
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("Client without qps does not delay requests", async () => {
  const { clock, client } = setUp(repeat(50, () => ok));
  await clock.run(Promise.all(repeat(50, () => ok).map(() => client.get(Namespaces, "n"))));
  assertEquals(clock.now(), 0);
});

Deno.test("Client with qps makes burst requests at once, and then qps requests per second", async () => {
  const { clock, client } = setUp(repeat(20, () => ok), { qps: 5, burst: 10 });
  await clock.run(Promise.all(repeat(20, () => ok).map(() => client.get(Namespaces, "n"))));
  assertEquals(Math.round(clock.now()), 2000);
});

Deno.test("Client with qps limits the retries of a watch, but not its first request", async () => {
  const empty = () => new Response(null);
  const { clock, client } = setUp([...repeat(3, () => empty), networkError(RESET), empty], {
    qps: 0.1,
    burst: 1,
  });
  await clock.run(client.get(Pods, "p", { namespace: "n" }).catch(() => {}));
  for (let i = 0; i < 2; i++) await clock.run(client.watch(Pods));
  assertEquals(clock.now(), 0);
  await clock.run(client.watch(Pods));
  assertEquals(clock.now(), 10_000);
});

Deno.test("Client counts requests and retries under client-go's names", async () => {
  const counts: string[] = [];
  const metrics = {
    ...noopMetrics,
    counter: (name: string, labels: Record<string, string>) => ({
      inc: () => void counts.push(`${name} ${labels.code ?? ""}`.trim()),
    }),
  };
  const { clock, client } = setUp([networkError(RESET), busy("1"), ok], { metrics });
  await clock.run(client.get(Namespaces, "n"));
  assertEquals(counts, [
    "rest_client_requests_total <error>",
    "rest_client_request_retries_total",
    "rest_client_requests_total 429",
    "rest_client_request_retries_total",
    "rest_client_requests_total 200",
  ]);
});

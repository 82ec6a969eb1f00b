import { Client } from "../../../src/client/mod.ts";
import { ConfigMaps } from "../../../src/types/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" } };

/** A body that sends one part of a text at a time, `everyMs` milliseconds apart. */
function slowBody(text: string, parts: number, everyMs: number, clock: VirtualClock): Response {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / parts);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      new Promise((resolve) => {
        clock.setTimer(() => {
          controller.enqueue(bytes.subarray(at, at + size));
          at += size;
          if (at >= bytes.length) controller.close();
          resolve();
        }, everyMs);
      }),
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function clientOf(clock: VirtualClock, answer: () => Promise<Response>): Client {
  return new Client({ fetch: answer, clock });
}

const never = () => new Promise<Response>(() => {});
const empty = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));

Deno.test("a request that the server does not answer is an error after 90 s", async () => {
  const clock = new VirtualClock();
  await using client = clientOf(clock, never);
  const getting = assertRejects(
    () => client.get(ConfigMaps, "a", { namespace: "b" }),
    DOMException,
    "GET /api/v1/namespaces/b/configmaps/a timed out: no answer within 90 s",
  );
  await clock.advance(89_999);
  await clock.advance(1);
  await getting;
  assertEquals(clock.now(), 90_000);
});

Deno.test("the error of a write without an answer says that it may have been carried out", async () => {
  const clock = new VirtualClock();
  await using client = clientOf(clock, never);
  const error = await clock.run(assertRejects(
    () => client.patchStatus(ConfigMaps, "a", {}, { namespace: "b" }),
    DOMException,
  ));
  assertEquals(error.name, "TimeoutError");
  assertStringIncludes(error.message, "it is not known whether the server has carried it out");
});

Deno.test("an answer whose body stops is an error, and says how much of it has arrived", async () => {
  const clock = new VirtualClock();
  await using client = clientOf(clock, () => Promise.resolve(empty()));
  await clock.run(assertRejects(
    () => client.get(ConfigMaps, "a", { namespace: "b" }),
    DOMException,
    "no answer within 90 s",
  ));
  await using half = clientOf(clock, () => {
    const first = new TextEncoder().encode('{"kind":');
    return Promise.resolve(
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(first),
          pull: () => new Promise(() => {}),
        }),
      ),
    );
  });
  await clock.run(assertRejects(
    () => half.get(ConfigMaps, "a", { namespace: "b" }),
    DOMException,
    "only 8 bytes of the answer within 90 s",
  ));
});

Deno.test("a slow answer that makes progress is read to its end", async () => {
  const clock = new VirtualClock();
  const object = { ...OBJECT, data: { text: "x".repeat(4_000_000) } };
  await using client = clientOf(
    clock,
    () => Promise.resolve(slowBody(JSON.stringify(object), 40, 20_000, clock)),
  );
  const read = await clock.run(client.get(ConfigMaps, "a", { namespace: "b" }));
  assertEquals(read.data?.["text"]?.length, 4_000_000);
  assertEquals(clock.now(), 800_000);
});

Deno.test("an answer that drips is an error", async () => {
  const clock = new VirtualClock();
  const object = { ...OBJECT, data: { text: "x".repeat(1_000) } };
  await using client = clientOf(
    clock,
    () => Promise.resolve(slowBody(JSON.stringify(object), 1_000, 10_000, clock)),
  );
  await clock.run(assertRejects(
    () => client.get(ConfigMaps, "a", { namespace: "b" }),
    DOMException,
    "bytes of the answer within 90 s",
  ));
});

Deno.test("timeoutMs replaces the limit of an answer", async () => {
  const clock = new VirtualClock();
  await using client = clientOf(clock, never);
  const stop = new AbortController();
  let isOpen = true;
  const getting = assertRejects(() =>
    client.getRaw("/slow", { timeoutMs: Infinity, signal: stop.signal })
  ).then(() => isOpen = false);
  await clock.advance(3_600_000);
  assertEquals(isOpen, true);
  stop.abort();
  await getting;
  await clock.run(assertRejects(
    () => client.getRaw("/slow", { timeoutMs: 200_000 }),
    DOMException,
    "took longer than 200000 ms",
  ));
});

Deno.test("a watch must begin within 90 s, and may be silent for any time after that", async () => {
  const clock = new VirtualClock();
  await using client = clientOf(clock, never);
  await clock.run(assertRejects(() => client.watch(ConfigMaps), DOMException, "within 90 s"));
  await using quiet = clientOf(clock, () => Promise.resolve(empty()));
  const watch = await quiet.watch(ConfigMaps);
  let ended = false;
  const reading = (async () => {
    for await (const _ of watch) { /* nothing comes */ }
  })().catch(() => {}).then(() => ended = true);
  await clock.advance(3_600_000);
  assertEquals(ended, false);
  await quiet.close();
  await reading;
});

Deno.test("a middleware that never sends a request is an error after 90 s", async () => {
  const clock = new VirtualClock();
  await using client = new Client({
    fetch: () => Promise.resolve(Response.json(OBJECT)),
    clock,
    middleware: [() => new Promise(() => {})],
  });
  await clock.run(assertRejects(
    () => client.get(ConfigMaps, "a", { namespace: "b" }),
    DOMException,
    "no answer within 90 s",
  ));
});

Deno.test("the time that credentials take does not count", async () => {
  const clock = new VirtualClock();
  const after = <T>(delayMs: number, value: T) =>
    new Promise<T>((resolve) => void clock.setTimer(() => resolve(value), delayMs));
  await using client = new Client({
    server: "https://a.invalid",
    fetch: () => after(80_000, Response.json(OBJECT)),
    tokenFile: "/token",
    readFile: () => after(25_000, "t"),
    clock,
  });
  const read = await clock.run(client.get(ConfigMaps, "a", { namespace: "b" }));
  assertEquals(read.metadata.name, "a");
  assertEquals(clock.now(), 105_000);
});

Deno.test("a request leaves no timer behind", async () => {
  const clock = new VirtualClock();
  await using client = clientOf(clock, () => Promise.resolve(Response.json(OBJECT)));
  await client.get(ConfigMaps, "a", { namespace: "b" });
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("a request that is sent after its call has ended leaves no timer", async () => {
  for (const end of ["an abort", "an answer"]) {
    const clock = new VirtualClock();
    const gate = Promise.withResolvers<void>();
    await using client = new Client({
      fetch: never,
      clock,
      middleware: [(request, next) => {
        const sent = gate.promise.then(() => next(request));
        sent.catch(() => {});
        return end === "an abort" ? sent : Promise.resolve(Response.json(OBJECT));
      }],
    });
    const stop = new AbortController();
    const getting = client.get(ConfigMaps, "a", { namespace: "b", signal: stop.signal });
    if (end === "an abort") {
      const refused = assertRejects(() => getting, Error, "enough");
      await clock.settle();
      stop.abort(new Error("enough"));
      await refused;
    } else await getting;
    gate.resolve();
    await clock.settle();
    assertEquals(clock.pendingTimers, 0, end);
  }
});

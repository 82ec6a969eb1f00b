/** No answer is read without a bound: in bytes, in the memory of its pieces, or in time. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { ByteParts } from "../../../src/base/byte_parts.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { AnswerTooLargeError, isInternalError, Pods, StatusError } from "../../../src/types/mod.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";

/** A body that never ends. */
class Endless {
  sent = 0;
  isCancelled = false;
  readonly #chunk: Uint8Array;

  constructor(chunk: string) {
    this.#chunk = new TextEncoder().encode(chunk);
  }

  response(init: ResponseInit): Response {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        this.sent += this.#chunk.length;
        controller.enqueue(this.#chunk.slice());
      },
      cancel: () => void (this.isCancelled = true),
    }, { highWaterMark: 0 });
    return new Response(body, init);
  }
}

const inX = { namespace: "x" };

for (const status of [500, 404, 302, 400]) {
  Deno.test(`Client reads 64 KiB of an endless body of a ${status}, and cancels the rest`, async () => {
    const endless = new Endless("no ".repeat(1_000));
    const client = new Client({ fetch: () => Promise.resolve(endless.response({ status })) });
    const error = await assertRejects(() => client.get(Pods, "a", inX), StatusError);
    assertEquals([error.code, endless.isCancelled], [status, true]);
    assert(endless.sent < 80_000, `${endless.sent} bytes`);
  });
}

Deno.test("Client waits ten seconds for the rest of an error's body", async () => {
  const clock = new VirtualClock();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("half of an err")),
  });
  const client = new Client({
    clock,
    fetch: () => Promise.resolve(new Response(body, { status: 500 })),
  });
  const failing = client.get(Pods, "a", inX).catch((error) => error);
  await clock.advance(10_000);
  const error = await clock.run(failing);
  assert(isInternalError(error));
  assertStringIncludes(error.message, '"half of an err"');
  assertEquals(clock.pendingTimers, 0);
});

for (const call of ["get", "list", "listerWatcher", "getRaw"] as const) {
  Deno.test(`Client reads maxBodyBytes of an endless answer to ${call}`, async () => {
    const endless = new Endless("x".repeat(1_000));
    const client = new Client({
      maxBodyBytes: 10_000,
      fetch: () => Promise.resolve(endless.response({ status: 200 })),
    });
    const calls = {
      get: () => client.get(Pods, "a", inX),
      list: () => client.list(Pods, inX),
      listerWatcher: () => client.listerWatcher(Pods).list({}, {}),
      getRaw: () => client.getRaw("/version"),
    };
    const error = await assertRejects(calls[call], RangeError, "more than 10000 bytes");
    assert(AnswerTooLargeError.is(error));
    assertStringIncludes(error.message, "GET https://kubeloop.invalid/");
    assertEquals([endless.sent, endless.isCancelled], [11_000, true]);
  });
}

Deno.test("Client takes an answer of exactly maxBodyBytes", async () => {
  const text = '{"a":"b"}';
  const client = new Client({
    maxBodyBytes: text.length,
    fetch: () => Promise.resolve(new Response(text)),
  });
  assertEquals(await client.getRaw("/version"), text);
});

for (const keeps of ["parsed", "bytes"] as const) {
  Deno.test(`a ${keeps} informer lists in pages when a list is too large for one answer`, async () => {
    const clock = new VirtualClock();
    const asked: string[] = [];
    const item = (name: string) => ({ metadata: { name, namespace: "x", resourceVersion: "4" } });
    const client = new Client({
      clock,
      logger: new RecordingLogger(),
      maxBodyBytes: 500,
      fetch: ({ url }) => {
        const query = new URL(url).searchParams;
        if (query.has("watch")) {
          asked.push("watch");
          const gone = { kind: "Status", code: 410, reason: "Expired" };
          return Promise.resolve(
            new Response(`${JSON.stringify({ type: "ERROR", object: gone })}\n`),
          );
        }
        asked.push(`list ${query.get("limit") ?? "all"}`);
        const count = query.has("limit") ? 1 : 100;
        const items = Array.from({ length: count }, (_, i) => item(`p${i}`));
        return Promise.resolve(Response.json({ metadata: { resourceVersion: "5" }, items }));
      },
    });
    const source = { ...client.listerWatcher(Pods), isWatchListSemanticsUnsupported: true };
    const informer = new SharedInformer(source, { resource: Pods, keepParsed: keeps === "parsed" });
    const stop = new AbortController();
    const running = informer.run({ signal: stop.signal });
    await clock.advance(20_000);
    stop.abort();
    await clock.run(running, 2_000);
    const lists = asked.filter((request) => request.startsWith("list"));
    assertEquals(lists.slice(0, 4), ["list 500", "list all", "list 500", "list 500"]);
  });
}

Deno.test("ByteParts copies a large chunk out of a buffer that is much larger", () => {
  const parts = new ByteParts();
  parts.push(new Uint8Array(1_000_000).fill(1).subarray(0, 100_000));
  assertEquals([parts.join().length, parts.join().buffer.byteLength], [100_000, 100_000]);
});

Deno.test("ByteParts joins any chunks, in order", () => {
  assertProperty(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 20 }), (chunks) => {
      const parts = new ByteParts();
      for (const chunk of chunks) parts.push(chunk);
      const expected = chunks.flatMap((chunk) => [...chunk]);
      assertEquals(parts.length, expected.length);
      assertEquals([...parts.join()], expected);
    }),
  );
});

for (const seconds of ["31536000", "9".repeat(400), "61"]) {
  Deno.test(`Client waits a minute when the server asks for ${seconds.slice(0, 10)} s, and says so`, async () => {
    const clock = new VirtualClock();
    const logger = new RecordingLogger();
    let asked = 0;
    const client = new Client({
      clock,
      logger,
      fetch: () =>
        Promise.resolve(
          asked++ === 0
            ? new Response("later", { status: 503, headers: { "retry-after": seconds } })
            : Response.json({ metadata: { name: "a" } }),
        ),
    });
    const getting = client.get(Pods, "a", inX);
    await clock.advance(60_000);
    assertEquals((await getting).metadata.name, "a");
    assertStringIncludes(logger.lines.join("\n"), "trying again in 60000 ms");
  });
}

Deno.test("Client ignores a Retry-After that is not a whole number of seconds", async () => {
  for (
    const header of ["soon", "-1", "1e9", "0x10", "1.5", "Fri, 31 Dec 9999 23:59:59 GMT", "1, 2"]
  ) {
    let asked = 0;
    const client = new Client({
      fetch: () => {
        asked++;
        return Promise.resolve(
          new Response("later", { status: 503, headers: { "retry-after": header } }),
        );
      },
    });
    await assertRejects(() => client.get(Pods, "a", inX), StatusError);
    assertEquals(asked, 1, header);
  }
});

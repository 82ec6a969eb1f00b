import { assertEquals, assertRejects } from "@std/assert";
import { readBody } from "../../../src/client/request/read_body.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

/** A body that can be read in blocks. It sends `chunks`, and then ends, unless `end` says something else. */
function bodyOf(
  chunks: readonly Uint8Array[],
  end = (controller: ReadableByteStreamController) => {
    controller.close();
    controller.byobRequest?.respond(0);
  },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const rest = [...chunks];
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const chunk = rest.shift();
      if (chunk === undefined) end(controller);
      else controller.enqueue(chunk.slice());
    },
  });
}

function chunksOf(lengths: readonly number[]): Uint8Array[] {
  return lengths.map((length, i) => new Uint8Array(length).fill(i + 1));
}

const { signal } = new AbortController();

for (const lengths of [[], [1], [3, 70_000, 2], [65_535], [65_536, 1], [200_000, 1_000_000]]) {
  const chunks = chunksOf(lengths);
  const bytes = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  const said = { none: {}, right: { "content-length": `${bytes.length}` } };
  const wrong = ["1", "70000", "9999999", "none", "-5", "1e99"].map((length, i) =>
    [`wrong ${i}`, { "content-length": length }] as const
  );
  const encoded = { encoded: { "content-encoding": "gzip", "content-length": "2" } };
  for (const [length, headers] of [...Object.entries({ ...said, ...encoded }), ...wrong]) {
    Deno.test(`readBody() reads chunks of ${lengths} bytes, with the length ${length}`, async () => {
      const read = () => new Response(bodyOf(chunks), { headers });
      assertEquals(await readBody(read(), { maxBytes: 1e9, signal }), bytes);
      assertEquals(await readBody(read(), { maxBytes: bytes.length, signal }), bytes);
      if (bytes.length === 0) return;
      const error = await assertRejects(
        () => readBody(read(), { maxBytes: bytes.length - 1, signal }),
        Error,
      );
      assertEquals(error.name, "AnswerTooLargeError");
    });
  }
}

testOn(
  ["deno"],
  "the reader of chunks is Deno's",
  "readBody() on Deno reads a body of known length into one buffer of that size",
  async () => {
    const body = bodyOf(chunksOf([10_000, 300_000, 5]));
    const response = new Response(body, { headers: { "content-length": "310005" } });
    const bytes = await readBody(response, { maxBytes: 1e9, signal });
    assertEquals([bytes.length, bytes.buffer.byteLength], [310_005, 310_006]);
  },
);

Deno.test("readBody() keeps no large block for a small body of unknown length", async () => {
  const bytes = await readBody(new Response(bodyOf(chunksOf([1_000]))), { maxBytes: 1e9, signal });
  assertEquals(bytes.buffer.byteLength < 10_000, true);
});

Deno.test("readBody() rejects with the error of a body that breaks off", async () => {
  const body = bodyOf(chunksOf([10]), (controller) => controller.error(new Error("broken off")));
  await assertRejects(
    () => readBody(new Response(body), { maxBytes: 1e9, signal }),
    Error,
    "broken off",
  );
});

Deno.test("readBody() ends with the reason of its signal, and cancels the body", async () => {
  let isCancelled = false;
  const stop = new AbortController();
  const body = new ReadableStream({
    type: "bytes",
    pull: () => stop.abort(new Error("stopped")),
    cancel: () => void (isCancelled = true),
  });
  await assertRejects(
    () => readBody(new Response(body), { maxBytes: 1e9, signal: stop.signal }),
    Error,
    "stopped",
  );
  assertEquals(isCancelled, true);
});

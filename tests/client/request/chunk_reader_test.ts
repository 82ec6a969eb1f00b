import { assertEquals, assertRejects } from "@std/assert";
import { chunkReader } from "../../../src/client/request/chunk_reader.ts";
import { readErrorBody } from "../../../src/client/request/read_body.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

/** Returns a body, and the sizes of the buffers that it is read into. */
function bodyOf(lengths: readonly number[]) {
  const rest = [...lengths];
  const rooms: number[] = [];
  const body = new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      const request = controller.byobRequest as ReadableStreamBYOBRequest;
      const room = request.view?.byteLength ?? 0;
      rooms.push(room);
      const length = rest.shift();
      if (length === undefined) controller.close();
      request.respond(Math.min(length ?? 0, room));
    },
  });
  return { body, rooms };
}

testOn(
  ["deno"],
  "the reader of chunks is Deno's",
  "chunkReader() on Deno waits with a small buffer, which grows and shrinks with the chunks",
  async () => {
    const { body, rooms } = bodyOf([10, 2_048, 9_999, 9_999, 9_999, 9_999, 1e6, 1e6, 100, 1]);
    const reader = chunkReader(body);
    while (!(await reader.read()).done);
    assertEquals(rooms, [
      ...[2_048, 2_048, 4_096, 8_192, 16_384, 19_998, 19_998, 39_996],
      ...[65_536, 2_048, 2_048],
    ]);
  },
);

testOn(
  ["deno"],
  "the reader of chunks is Deno's",
  "the body of an error is read into small buffers on Deno",
  async () => {
    const { body, rooms } = bodyOf([98]);
    const { signal } = new AbortController();
    const text = await readErrorBody(new Response(body), new VirtualClock(), signal);
    assertEquals(text.length, 98);
    assertEquals(rooms, [2_048, 2_048]);
  },
);

Deno.test("chunkReader() ends a pending read when it is cancelled", async () => {
  const gone: unknown[] = [];
  const body = new ReadableStream({
    type: "bytes",
    cancel: (reason) => void gone.push(reason),
  });
  const reader = chunkReader(body);
  const reading = reader.read();
  await reader.cancel("enough");
  assertEquals([(await reading).done, gone], [true, ["enough"]]);
});

Deno.test("chunkReader() rejects with the error of the body", async () => {
  const body = new ReadableStream({
    type: "bytes",
    pull: (controller) => controller.error(new Error("broken off")),
  });
  await assertRejects(() => chunkReader(body).read(), Error, "broken off");
});

Deno.test("chunkReader() reads a body that is not a byte stream", async () => {
  const reader = chunkReader(ReadableStream.from([new Uint8Array([1, 2])]));
  assertEquals((await reader.read()).value, new Uint8Array([1, 2]));
  assertEquals((await reader.read()).done, true);
});

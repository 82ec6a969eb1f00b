import { assertEquals, assertRejects } from "@std/assert";
import {
  MAX_BODY_BYTES,
  readAhead,
  readBody,
  readBytes,
} from "../../../../src/testing/api_server/http/body.ts";
import { PROTOBUF, readObjectText } from "../../../../src/testing/api_server/http/mod.ts";
import { SCHEMAS } from "../../../../src/testing/api_server/schema/mod.ts";
import { ApiError } from "../../../../src/testing/values/mod.ts";

/** Returns a request whose body comes in chunks of this length, and whether its reader has left. */
function chunked(length: number, count: number): { request: Request; hasLeft: () => boolean } {
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (count-- > 0) controller.enqueue(new Uint8Array(length).fill(32));
      else controller.close();
    },
    cancel() {
      left = true;
    },
  }, { highWaterMark: 0 });
  const init = { method: "POST", body, duplex: "half" };
  return { request: new Request("http://a", init), hasLeft: () => left };
}

const sized = (length: number) =>
  new Request("http://a", { method: "POST", body: new Uint8Array(length) });

async function refused(reading: Promise<unknown>): Promise<void> {
  const error = await assertRejects(() => reading, ApiError);
  assertEquals([error.code, error.status.reason, error.message], [
    413,
    "RequestEntityTooLarge",
    "Request entity too large: limit is 3145728",
  ]);
}

Deno.test("readBytes() takes 3 MiB and refuses more, whether the length is known or not", async () => {
  assertEquals((await readBytes(sized(MAX_BODY_BYTES))).length, MAX_BODY_BYTES);
  await refused(readBytes(sized(MAX_BODY_BYTES + 1)));
  const whole = chunked(MAX_BODY_BYTES / 4, 4);
  assertEquals((await readBytes(whole.request)).length, MAX_BODY_BYTES);
  const long = chunked(MAX_BODY_BYTES / 4 + 1, 1000);
  await refused(readBytes(long.request));
  assertEquals(long.hasLeft(), true);
  const headers = { "content-length": String(MAX_BODY_BYTES + 1) };
  await refused(readBytes(new Request("http://a", { method: "POST", headers, body: "x" })));
});

Deno.test("readAhead() keeps a body for the readers that follow", async () => {
  const request = new Request("http://a", { method: "POST", body: "\ufeffä" });
  assertEquals(await readAhead(request), "ä");
  assertEquals(await readBody(request), "\ufeffä");
  assertEquals(await readBody(request), "\ufeffä");
  assertEquals(await readAhead(new Request("http://a")), "");
  assertEquals(await readBody(new Request("http://a")), "");
  for (const length of [MAX_BODY_BYTES, MAX_BODY_BYTES + 1]) {
    const long = chunked(length, 1).request;
    await readAhead(long);
    if (length === MAX_BODY_BYTES) assertEquals((await readBytes(long)).length, length);
    else await refused(readBytes(long));
  }
});

Deno.test("readObjectText() reads an empty protobuf body as an empty text", async () => {
  const schema = SCHEMAS.kind("", "v1", "ConfigMap")!;
  const read = (body: string, type: string) =>
    readObjectText(
      new Request("http://a", { method: "POST", headers: { "content-type": type }, body }),
      schema,
    );
  assertEquals(await read("", PROTOBUF), "");
  assertEquals(await read("text", "application/json"), "text");
  const error = await assertRejects(() => read("text", PROTOBUF), ApiError);
  assertEquals([error.code, error.message], [
    400,
    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
  ]);
});

import { gunzipSync } from "node:zlib";
import { assertEquals } from "@std/assert";
import {
  indentJson,
  removeFlowHeaders,
  ResponseWriter,
} from "../../../../src/testing/api_server/http/responses.ts";
import { badRequest, failure } from "../../../../src/testing/values/mod.ts";
import { SeededRandom, VirtualClock } from "../../../../src/testing/mod.ts";

const writer = () => new ResponseWriter(new VirtualClock(), new SeededRandom(1));
const FLOW = ["x-kubernetes-pf-flowschema-uid", "x-kubernetes-pf-prioritylevel-uid"];

Deno.test("ResponseWriter gives the length of short answers, and compresses long ones if it may", async () => {
  const lengthOf = (size: number) =>
    writer().plain(200, "x".repeat(size)).headers.get("content-length");
  assertEquals([0, 2048, 2049].map(lengthOf), ["0", "2048", null]);
  const encodingOf = async (size: number, gzip: boolean) => {
    // The text of an answer ends with a newline.
    const response = writer().json(200, `"${"x".repeat(size - 3)}"`, { gzip });
    await response.body?.cancel();
    return [response.headers.get("content-encoding"), response.headers.get("vary")];
  };
  const limit = 128 * 1024;
  assertEquals(await encodingOf(limit, true), [null, null]);
  assertEquals(await encodingOf(limit + 1, true), ["gzip", "Accept-Encoding"]);
  assertEquals(await encodingOf(limit + 1, false), [null, null]);
  const protobuf = writer().protobuf(200, new Uint8Array(limit + 1), true);
  await protobuf.body?.cancel();
  assertEquals(protobuf.headers.get("content-encoding"), "gzip");
});

Deno.test("ResponseWriter compresses each chunk of a stream by itself", async () => {
  const texts = ["first\n", "second\n"];
  const chunks = texts.map((text) => new TextEncoder().encode(text));
  const response = writer().stream(ReadableStream.from(chunks), "application/json", true);
  assertEquals(response.headers.get("content-encoding"), "gzip");
  const members = await Array.fromAsync(response.body!);
  assertEquals(members.map((member) => gunzipSync(member).toString()), texts);
});

Deno.test("ResponseWriter writes the headers of every answer", async () => {
  const { headers } = writer().json(200, "{}");
  assertEquals(headers.get("cache-control"), "no-cache, private");
  assertEquals(/^[0-9a-f-]{36}$/.test(headers.get("audit-id") ?? ""), true);
  assertEquals(FLOW.map((name) => headers.get(name)?.length), [36, 36]);
  assertEquals(headers.get("date"), new Date(new VirtualClock().wallNow()).toUTCString());
  const plain = writer().plain(200, "ok").headers;
  assertEquals([plain.get("content-type"), plain.get("x-content-type-options")], [
    "text/plain; charset=utf-8",
    "nosniff",
  ]);
  const missing = writer().pageNotFound();
  assertEquals([missing.status, await missing.text()], [404, "404 page not found\n"]);
  const malformed = writer().malformedPath();
  assertEquals([malformed.status, await malformed.text()], [400, "400 Bad Request"]);
  const empty = writer().empty();
  assertEquals([empty.status, empty.headers.get("content-type"), await empty.text()], [
    204,
    null,
    "",
  ]);
});

Deno.test("ResponseWriter writes errors in the style of the request", async () => {
  const error = badRequest("no");
  const status =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no","reason":"BadRequest","code":400}';
  assertEquals(await writer().error(error).text(), `${status}\n`);
  assertEquals(await writer().error(error, { pretty: true }).text(), indentJson(status));
  const yaml = writer().error(error, { format: "yaml" });
  assertEquals(yaml.headers.get("content-type"), "application/yaml");
  assertEquals((await yaml.text()).split("\n").slice(0, 2), ["apiVersion: v1", "code: 400"]);
  const late = failure(429, "later", { details: { retryAfterSeconds: 3 } });
  assertEquals(writer().error(late).headers.get("retry-after"), "3");
  const { headers } = writer().error(error);
  removeFlowHeaders(headers);
  assertEquals(FLOW.map((name) => headers.has(name)), [false, false]);
});

import { assertEquals, assertThrows } from "@std/assert";
import {
  readAnswer,
  WebhookCallError,
} from "../../../../src/testing/api_server/webhooks/webhook_answer.ts";

const JSON_TYPE = "application/json";

Deno.test("readAnswer() returns the JSON or YAML of an answer of success", () => {
  const read = (status: number, text: string) => readAnswer(status, JSON_TYPE, text).value;
  for (const status of [200, 201, 206]) assertEquals(read(status, ' {"a":1}'), { a: 1 });
  assertEquals(read(200, '{"status":"Failure"}'), { status: "Failure" });
  assertEquals(read(200, "a: 1\nb: [x]"), { a: 1, b: ["x"] });
  assertEquals(read(200, "text"), "text");
  assertEquals(read(200, " \n"), null);
});

Deno.test("readAnswer() says why an answer is none, as a client of a real server does", () => {
  const status = (rest: object) => JSON.stringify({ kind: "Status", status: "Failure", ...rest });
  const cases: readonly (readonly [number, string, string, string])[] = [
    [200, "", "", "0-length response with status code: 200 and content type: application/json"],
    [201, "a/b", "", "0-length response with status code: 201 and content type: a/b"],
    [500, JSON_TYPE, status({ message: "no" }), "no"],
    [199, "", "x", code(199)],
    [207, "", "x", code(207)],
    [499, "", "x", code(499)],
    [400, "", "x", "the server rejected our request for an unknown reason"],
    [403, "text/plain", " said\n", "said"],
    [403, "", "said", "said"],
    [403, JSON_TYPE, "said", "unknown"],
    [403, JSON_TYPE, '{"kind":"Other","message":"no"}', "unknown"],
    [403, "text/plain", "{x", "{x"],
    [500, "text/plain", 'a"b', failed('"a\\"b"')],
    [599, JSON_TYPE, "x", failed('"unknown"')],
  ];
  for (const [number, type, text, expected] of cases) {
    const error = assertThrows(() => readAnswer(number, type, text), WebhookCallError);
    assertEquals(error.message, expected, `${number} ${type} ${text}`);
  }
  const refused = (text: string) =>
    assertThrows(() => readAnswer(200, JSON_TYPE, text), WebhookCallError).message;
  const where = "couldn't get version/kind; json parse error:";
  assertEquals(
    refused("{x"),
    `${where} invalid character 'x' looking for beginning of object key string`,
  );
  assertEquals(refused("a: b: c"), "yaml: mapping values are not allowed in this context");
});

function code(status: number): string {
  return `the server responded with the status code ${status} but did not return more information`;
}

function failed(said: string): string {
  return `an error on the server (${said}) has prevented the request from succeeding`;
}

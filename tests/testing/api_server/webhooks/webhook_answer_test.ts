import { assertEquals, assertThrows } from "@std/assert";
import {
  readAnswer,
  WebhookCallError,
} from "../../../../src/testing/api_server/webhooks/webhook_answer.ts";

const JSON_TYPE = "application/json";

Deno.test("readAnswer() returns the object of an answer of success", () => {
  for (const status of [200, 201, 206]) {
    assertEquals(readAnswer(status, JSON_TYPE, '{"a":1}'), { a: 1 });
  }
  const success = { kind: "Status", status: "Success" };
  assertEquals(readAnswer(200, JSON_TYPE, JSON.stringify(success)), success);
  assertEquals(readAnswer(200, JSON_TYPE, '{"status":"Failure"}'), { status: "Failure" });
});

Deno.test("readAnswer() says why an answer is none, as a client of a real server does", () => {
  const status = (rest: object) => JSON.stringify({ kind: "Status", status: "Failure", ...rest });
  const cases: readonly (readonly [number, string, string, string])[] = [
    [200, "", "", "0-length response with status code: 200 and content type: application/json"],
    [201, "a/b", "", "0-length response with status code: 201 and content type: a/b"],
    [200, JSON_TYPE, status({ message: "no" }), "no"],
    [200, JSON_TYPE, status({}), "unknown"],
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
  assertEquals(refused("[]"), `${where} "[]" is not an object`);
  assertEquals(refused("x").startsWith(`${where} invalid character 'x'`), true);
});

function code(status: number): string {
  return `the server responded with the status code ${status} but did not return more information`;
}

function failed(said: string): string {
  return `an error on the server (${said}) has prevented the request from succeeding`;
}

/**
 * Plays the expressions of `tests/testing/api_server/cel` on a real server, and compares its answers with the recorded
 * ones.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import recorded from "../testing/api_server/cel/expressions.json" with { type: "json" };
import { type Call, playExpressions } from "../testing/api_server/cel/play_expressions.ts";
import { ADMIN_TOKEN } from "./cluster.ts";
import { RealServer } from "./real_server.ts";

Deno.test("the real server answers to the expressions as recorded", async () => {
  await using server = await RealServer.create({});
  const call: Call = async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      "content-type": "application/json",
    };
    const request = new Request(`${server.origin}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    const answer = await server.fetch(request);
    const text = await answer.text();
    // A resource that is not served yet is answered with plain text.
    const status = text.startsWith("{") ? JSON.parse(text) : { message: text };
    return { code: answer.status, body: status };
  };
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  const played = await playExpressions(call, pause);
  const { definitions, objects } = recorded as unknown as typeof played;
  assertEquals(played.definitions, definitions);
  assertEquals(played.objects, objects);
});

/** Expressions are compiled and evaluated as on a recorded real server, with the same texts. */

import { assertEquals } from "@std/assert";
import { ApiServer } from "../../../../src/testing/mod.ts";
import recorded from "./expressions.json" with { type: "json" };
import { type Answers, type Call, playExpressions } from "./play_expressions.ts";

Deno.test("expressions are compiled and evaluated as by the real server", async () => {
  await using server = new ApiServer();
  const call: Call = async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const request = new Request(`http://localhost${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    const answer = await server.fetch(request);
    return { code: answer.status, body: await answer.json() };
  };
  const played = await playExpressions(call, () => Promise.resolve());
  const { definitions, objects } = recorded as Answers;
  for (const [expression, answer] of Object.entries(definitions)) {
    assertEquals(played.definitions[expression], answer, expression);
  }
  assertEquals(played.definitions, definitions);
  assertEquals(played.objects, objects);
});

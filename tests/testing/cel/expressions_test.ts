/** Expressions, rules and policies are compiled and evaluated as on a recorded real server, with the same texts. */

import { assertEquals } from "@std/assert";
import expressions from "./expressions.json" with { type: "json" };
import policies from "./policies.json" with { type: "json" };
import rules from "./rules.json" with { type: "json" };
import { silentLogger } from "../../../src/base/mod.ts";
import { ApiServer } from "../../../src/testing/mod.ts";
import { type Answers, type Call, playExpressions } from "./play_expressions.ts";
import { playSteps, type Step } from "./play_steps.ts";
import { POLICY_STEPS } from "./policy_steps.ts";
import { RULE_STEPS } from "./rule_steps.ts";

const now = () => Promise.resolve();

function caller(server: ApiServer): Call {
  return async (method, path, body, type = "application/json") => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { "content-type": type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await server.fetch(request);
    const warning = answer.headers.get("warning");
    const text = await answer.text();
    // A resource that is not served is answered with plain text.
    const status = text.startsWith("{") ? JSON.parse(text) : { message: text };
    return { code: answer.status, body: status, warning };
  };
}

async function playOurs(steps: readonly Step[]) {
  await using server = new ApiServer({ logger: silentLogger });
  return await playSteps(steps, caller(server), now);
}

/** Removes the details of Go's errors for invalid addresses and versions, which the server does not repeat. */
function withoutDetails(causes: readonly string[]): string[] {
  return causes.map((cause) =>
    cause.replace(/(?<=ParseAddr\("[^"]*"\): ).*(?= evaluating rule: )/, "…")
      .replace(/(?<="object": ).*(?= evaluating rule: dyn\(semver\()/, "…")
  );
}

Deno.test("expressions are compiled and evaluated as by the real server", async () => {
  await using server = new ApiServer();
  const played = await playExpressions(caller(server), now);
  const { definitions, objects } = expressions as Answers;
  for (const [expression, answer] of Object.entries(definitions)) {
    assertEquals(played.definitions[expression], answer, expression);
  }
  assertEquals(played.definitions, definitions);
  assertEquals(played.objects.map(withoutDetails), objects.map(withoutDetails));
});

Deno.test("rules are checked, and objects that break them refused, as by the real server", async () => {
  assertEquals(await playOurs(RULE_STEPS), rules);
});

Deno.test("policies and match conditions decide as on the real server", async () => {
  assertEquals(await playOurs(POLICY_STEPS), policies);
});

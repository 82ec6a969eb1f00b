/**
 * Plays the expressions, rules and policies of `tests/testing/cel` on a real server, and compares its
 * answers with the recorded ones.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import recorded from "../testing/cel/expressions.json" with { type: "json" };
import { type Call, playExpressions } from "../testing/cel/play_expressions.ts";
import { playSteps } from "../testing/cel/play_steps.ts";
import policies from "../testing/cel/policies.json" with { type: "json" };
import { POLICY_STEPS } from "../testing/cel/policy_steps.ts";
import { RULE_STEPS } from "../testing/cel/rule_steps.ts";
import rules from "../testing/cel/rules.json" with { type: "json" };
import { ADMIN_TOKEN } from "./cluster.ts";
import { RealServer } from "./real_server.ts";

/** The time, in milliseconds, until the real server has learned of a definition or policy. */
const SLOW_MS = 2500;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("the real server answers to expressions, rules and policies as recorded", async () => {
  await using server = await RealServer.create({});
  const call: Call = async (method, path, body, type = "application/json") => {
    const request = new Request(`${server.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await server.fetch(request);
    const text = await answer.text();
    // A resource that is not served yet is answered with plain text.
    const status = text.startsWith("{") ? JSON.parse(text) : { message: text };
    return { code: answer.status, body: status, warning: answer.headers.get("warning") };
  };
  const slowly = () => pause(SLOW_MS);
  const [played, decided, denied] = await Promise.all([
    playExpressions(call, () => pause(100)),
    playSteps(RULE_STEPS, call, slowly),
    playSteps(POLICY_STEPS, call, slowly),
  ]);
  const { definitions, objects } = recorded as unknown as typeof played;
  assertEquals(played.definitions, definitions);
  assertEquals(played.objects, objects);
  assertEquals(decided, rules);
  assertEquals(denied, policies);
});

/** The published bugs of `examples/simulation/cost/`: each is above its bounds, and below them once it is repaired. */

import { assertCost, type Cost } from "@kubeloop/testing/simulation";
import { assert, assertExists, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import type { CostBug } from "../../examples/simulation/cost/_cost_bug.ts";
import { assertHasInOrder, bugsIn } from "./_bugs.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

const folder = new URL("../../examples/simulation/cost/", import.meta.url);

const bugs = await bugsIn<CostBug>(folder);

Deno.test("examples/simulation/cost/ has bugs", () => assert(bugs.length >= 5));

for (const [file, bug] of bugs) {
  // One bug is tried in every run.
  const test = file === "app_services_operator_136.ts" ? Deno.test : slowTest;

  test(`${file}: the cost is above its bounds, and the error names the cause and the line`, async () => {
    const cost = await bug.simulate("broken").cost(bug.cost);
    const { message } = assertThrows(() => assertCost(cost, bug.bounds), Error);
    assertHasInOrder(message, bug.says);
    assertStringIncludes(firstLineOfCode(message, cost), bug.line);
  });

  test(`${file}: the repaired controller is within its bounds`, async () => {
    assertCost(await bug.simulate("repaired").cost(bug.cost), bug.bounds);
  });

  Deno.test(`${file}: has the link of the bug`, () => {
    assertMatch(bug.upstream, /^https:\/\/github\.com\/[^/]+\/[^/]+\/(?:issues|pull)\/\d+$/);
  });
}

/** Returns the code at the first line that an error names. */
function firstLineOfCode(message: string, cost: Cost): string {
  const [, path, line] = /Line: (.+):(\d+):\d+$/m.exec(message) ?? [];
  assertExists(path, String(cost));
  const lines = Deno.readTextFileSync(path).split("\n");
  return lines[Number(line) - 1] ?? "";
}

/** The published bugs of `examples/simulation/`: each is found, and nothing is found once it is repaired. */

import { assertClean, type Finding, type Report } from "@kubeloop/testing/simulation";
import { assert, assertEquals, assertExists, assertMatch } from "@std/assert";
import type { Bug } from "../../examples/simulation/_bug.ts";
import { assertHasInOrder, bugsIn } from "./_bugs.ts";
import { slowTest } from "../support/kinds_of_tests.ts";
import { scaled } from "../support/seeded_runs.ts";

const folder = new URL("../../examples/simulation/", import.meta.url);

/** How many plans may pass until a bug is found. */
const PLANS_TO_FIND = 110;
/** How many plans a repaired controller must pass. They come from all classes of faults in turn. */
const PLANS_TO_PASS = scaled(15);
/** No limit: the tests count plans, since machines differ. */
const MS = 3_600_000;

const bugs = await bugsIn<Bug>(folder);

Deno.test("examples/simulation/ has bugs", () => assert(bugs.length > 0));

for (const [file, bug] of bugs) {
  // One bug is tried in every run.
  const test = file === "kubernetes_105200.ts" ? Deno.test : slowTest;

  test(`${file}: the bug is found, and the report names its cause`, async () => {
    const report = await bug.simulate("broken").explore({
      budget: { plans: PLANS_TO_FIND, ms: MS },
    });
    const [finding] = report.findings;
    assertExists(finding, `nothing was found: ${report}`);
    assertNames(report, finding, bug);
  });

  test(`${file}: nothing is found in the repaired controller`, async () => {
    const report = await bug.simulate("repaired").explore({
      budget: { plans: PLANS_TO_PASS, ms: MS },
    });
    assertClean(report);
    assert(report.plans - report.noEffect > PLANS_TO_PASS / 4, `too few plans: ${report}`);
  });

  Deno.test(`${file}: has the link of the bug`, () => {
    assertMatch(bug.upstream, /^https:\/\/github\.com\/[^/]+\/[^/]+\/issues\/\d+$/);
  });
}

function assertNames(report: Report, { plan, record }: Finding, { finding }: Bug): void {
  if (finding === undefined) return;
  const { oracle, says, story } = finding;
  // One plan can have several wrong effects.
  const wrong = record.wrong.find((one) => one.oracle === oracle);
  assertExists(wrong, String(report));
  assertHasInOrder(wrong.message, says);
  assertHasInOrder(String(report), story ?? says);
  assertEquals(plan.faults.length <= 2, true, "a plan that was shrunk has one fault or two");
}

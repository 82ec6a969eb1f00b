import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import { check } from "./check.ts";
import type { BenchResult } from "./results.ts";

const FLOOR = [40, 42, 39, 41, 60, 40, 38, 40];

/** Returns a run with these ratios to the floor, although the floor itself varies. */
function runWith(ratios: readonly number[]): BenchResult {
  return madeUpRun("flood", {
    floor: { cpuUs: FLOOR },
    kubeloop: { cpuUs: ratios.map((ratio, round) => ratio * (FLOOR[round] ?? NaN)) },
  });
}

const quiet = runWith([0.5, 0.505, 0.495, 0.5, 0.51, 0.49, 0.5, 0.5]);
const noisy = runWith([0.4, 0.5, 0.6, 0.5, 0.55, 0.45, 0.6, 0.4]);

function verdictOf(kept: BenchResult, run: BenchResult): string {
  const [comparison, ...others] = check(kept, run);
  assertEquals(others, []);
  const word = comparison?.line.split(" ")[0] ?? "";
  assertEquals(comparison?.isPassed, word === "ok");
  return word;
}

Deno.test("check() passes the same code, and code that became faster", () => {
  assertEquals(verdictOf(quiet, quiet), "ok");
  assertEquals(verdictOf(quiet, runWith([0.4, 0.41, 0.39, 0.4])), "ok");
});

Deno.test("check() fails for a change of a tenth between quiet runs", () => {
  const [comparison] = check(quiet, runWith([0.55, 0.555, 0.545, 0.55, 0.55]));
  assertEquals(comparison?.isPassed, false);
  assertEquals(
    comparison?.line,
    "SLOWER  flood: kubeloop on deno: cpuUs: × floor was 0.50 (0.50–0.50), is 0.55 (0.55–0.55): +10.0 %, margin 5.0 %",
  );
});

Deno.test("check() widens the margin by the noise of both runs", () => {
  const slower = runWith([0.54, 0.58, 0.5, 0.54, 0.56, 0.52, 0.57, 0.51]);
  assertEquals(verdictOf(quiet, slower), "ok");
  assertEquals(verdictOf(quiet, runWith([0.6, 0.64, 0.56, 0.6, 0.62, 0.58, 0.63, 0.57])), "SLOWER");
});

Deno.test("check() fails if noise or too few rounds could hide a change", () => {
  assertEquals(verdictOf(noisy, noisy), "NOISY");
  assertEquals(verdictOf(quiet, runWith([0.5, 0.5, 0.5])), "NOISY");
  assertEquals(verdictOf(quiet, runWith([0.7, 0.4, 1, 0.7])), "NOISY");
});

Deno.test("check() fails for a ratio that was not measured", () => {
  const failed = madeUpRun("flood", { floor: { cpuUs: FLOOR }, kubeloop: {} });
  assertEquals(verdictOf(quiet, failed), "MISSING");
});

Deno.test("check() ignores cases of only one run, and rejects runs without a common case", () => {
  const other = madeUpRun("sync", { floor: { cpuMs: 1 }, kubeloop: { cpuMs: 1 } });
  assertEquals(check(quiet, { ...quiet, cases: [...quiet.cases, ...other.cases] }).length, 1);
  const error = assertThrows(() => check(quiet, other), Error);
  assertStringIncludes(error.message, "no ratios of the same cases");
  const onBun = madeUpRun("flood", { floor: { cpuUs: 1 }, kubeloop: { cpuUs: 1 } }, "bun");
  assertThrows(() => check(quiet, onBun), Error, "no ratios");
  assertThrows(() => check(quiet, { ...quiet, pods: { bytes: 100, keyOrder: "typed" } }), Error);
});

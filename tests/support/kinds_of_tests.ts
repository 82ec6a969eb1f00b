/**
 * Tests that do not run everywhere or every time. Where one does not run, it is listed as ignored, and its name says why.
 *
 * | kind          | runs in                                                                 |
 * | ------------- | ----------------------------------------------------------------------- |
 * | `slowTest`    | `deno task test --long`, which the gate runs too, and the nightly run   |
 * | `nightlyTest` | the nightly run                                                         |
 * | `testOn`      | the named runtimes                                                      |
 *
 * @module
 */

import process from "node:process";
import { seededRuns } from "./seeded_runs.ts";

type Body = (t: Deno.TestContext) => void | Promise<void>;

/** Ends the names of slow tests, by which `deno task test --long` selects them. */
export const SLOW = " (slow)";

const isNightly = seededRuns.factor > 1;

/** Registers a test that takes seconds where others take milliseconds. */
export function slowTest(name: string, body: Body): void {
  register(
    `${name}${SLOW}`,
    body,
    process.env.KUBELOOP_SLOW === "1" || isNightly ? undefined : "deno task test --long",
  );
}

/** Registers a test that takes minutes. */
export function nightlyTest(name: string, body: Body): void {
  register(name, body, isNightly ? undefined : "takes minutes: deno task nightly");
}

/** A runtime that runs the tests. */
export type TestRuntime = "deno" | "node" | "bun";

/** Registers a test that runs only on some runtimes, for the reason `why`. */
export function testOn(
  runtimes: readonly TestRuntime[],
  why: string,
  name: string,
  body: Body,
): void {
  register(name, body, runtimes.includes(thisRuntime()) ? undefined : why);
}

function thisRuntime(): TestRuntime {
  if (process.versions.bun !== undefined) return "bun";
  return process.versions.deno !== undefined ? "deno" : "node";
}

function register(name: string, fn: Body, ignored: string | undefined): void {
  if (ignored === undefined) Deno.test(name, fn);
  else Deno.test({ name: `${name} (ignored: ${ignored})`, ignore: true, fn });
}

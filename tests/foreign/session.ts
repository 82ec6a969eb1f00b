/**
 * Runs the steps in order against one server.
 *
 * @module
 */

import type { Kubectl, Output } from "./kubectl.ts";
import { type Step, STEPS, words } from "./kubectl_steps.ts";
import { normalize } from "./normalize.ts";

/** The flag that makes kubectl log each response. */
const VERBOSE = "-v=6";

/** The log line of an open watch. */
const WATCH_IS_OPEN = /watch=true" status="200 OK"/;

/** The other log lines. */
const LOG_LINES = /^I[0-9]{4} .*\n/gm;

/** The time in which unexpected output may still arrive after all expected output. */
const GRACE_MS = 200;

const RETRY_MS = 100;
const RETRIES = 300;

/** Returns the normalised output of every step. */
export async function runSession(kubectl: Kubectl): Promise<string[]> {
  const outputs: string[] = [];
  for (const step of STEPS) outputs.push(normalize(await runStep(kubectl, step)));
  return outputs;
}

async function runStep(kubectl: Kubectl, step: Step): Promise<Output> {
  const { command, stdin, meanwhile, retryWhile } = step;
  if (meanwhile !== undefined) return await runWatching(kubectl, step, meanwhile);
  let output = await kubectl.run(words(command), stdin);
  for (let tries = 0; tries < RETRIES && retryWhile?.(output); tries++) {
    await sleep(RETRY_MS);
    output = await kubectl.run(words(command), stdin);
  }
  return output;
}

/** Starts a watch, runs the other commands once it is open, and waits for the expected output. */
async function runWatching(
  kubectl: Kubectl,
  { command, until }: Step,
  meanwhile: readonly string[],
): Promise<Output> {
  const watching = kubectl.start([...words(command), VERBOSE]);
  await watching.until(() => WATCH_IS_OPEN.test(watching.stderr));
  for (const line of meanwhile) await kubectl.run(words(line));
  if (until !== undefined) {
    await watching.until(() => until.test(watching.stdout));
    await sleep(GRACE_MS);
    watching.interrupt();
  }
  const output = await watching.output;
  return { ...output, stderr: output.stderr.replace(LOG_LINES, "") };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Runs the steps, one after the other, against one server.
 *
 * @module
 */

import type { Kubectl } from "./kubectl.ts";
import { type Step, STEPS, words } from "./kubectl_steps.ts";
import { normalize } from "./normalize.ts";

const MEANWHILE_AFTER_MS = 500;

/** The normalised output of every step. */
export async function runSession(kubectl: Kubectl): Promise<string[]> {
  const outputs: string[] = [];
  for (const step of STEPS) outputs.push(await runStep(kubectl, step));
  return outputs;
}

async function runStep(kubectl: Kubectl, step: Step): Promise<string> {
  const { command, stdin, meanwhile, stopAfterMs } = step;
  const running = kubectl.run(words(command), {
    ...(stdin === undefined ? {} : { stdin }),
    ...(stopAfterMs === undefined ? {} : { stopAfterMs }),
  });
  if (meanwhile !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, MEANWHILE_AFTER_MS));
    for (const line of meanwhile) await kubectl.run(words(line));
  }
  return normalize(await running);
}

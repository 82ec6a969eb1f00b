/**
 * Plays requests on a server, and returns what it answers: codes, causes of errors and warnings.
 *
 * @module
 */

import type { Call } from "./play_expressions.ts";

/** A request. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The media type of the body; JSON by default. */
  readonly type?: string;
  /** Whether a real server needs a moment until the request has its effect. */
  readonly slow?: boolean;
}

/** The answer to each request, with its number. */
export type StepAnswers = readonly (readonly string[])[];

/** Plays requests one after the other. */
export async function playSteps(
  steps: readonly Step[],
  call: Call,
  pause: () => Promise<void>,
): Promise<StepAnswers> {
  const answers: string[][] = [];
  for (const [index, { method, path, body, type, slow = false }] of steps.entries()) {
    const { code, body: status, warning } = await call(method, path, body, type);
    const causes = status.details?.causes ?? [];
    const texts = code < 300
      ? []
      : causes.length === 0
      ? [status.message ?? ""]
      : [status.message ?? "", ...causes.map((cause) => JSON.stringify(cause))];
    answers.push([
      `${index} ${method} ${path} ${code}`,
      ...texts.map((text) => text.replace(/selfType\d+/g, "selfType")),
      ...(warning ? [`warning ${warning}`] : []),
    ]);
    if (slow) await pause();
  }
  return answers;
}

import type { PlanView } from "../../mod.ts";

/** Returns the prefix of a command that runs only this plan. */
export function replayOf(plan: PlanView): string {
  return `KUBELOOP_PLAN='${JSON.stringify(plan).replaceAll("'", "'\\''")}'`;
}

/** Returns a sentence without the callers of lines of the program: `sent at src/a.ts:7 (apply), from src/b.ts:9`. */
export function withoutCallers(sentence: string): string {
  return sentence.replaceAll(/, from [^\s,]+:\d+(?: \([\w$.#]+\))?/g, "");
}

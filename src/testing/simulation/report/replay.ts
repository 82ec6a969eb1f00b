import { readVariable } from "./environment.ts";
import { type Plan, readPlan } from "../plans/mod.ts";

/** The variable of the environment with the only plan to run. */
const PLAN = "KUBELOOP_PLAN";

/** Returns the prefix of a command, such as `deno test`, with which only this plan is run. */
export function replayCommand(plan: Plan): string {
  return `${PLAN}='${JSON.stringify(plan).replaceAll("'", "'\\''")}'`;
}

/**
 * Returns the plan in the variable `KUBELOOP_PLAN` of the environment, if there is one for the simulation of this name.
 *
 * @throws {SyntaxError} If it is not a plan.
 */
export function planToReplay(
  simulation: string | undefined,
  text: string | undefined = readVariable(PLAN),
): Plan | undefined {
  if (text === undefined) return undefined;
  let plan: Plan;
  try {
    plan = readPlan(text);
  } catch (error) {
    throw new SyntaxError(
      `Cannot read the plan in the environment variable ${PLAN}: ${(error as Error).message}`,
      { cause: error },
    );
  }
  return plan.simulation === simulation ? plan : undefined;
}

import { parseJson, showJson } from "@kubeloop/controller/internal/base";
import { isWhole, requireFault } from "./fault_fields.ts";
import type { PlanFault } from "./plan_fault.ts";
import { describeSet } from "./property_change.ts";

/** A seed and the faults of a run. It is plain JSON, and the same plan gives the same run on every runtime. */
export interface Plan {
  /** The seed of all random numbers in the run. */
  readonly seed: number;
  /** The faults. An empty list gives a run without faults. */
  readonly faults: readonly PlanFault[];
  /** The indices of the steps of the workload that are left out. Default: none. */
  readonly without?: readonly number[] | undefined;
  /** The name of the simulation, if it has one. */
  readonly simulation?: string | undefined;
}

/** Returns a fault in words. */
export function describeFault(fault: PlanFault): string {
  switch (fault.fault) {
    case "crash":
      return fault.when === "before"
        ? `the process is killed before it sends [${fault.write}]`
        : `the process is killed after the server has carried out [${fault.write}]`;
    case "lose":
      return `[${fault.write}] is carried out, but its answer is lost`;
    case "answer":
      return `[${fault.write}] is answered with ${fault.code}${repeated(fault.times)}`;
    case "read":
      return `[${fault.read}] is answered with ${fault.code}${repeated(fault.times)}`;
    case "edit":
      return `another client adds a ${fault.edit} just before [${fault.write}]`;
    case "linger":
      return `the object of [${fault.write}] lingers for ${seconds(fault.forMs)}`;
    case "stop":
      return `the process is asked to stop at [${fault.write}], and killed after ${
        seconds(fault.graceMs)
      }`;
    case "outage":
      return `from [${fault.write}] on, the process ${OUTAGES[fault.how]} for ${
        seconds(fault.forMs)
      }`;
    case "definition":
      return `from ${
        fault.write === undefined ? "the start" : `[${fault.write}]`
      } on, ${fault.resource} are not ${
        fault.how === "unserved" ? "served" : "converted, as the webhook is down,"
      } for ${seconds(fault.forMs)}`;
    case "skew":
      return `the clock of ${fault.process} is ${seconds(fault.ms)} ahead`;
    case "hold":
      return `${
        fault.scope === "watch" ? "one watch" : "every watch of the kind"
      } of ${fault.process} is ${seconds(fault.forMs)} late from [${fault.event}] on`;
    case "coalesce":
      return `${fault.process} never sees the state of [${fault.event}]`;
    case "restart":
      return `${fault.process} is killed and started again after step ${fault.step + 1}`;
    case "stale":
      return `${fault.process} is killed after step ${
        fault.step + 1
      } and started again on a replica that stands at [${fault.at}] for ${seconds(fault.forMs)}`;
    case "pause":
      return `the process stands still for ${seconds(fault.forMs)} at [${fault.write}]`;
    case "revert":
      return fault.when === "settled"
        ? `step ${fault.step + 1} is taken back when everything has settled`
        : `step ${fault.step + 1} is taken back at [${fault.when}]`;
    case "repeat":
      return `step ${fault.step + 1} is done, taken back${
        fault.settled ? " when everything has settled" : " at once"
      }, and done again`;
    case "skip":
      return `the workload does not wait at step ${fault.step + 1}`;
    case "bad":
      return `the bad step ${fault.step + 1} is done first`;
    case "change":
      return `a user changes ${describeSet(fault)}`;
    case "shortcut":
      return "the objects are created as they are wanted in the end";
    case "order":
      return "concurrent requests are carried out in another order";
    case "shuffle":
      return "lists come in another order";
    case "late":
      return "requests and events take their time";
    case "server":
      return fault.how === "restart"
        ? `the API server restarts after [${fault.write}]`
        : `the API server forgets its history after [${fault.write}]`;
  }
}

const OUTAGES = {
  partition: "does not reach the server",
  slow: "gets its answers late",
  unauthorized: "is not accepted by the server",
  webhook: "gets no write past a webhook that is down",
} as const;

function repeated(times = 1): string {
  return times === 1 ? "" : `, ${times} times in a row`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

/**
 * Reads a plan from JSON, or checks one.
 *
 * @throws {SyntaxError} If the input is not a plan.
 */
export function readPlan(input: Plan | string): Plan {
  let plan: unknown = input;
  if (typeof input === "string") {
    try {
      plan = parseJson(input);
    } catch (error) {
      throw new SyntaxError(`A plan must be JSON: ${(error as Error).message}`, { cause: error });
    }
  }
  const { seed, faults, without = [] } = (plan ?? {}) as Partial<Plan>;
  if (!Number.isInteger(seed)) {
    throw new SyntaxError("A plan needs a seed, which is a whole number: { seed: 1, faults: [] }");
  }
  if (!Array.isArray(faults)) throw new SyntaxError("A plan needs an array of faults");
  for (const fault of faults) requireFault(fault);
  if (!Array.isArray(without) || !without.every(isWhole)) {
    throw new SyntaxError(
      `The field without of a plan must be an array of indices of steps: received ${
        showJson(without)
      }`,
    );
  }
  return plan as Plan;
}

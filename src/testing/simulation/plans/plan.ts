import { parseJson } from "@kubeloop/controller/internal/base";
import { requireFault } from "./fault_fields.ts";
import { describeSet, type PropertyChange } from "./property_change.ts";

/**
 * A fault of a run. Writes and events are named by what they are and by how often it has happened, as
 * in `operator create pods default/w-0 #1`, so that a name means the same in every run.
 */
export type PlanFault =
  /** The process is killed when it sends the write (`before`), or when the server has carried it out (`after`). */
  | { readonly fault: "crash"; readonly when: "before" | "after"; readonly write: string }
  /** The server carries out the write, and the process gets a network error instead of the answer. */
  | { readonly fault: "lose"; readonly write: string }
  /** The server answers the write with an error and does not carry it out; also its next repetitions, `times` in all. */
  | {
    readonly fault: "answer";
    readonly code: 403 | 409 | 429 | 500 | 504;
    readonly write: string;
    readonly times?: number | undefined;
  }
  /** The server answers a get, a list, a page of a list or a watch with an error, `times` in a row. */
  | {
    readonly fault: "read";
    readonly code: 403 | 410 | 500 | 504;
    readonly read: string;
    readonly times?: number | undefined;
  }
  /** Another client edits the object just before the write. */
  | { readonly fault: "edit"; readonly edit: ThirdPartyEdit; readonly write: string }
  /** The object of a delete lingers: another client has put a finalizer on it, and removes that `forMs` after the delete. */
  | { readonly fault: "linger"; readonly write: string; readonly forMs: number }
  /** From this event on, one watch of the process, or all its watches of the kind, receive their events late. */
  | {
    readonly fault: "hold";
    readonly process: string;
    readonly scope: "watch" | "kind";
    readonly event: string;
    readonly forMs: number;
  }
  /** The process never sees the state of this event: it becomes one event with the next one of the object. */
  | { readonly fault: "coalesce"; readonly process: string; readonly event: string }
  /** The process is killed when the step is done, and started again. */
  | { readonly fault: "restart"; readonly process: string; readonly step: number }
  /** Like `restart`, but the first lists come from a replica of the server that is at the version of an event. */
  | {
    readonly fault: "stale";
    readonly process: string;
    readonly step: number;
    readonly at: string;
    readonly forMs: number;
  }
  /** The process is asked to stop (SIGTERM) when it sends the write, and killed `graceMs` later if it still runs. */
  | { readonly fault: "stop"; readonly write: string; readonly graceMs: number }
  /** From this write on, the process is cut off, gets slow answers, or has credentials that are not accepted. */
  | {
    readonly fault: "outage";
    readonly how: "partition" | "slow" | "unauthorized" | "webhook";
    readonly write: string;
    readonly forMs: number;
  }
  /** The definition of a resource is served only after this time: until then, each request of the process is a 404. */
  | {
    readonly fault: "missing";
    readonly process: string;
    readonly resource: string;
    readonly forMs: number;
  }
  /** The wall clock of the process is this much ahead of that of the others. */
  | { readonly fault: "skew"; readonly process: string; readonly ms: number }
  /** The process is paused when it sends the write, as if its machine stood still. */
  | { readonly fault: "pause"; readonly write: string; readonly forMs: number }
  /** The step is undone, when everything has settled or at a write; the workload ends there. */
  | { readonly fault: "revert"; readonly step: number; readonly when: "settled" | string }
  /** The step is done, undone and done again, at once or each time when everything has settled. */
  | { readonly fault: "repeat"; readonly step: number; readonly settled: boolean }
  /** The workload skips a `settle` step. */
  | { readonly fault: "skip"; readonly step: number }
  /** At the step of a campaign, a user sets properties to other values, and back when everything has settled. */
  | { readonly fault: "change"; readonly step: number; readonly set: readonly PropertyChange[] }
  /** The bad step of the workload is done before the steps that follow. */
  | { readonly fault: "bad"; readonly step: number }
  /** The objects are created in their final form, without the steps in between. */
  | { readonly fault: "shortcut" }
  /** Requests that are sent at the same time are carried out in an order that depends on the seed. */
  | { readonly fault: "order" }
  /** The items of lists and the first events of watches come in another order. */
  | { readonly fault: "shuffle" }
  /** Every request and every event is delayed by a random time. */
  | { readonly fault: "late" }
  /** After the write, the API server restarts, or forgets its history and closes all watches. */
  | { readonly fault: "server"; readonly how: "restart" | "compact"; readonly write: string };

/** An entry that another client adds to an object. */
export type ThirdPartyEdit = "finalizer" | "annotation" | "label";

/** A seed and the faults of a run. It is plain JSON, and the same plan gives the same run on every runtime. */
export interface Plan {
  /** The seed of all random numbers in the run. */
  readonly seed: number;
  /** The faults. An empty list gives a run without faults. */
  readonly faults: readonly PlanFault[];
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
    case "missing":
      return `${fault.resource} are not served to ${fault.process} for ${seconds(fault.forMs)}`;
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
  const { seed, faults } = (plan ?? {}) as Partial<Plan>;
  if (!Number.isInteger(seed)) {
    throw new SyntaxError("A plan needs a seed, which is a whole number: { seed: 1, faults: [] }");
  }
  if (!Array.isArray(faults)) throw new SyntaxError("A plan needs an array of faults");
  for (const fault of faults) requireFault(fault);
  return plan as Plan;
}

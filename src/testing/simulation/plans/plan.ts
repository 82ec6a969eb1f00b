import { parseJson } from "@kubeloop/controller/internal/base";
/**
 * One thing that goes wrong in a run. Writes and events are named by what they are and by how often it has happened, as
 * in `operator create pods default/w-0 #1`, so that a name means the same in every run.
 */
export type PlanFault =
  /** The process is killed when it sends the write (`before`), or when the server has carried it out (`after`). */
  | { readonly fault: "crash"; readonly when: "before" | "after"; readonly write: string }
  /** The server carries out the write, and the process gets a network error instead of the answer. */
  | { readonly fault: "lose"; readonly write: string }
  /** The server answers the write with an error and does not carry it out. */
  | { readonly fault: "answer"; readonly code: 409 | 429 | 500 | 504; readonly write: string }
  /** Somebody else edits the object of the write, between the read and the write of the process. */
  | { readonly fault: "edit"; readonly edit: ThirdPartyEdit; readonly write: string }
  /** From this event on, one watch of the process, or all of them for this kind, get their events late. */
  | {
    readonly fault: "hold";
    readonly process: string;
    readonly scope: "watch" | "kind";
    readonly event: string;
    readonly forMs: number;
  }
  /** The process never sees the state of this event: it and the next event of the object become one. */
  | { readonly fault: "coalesce"; readonly process: string; readonly event: string }
  /** The process is killed when the step is done, and started again. */
  | { readonly fault: "restart"; readonly process: string; readonly step: number }
  /** As `restart`, but its first lists come from a replica of the server that stands at the version of an event. */
  | {
    readonly fault: "stale";
    readonly process: string;
    readonly step: number;
    readonly at: string;
    readonly forMs: number;
  }
  /** The process stands still from the moment that it sends the write: a pause of its machine. */
  | { readonly fault: "pause"; readonly write: string; readonly forMs: number }
  /** After the step, at once or when everything has settled, its change is taken back; the workload ends there. */
  | { readonly fault: "revert"; readonly step: number; readonly when: "settled" | string }
  /** The step is done, taken back, and done again, without waiting or with. */
  | { readonly fault: "repeat"; readonly step: number; readonly settled: boolean }
  /** The workload does not wait at a `settle` step. */
  | { readonly fault: "skip"; readonly step: number }
  /** The step that the workload marks as bad is done before the steps that follow. */
  | { readonly fault: "bad"; readonly step: number }
  /** The objects are created as they are wanted in the end, without the steps in between. */
  | { readonly fault: "shortcut" }
  /** Requests that are sent at the same time are carried out in another order, which the seed decides. */
  | { readonly fault: "order" }
  /** Lists have their items, and watches their first events, in another order. */
  | { readonly fault: "shuffle" }
  /** Every request and every event takes its time, from the seed. */
  | { readonly fault: "late" }
  /** The API server restarts, or forgets its history, after the write. */
  | { readonly fault: "server"; readonly how: "restart" | "compact"; readonly write: string };

/** What somebody else adds to an object. */
export type ThirdPartyEdit = "finalizer" | "annotation" | "label";

/** What a run does besides the workload. It is plain JSON, and the same plan gives the same run on every runtime. */
export interface Plan {
  /** The seed of all chance in the run. */
  readonly seed: number;
  /** What goes wrong. Empty: nothing. */
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
      return `[${fault.write}] is answered with ${fault.code}`;
    case "edit":
      return `somebody else adds a ${fault.edit} just before [${fault.write}]`;
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

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

const KINDS: ReadonlySet<string> = new Set<PlanFault["fault"]>([
  "crash",
  "lose",
  "answer",
  "edit",
  "hold",
  "coalesce",
  "restart",
  "stale",
  "pause",
  "revert",
  "repeat",
  "skip",
  "bad",
  "shortcut",
  "order",
  "shuffle",
  "late",
  "server",
]);

/**
 * Reads a plan from JSON, or checks one.
 *
 * @throws {SyntaxError} If it is not a plan.
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
  for (const fault of faults as Partial<PlanFault>[]) {
    if (!KINDS.has(fault?.fault ?? "")) {
      throw new SyntaxError(`Unknown fault in a plan: ${JSON.stringify(fault)}`);
    }
  }
  return plan as Plan;
}

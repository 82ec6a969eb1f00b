import type { PropertyChange } from "./property_change.ts";

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
  /**
   * For this time, from the start or from a write on, the definition of a resource is not served (404), or the webhook that
   * converts its objects is down (500). Open watches of the resource end.
   */
  | {
    readonly fault: "definition";
    readonly how: "unserved" | "unconverted";
    readonly resource: string;
    readonly write?: string | undefined;
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

import type { ApiServer, FaultRequest } from "../../api_server/mod.ts";
import type { FaultBook, PlanFault } from "../plans/mod.ts";
import type { Journal } from "../record/mod.ts";

/** The time in which the next event may hide an event, in milliseconds. */
const COALESCE_MS = 60_000;

/** The parts of a run that its lags use. */
export interface LagWorld {
  readonly server: ApiServer;
  readonly journal: Journal;
  readonly book: FaultBook;
  /** Reports whether a process of that name, or any, has sent the request. */
  isFrom(request: FaultRequest, process?: string): boolean;
}

/** Sets up the lags of a plan. Returns a function that records in the end which of them have taken effect. */
export function armLags({ server, journal, book, isFrom }: LagWorld): () => void {
  const ends: (() => void)[] = [];
  for (const fault of book.faults) {
    if (fault.fault === "shuffle") {
      book.takeEffect(fault);
      server.lag.shuffle({ when: (request) => isFrom(request) });
    }
    if (fault.fault === "late" || fault.fault === "order") book.takeEffect(fault);
    if (fault.fault === "hold") {
      const isFromProcess = (request: FaultRequest) => isFrom(request, fault.process);
      server.lag.hold({
        ...(fault.scope === "kind"
          ? { scope: "resource", clients: isFromProcess }
          : { scope: "watch" }),
        forMs: fault.forMs,
        times: 1,
        when: (watch, event) => {
          if (!isFromProcess(watch) || journal.idOf(event.resourceVersion) !== fault.event) {
            return false;
          }
          book.takeEffect(fault, fault.forMs);
          return true;
        },
      });
    }
    if (fault.fault === "coalesce") {
      const lag = server.lag.coalesce({
        times: 1,
        withinMs: COALESCE_MS,
        when: (watch, event) => {
          const isIt = isFrom(watch, fault.process) &&
            journal.idOf(event.resourceVersion) === fault.event;
          if (isIt) book.extend(COALESCE_MS);
          return isIt;
        },
      });
      ends.push(() => lag.hits > 0 && book.takeEffect(fault));
    }
  }
  return () => ends.forEach((end) => end());
}

/**
 * Lets a process read from a replica at an earlier version. Returns a function that ends this; undefined if there is no
 * such version any more, or if it is the newest.
 */
export function freeze(
  { server, journal, isFrom }: LagWorld,
  fault: Extract<PlanFault, { fault: "stale" }>,
): (() => void) | undefined {
  const at = journal.versionOf(fault.at);
  if (at === undefined || at === server.resourceVersion) return undefined;
  try {
    const frozen = server.lag.freeze({ at, when: (request) => isFrom(request, fault.process) });
    return () => frozen.release();
  } catch (error) {
    // The history of a resource ends with its definition.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

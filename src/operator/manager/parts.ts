import { describeError, LinkedAbort } from "../../base/mod.ts";
import type { Right } from "../../rights/mod.ts";

/** A part of a manager: it runs until its signal aborts. */
export interface Part {
  /** The name in errors, unique within the manager. */
  readonly name: string;
  /**
   * Runs until the signal aborts. Resolves when everything that the part started has stopped. A rejection stops the manager.
   *
   * @param call The signal that stops the part.
   */
  run(call: { readonly signal: AbortSignal }): Promise<void>;
  /** The rights of the part, for `Manager.rbac`. Default: none. */
  readonly rights?: readonly Right[] | undefined;
  /** Whether the part runs on every replica, rather than only on the leader. Default false. */
  readonly everyReplica?: boolean | undefined;
}

/** A running part. */
interface Running {
  readonly link: LinkedAbort;
  readonly ended: Promise<void>;
}

/** A part that can describe its unfinished work. */
export interface BusyPart extends Part {
  /** Returns the unfinished work in words; empty if there is none. */
  work?(): string;
}

/** Parts that run and stop together. A failure is reported with the name of the part. */
export class PartGroup {
  readonly #fail: (error: Error) => void;
  readonly #running = new Map<BusyPart, Running>();

  /** Creates an empty group; `fail` receives the first failure of each part. */
  constructor(fail: (error: Error) => void) {
    this.#fail = fail;
  }

  /** The names of the running parts, with their unfinished work. */
  get names(): readonly string[] {
    return [...this.#running.keys()].map((part) => {
      const work = part.work?.() ?? "";
      return work === "" ? part.name : `${part.name} (${work})`;
    });
  }

  start(part: BusyPart, signal: AbortSignal): void {
    const link = new LinkedAbort(signal);
    // A part that throws at once ends before it is in the map.
    const ended = this.#run(part, link).then(() => void this.#running.delete(part));
    this.#running.set(part, { link, ended });
  }

  /** Stops one part, and waits for it. */
  async stop(part: BusyPart): Promise<void> {
    const running = this.#running.get(part);
    running?.link.abort();
    await running?.ended;
  }

  /** Waits until all parts have stopped. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
    }
  }

  async #run(part: BusyPart, link: LinkedAbort): Promise<void> {
    try {
      await part.run({ signal: link.signal });
    } catch (error) {
      if (!link.signal.aborted || error !== link.signal.reason) {
        this.#fail(new Error(`${part.name} failed: ${describeError(error)}`, { cause: error }));
      }
    } finally {
      link.release();
    }
  }
}

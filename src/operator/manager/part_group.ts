import { describeError, LinkedAbort } from "../../base/mod.ts";
import type { Part } from "./part.ts";

/** A part that runs. */
interface Running {
  readonly link: LinkedAbort;
  readonly ended: Promise<void>;
}

/** A part of the library itself, which can tell what it does. */
export interface BusyPart extends Part {
  /** Returns the unfinished work, for an error; empty if there is none. */
  work?(): string;
}

/** Parts that run and stop together. The failure of one is reported with its name. */
export class PartGroup {
  readonly #fail: (error: Error) => void;
  readonly #running = new Map<BusyPart, Running>();

  /** Creates an empty group; `fail` receives the first failure of each part. */
  constructor(fail: (error: Error) => void) {
    this.#fail = fail;
  }

  /** The names of the parts that have not stopped, with what they do. */
  get names(): readonly string[] {
    return [...this.#running.keys()].map((part) => {
      const work = part.work?.() ?? "";
      return work === "" ? part.name : `${part.name} (${work})`;
    });
  }

  /** Starts a part. */
  start(part: BusyPart, signal: AbortSignal): void {
    const link = new LinkedAbort(signal);
    // A part may end before it is in the map, by a throw.
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

import {
  abortable,
  type Clock,
  LinkedAbort,
  type Logger,
  onAbort,
  withTimeLimit,
} from "../../base/mod.ts";
import { type Part, PartGroup } from "./parts.ts";

/** Options of {@linkcode ManagerRun}. */
export interface ManagerRunOptions {
  /** The name of the manager in errors. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time limit of the stop, in milliseconds. */
  readonly stopTimeoutMs: number;
}

/**
 * The parts of a running manager, in three groups: supporting parts such as informers, which start first and stop last,
 * parts of every replica, and parts of the leader.
 */
export class ManagerRun {
  readonly #options: ManagerRunOptions;
  readonly #stop: LinkedAbort;
  /** Aborts after the other parts have stopped, or at the time limit of the stop. */
  readonly #last = new AbortController();
  /** Aborts if the parts have not stopped in time. */
  readonly #abandoned = new AbortController();
  readonly #supporting: PartGroup;
  readonly #everywhere: PartGroup;
  /** The parts of the leader, and the signal that aborts with the loss of the lease; undefined on a standby. */
  #leading: { readonly group: PartGroup; readonly signal: AbortSignal } | undefined;
  /** Settles when the parts of the leader have stopped and the lease is released. */
  #election: Promise<void> | undefined;
  #isElecting = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: ManagerRunOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#stop = new LinkedAbort(signal);
    this.#supporting = new PartGroup((error) => this.fail(error));
    this.#everywhere = new PartGroup((error) => this.fail(error));
  }

  /** Aborts when the stop begins. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts if the parts have not stopped in time, so that nothing waits for them any longer. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Stops the run with a failure. Only the first failure counts. */
  fail(error: unknown): void {
    if (this.signal.aborted) return;
    this.#failure = { error };
    this.#stop.abort(error);
  }

  stop(reason?: unknown): void {
    if (!this.signal.aborted) this.#stop.abort(reason);
  }

  /** Starts a supporting part. */
  support(part: Part): void {
    this.#supporting.start(part, this.#last.signal);
  }

  /** Starts a part of every replica; starts a part of the leader only if this replica leads. */
  start(part: Part): void {
    if (this.signal.aborted) return;
    const leading = this.#leading;
    if (part.everyReplica) this.#everywhere.start(part, this.signal);
    else if (leading?.signal.aborted === false) leading.group.start(part, leading.signal);
  }

  /**
   * Stops one part and waits for it.
   *
   * @throws {Error} If the part has not stopped in time.
   */
  async stopPart(part: Part): Promise<void> {
    const { clock, stopTimeoutMs } = this.#options;
    const groups = [this.#supporting, this.#everywhere, this.#leading?.group];
    const stopped = Promise.all(groups.map((group) => group?.stop(part)));
    const late = () => new Error(`${part.name} has not stopped within ${stopTimeoutMs} ms`);
    await withTimeLimit(
      { clock, limitMs: stopTimeoutMs, late },
      (signal) => abortable(stopped, signal),
    );
  }

  /** Waits until the stop begins, while `elect` runs the parts of the leader. A failure of `elect` stops the run. */
  async live(elect: () => Promise<void>): Promise<void> {
    this.#isElecting = true;
    this.#election = elect().catch((error) => this.fail(error)).finally(() =>
      this.#isElecting = false
    );
    await aborted(this.signal);
  }

  /**
   * Runs the parts of the leader until the signal aborts, and waits until they have stopped. An abort before the stop of the
   * run is a lost lease, which ends the run.
   */
  async lead(parts: Iterable<Part>, signal: AbortSignal): Promise<void> {
    const group = new PartGroup((error) => this.fail(error));
    this.#leading = { group, signal };
    for (const part of parts) group.start(part, signal);
    await aborted(signal);
    this.fail(signal.reason);
    await group.ended();
    this.#leading = undefined;
  }

  /**
   * Stops all parts in order, within the time limit.
   *
   * @throws The first failure, or an error with the names of the parts that have not stopped in time.
   */
  async end(): Promise<void> {
    this.stop();
    const { clock, stopTimeoutMs } = this.#options;
    const limit = { clock, limitMs: stopTimeoutMs, late: () => "Not stopped in time" };
    try {
      await withTimeLimit(limit, async (signal) => {
        await abortable(Promise.all([this.#election, this.#everywhere.ended()]), signal);
        this.#last.abort();
        await abortable(this.#supporting.ended(), signal);
      });
    } catch {
      const late = this.#late();
      this.#failure ??= { error: late };
      this.#abandoned.abort(late);
    } finally {
      this.#last.abort();
      this.#stop.release();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #late(): Error {
    const { logger, name, stopTimeoutMs } = this.#options;
    const names = [...this.#leading?.group.names ?? [], ...this.#everywhere.names];
    const late = names.length > 0
      ? names
      : this.#isElecting
      ? ["the leader election (giving the lease back)"]
      : this.#supporting.names;
    const error = new Error(
      `${name}: not everything has stopped within ${stopTimeoutMs} ms: ${late.join(", ")}`,
    );
    logger.error(error.message);
    return error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, () => resolve()));
}

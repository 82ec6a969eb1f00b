import {
  abortable,
  type Clock,
  LinkedAbort,
  type Logger,
  onAbort,
  withTimeLimit,
} from "../../base/mod.ts";
import type { Part } from "./part.ts";
import { PartGroup } from "./part_group.ts";

/** Options of {@linkcode ManagerRun}. */
export interface ManagerRunOptions {
  /** The name of the manager in errors. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long the parts may take to stop, in milliseconds. */
  readonly stopTimeoutMs: number;
}

/**
 * The parts of a manager that runs, in three groups. The supporting ones, such as informers, start first and stop last. Then
 * come those of every replica, and those of the leader.
 */
export class ManagerRun {
  readonly #options: ManagerRunOptions;
  readonly #stop: LinkedAbort;
  /** Aborts after the other parts have stopped, or when they take too long. */
  readonly #last = new AbortController();
  /** Aborts when the parts have not stopped in time. */
  readonly #abandoned = new AbortController();
  readonly #supporting: PartGroup;
  readonly #everywhere: PartGroup;
  /** The parts of the leader, and the signal that aborts when the lease is lost; undefined on a standby. */
  #leading: { readonly group: PartGroup; readonly signal: AbortSignal } | undefined;
  /** Settles when the parts of the leader have stopped, and the lease is released. */
  #election: Promise<void> | undefined;
  #isElecting = false;
  #failure: { readonly error: unknown } | undefined;

  /** Begins a run, which `signal` stops. */
  constructor(options: ManagerRunOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#stop = new LinkedAbort(signal);
    this.#supporting = new PartGroup((error) => this.fail(error));
    this.#everywhere = new PartGroup((error) => this.fail(error));
  }

  /** Aborts when the manager is to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when the parts have not stopped in time: nothing waits for them any longer. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Stops the run because of a failure. Only the first one counts. */
  fail(error: unknown): void {
    if (this.signal.aborted) return;
    this.#failure = { error };
    this.#stop.abort(error);
  }

  /** Stops the run. */
  stop(reason?: unknown): void {
    if (!this.signal.aborted) this.#stop.abort(reason);
  }

  /** Starts a part that supports the others. */
  support(part: Part): void {
    this.#supporting.start(part, this.#last.signal);
  }

  /** Starts a part where it belongs; one of the leader only if this replica leads. */
  start(part: Part): void {
    if (this.signal.aborted) return;
    const leading = this.#leading;
    if (part.everyReplica) this.#everywhere.start(part, this.signal);
    else if (leading?.signal.aborted === false) leading.group.start(part, leading.signal);
  }

  /**
   * Stops one part, and waits for it.
   *
   * @throws {Error} When it has not stopped in time.
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

  /** Goes on until the run is to stop; `elect` decides when this replica leads. A failure of `elect` stops the run. */
  async live(elect: () => Promise<void>): Promise<void> {
    this.#isElecting = true;
    this.#election = elect().catch((error) => this.fail(error)).finally(() =>
      this.#isElecting = false
    );
    await aborted(this.signal);
  }

  /**
   * Runs the parts of the leader until the signal aborts, and waits until they have stopped. An abort by anything but the
   * stop of the run is a lost lease, which ends the run.
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
   * Stops everything in order, within the time limit.
   *
   * @throws The first failure; or an error that names the parts that have not stopped in time.
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

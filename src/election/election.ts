import type { Random } from "../base/mod.ts";
import type { Lease, Stored } from "../types/mod.ts";
import type { Times } from "./election_times.ts";
import {
  durationMsOf,
  heldLease,
  holderOf,
  type LeaseBody,
  type LeaseMetadata,
  recordOf,
  releasedLease,
  transitionsOf,
} from "./lease_record.ts";

/** The next action on the Lease. */
export type LeaseStep =
  | { readonly kind: "wait"; readonly untilMs: number }
  | { readonly kind: "read" }
  | { readonly kind: "create"; readonly lease: LeaseBody }
  | { readonly kind: "update"; readonly lease: LeaseBody }
  /** The lease is lost or released. */
  | { readonly kind: "done" };

/**
 * The kind of a failure:
 *
 * - `conflict`: the server refused the write, because the Lease has changed since it was read.
 * - `forbidden`: the server refused the request, because a right is missing.
 * - `final`: the client is closed, so no request can succeed any more.
 * - `unknown`: any other failure. The server may have carried the write out, or may still do so.
 */
export type LeaseFailure = "conflict" | "forbidden" | "final" | "unknown";

/** The settings of an {@linkcode Election}. */
export interface ElectionSettings extends Times {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly random: Random;
  /** Whether the Lease is taken from its holder. Default false. */
  readonly takeOver?: boolean;
  /** Returns the labels and annotations of the Lease. Called before each write. */
  readonly metadata?: () => LeaseMetadata;
}

/** The Lease as it was last seen. */
interface Observed {
  /** Undefined if the Lease does not exist. */
  readonly lease: Stored<Lease> | undefined;
  readonly record: string;
  readonly holder: string;
  /** Whether the lease may be taken at once. */
  readonly isFree: boolean;
  readonly durationMs: number;
  /** When the record was first seen like this, on this process's own clock. */
  readonly atMs: number;
}

type Phase = "candidate" | "leader" | "releasing" | "lost" | "done";

/** Standbys read the Lease a little more often than once per retry period, so that they take a released lease within one. */
const MIN_JITTER = 0.75;
const MAX_JITTER = 0.95;

/** Immediate reads after refused writes: the Lease may have been changed, deleted and created again. Later reads wait. */
const EAGER_READS = 2;

/**
 * The synchronous core of leader election: decides the next action on one Lease from its observed state and the time.
 * It has no promise, no timer and no clock. Its owner calls {@linkcode Election.step} just before it carries the step out,
 * and then one of `observed`, `written` and `failed`. There is one request at a time.
 *
 * No two processes hold the lease at the same time, if no clock runs faster than another by more than the ratio of
 * `leaseDurationMs` and `renewDeadlineMs`:
 *
 * - A process holds the lease until `renewDeadlineMs` after it *sent* its last successful write. The server carried the
 *   write out later, so other processes saw it later.
 * - Another process takes a held lease only if it has seen no change of the record for the duration in the record, by its
 *   own clock. It counts from the answer to its read, which is after the write.
 * - The write that takes the lease is an update with the resource version that was read. If the holder wrote in between,
 *   or a write of the holder arrives late, the server refuses one of the two.
 * - With `takeOver`, a process takes a held lease at once, and leads only after the duration in the record: the holder
 *   cannot renew the lease any more, so it has stopped by then.
 * - No process compares the times in the record with a clock.
 * - A Lease that was deleted while it was held is not created again before the same time has passed. A process that has
 *   never seen the Lease creates it at once, as in client-go.
 */
export class Election {
  readonly #settings: ElectionSettings;
  #phase: Phase = "candidate";
  #observed: Observed | undefined;
  /** Whether the next write may be based on the observed Lease; otherwise the Lease is read first. */
  #isFresh = false;
  /** The number of refused writes that may still be followed by an immediate read. */
  #eagerReads = EAGER_READS;
  #sentMs = 0;
  #dueMs = -Infinity;
  /** The time at which the last successful write was sent. */
  #renewedMs = -Infinity;
  #endMs = Infinity;
  /** The duration of the held lease that a write may have taken over; 0 if there is none. */
  #takenMs = 0;
  /** The time until which the former holder may still act, if the Lease was taken from it. */
  #actsUntilMs = -Infinity;
  /** Whether the record on the server may name this process. */
  #mayHold = false;
  #lossReason = "";
  #slowPaths = 0;

  constructor(settings: ElectionSettings) {
    this.#settings = settings;
  }

  /** Whether the lease is held at `nowMs`. */
  holds(nowMs: number): boolean {
    return this.#phase === "leader" && nowMs >= this.#actsUntilMs && nowMs < this.deadlineMs;
  }

  /** The time at which the holder must have stopped, unless it renews the lease before. */
  get deadlineMs(): number {
    return this.#renewedMs + this.#settings.renewDeadlineMs;
  }

  /** The time until which a holder from which the Lease was taken may still act; -Infinity if there is none. */
  get actsUntilMs(): number {
    return this.#actsUntilMs;
  }

  /** Whether a write may have taken the Lease from its holder, and none has renewed it since. */
  get #isTaking(): boolean {
    return this.#phase === "candidate" && this.#takenMs > 0;
  }

  /** Whether the lease was held and is lost. */
  get isLost(): boolean {
    return this.#phase === "lost";
  }

  /** The reason for the loss; empty if the lease is not lost. */
  get lossReason(): string {
    return this.#lossReason;
  }

  /** The holder, as last observed; empty if the Lease has none, undefined before the first read. */
  get holder(): string | undefined {
    return this.#observed?.holder;
  }

  /** The Lease, as last observed; undefined if it does not exist, or before the first read. */
  get lease(): Stored<Lease> | undefined {
    return this.#observed?.lease;
  }

  /** The number of changes of the holder, as last observed. */
  get transitions(): number {
    const lease = this.#observed?.lease;
    return lease === undefined ? 0 : transitionsOf(lease);
  }

  /** The number of renewals that were refused, so that the Lease had to be read. */
  get slowPaths(): number {
    return this.#slowPaths;
  }

  /** The time at which the lease may be taken from its holder, unless the holder renews it before. */
  get takeableAtMs(): number {
    const observed = this.#observed;
    if (observed === undefined || observed.isFree) return -Infinity;
    return observed.atMs + observed.durationMs;
  }

  /** Loses the lease if the deadline has passed. */
  check(nowMs: number): void {
    if (this.#phase !== "leader" || nowMs < this.deadlineMs) return;
    this.#lose(`it could not be renewed within ${this.#settings.renewDeadlineMs} ms`);
  }

  /** Makes the next renewal or read due at once. */
  makeDue(): void {
    this.#dueMs = -Infinity;
  }

  /** Begins to release the lease, if the record may name this process. Tries for `renewDeadlineMs`. */
  release(nowMs: number): void {
    if (this.#phase === "done" || this.#phase === "releasing") return;
    // The holder from which the Lease was taken may still act. The Lease expires after it has stopped.
    if (!this.#mayHold || nowMs < this.#actsUntilMs || this.#isTaking) {
      this.#phase = "done";
      return;
    }
    this.#isFresh &&= this.#phase === "leader";
    this.#phase = "releasing";
    this.#eagerReads = EAGER_READS;
    this.#dueMs = nowMs;
    this.#endMs = nowMs + this.#settings.renewDeadlineMs;
  }

  /** Returns the action at `nowMs`. The owner must send a request before it does anything else. */
  step(nowMs: number, wallMs: number): LeaseStep {
    this.check(nowMs);
    if (this.#phase === "releasing" && nowMs >= this.#endMs) this.#phase = "done";
    if (this.#phase === "lost" || this.#phase === "done") return { kind: "done" };
    if (nowMs < this.#dueMs) {
      const endMs = this.#phase === "leader" ? this.deadlineMs : this.#endMs;
      return { kind: "wait", untilMs: Math.min(this.#dueMs, endMs) };
    }
    this.#sentMs = nowMs;
    if (!this.#isFresh) return { kind: "read" };
    const lease = this.#observed?.lease;
    if (this.#phase === "releasing") {
      return lease === undefined
        ? this.#end()
        : { kind: "update", lease: releasedLease(lease, wallMs) };
    }
    this.#mayHold = true;
    if (nowMs < this.takeableAtMs) this.#takenMs = this.#observed?.durationMs ?? 0;
    const body = heldLease(lease, {
      ...this.#settings,
      wallMs,
      metadata: this.#settings.metadata?.() ?? {},
    });
    return { kind: lease === undefined ? "create" : "update", lease: body };
  }

  /** Receives the answer to a read; `lease` is undefined if it does not exist. */
  observed(lease: Stored<Lease> | undefined, nowMs: number): void {
    const observed = this.#remember(lease, nowMs);
    const isMine = lease !== undefined && observed.holder === this.#settings.identity;
    this.check(nowMs);
    this.#isFresh = true;
    switch (this.#phase) {
      case "leader":
        // Other processes wait for a whole lease before they create a deleted Lease again, so its holder may create it.
        if (!isMine && lease !== undefined) this.#lose(takenBy(observed.holder));
        return this.#plan(nowMs);
      case "releasing":
        if (!isMine) this.#phase = "done";
        return this.#plan(nowMs);
      case "candidate":
        // Unless the answer of a write was lost, the former holder still has the lease.
        if (!isMine) this.#takenMs = 0;
        this.#isFresh = nowMs >= this.takeableAtMs || this.#settings.takeOver === true;
        if (this.#isFresh) return this.#plan(nowMs);
        return this.#plan(Math.min(this.#nextLookMs(), Math.max(nowMs, this.takeableAtMs)));
    }
  }

  /** Receives the answer to a create or an update: the stored Lease. */
  written(lease: Stored<Lease>, nowMs: number): void {
    const { holder } = this.#remember(lease, nowMs);
    this.check(nowMs);
    if (this.#phase === "releasing") {
      this.#end();
      return;
    }
    if (holder !== this.#settings.identity) return this.failed("conflict", nowMs);
    if (this.#phase === "lost") return;
    const deadlineMs = this.#sentMs + this.#settings.renewDeadlineMs;
    if (nowMs >= deadlineMs) {
      // The answer came so late that another process may take the lease soon. Renew it first.
      this.#isFresh = false;
      return this.#plan(nowMs);
    }
    // From now on, the server refuses the renewals of the former holder, whose last one may have come just before.
    if (this.#isTaking) this.#actsUntilMs = nowMs + this.#takenMs;
    this.#phase = "leader";
    this.#renewedMs = this.#sentMs;
    this.#eagerReads = EAGER_READS;
    this.#isFresh = true;
    this.#plan(Math.max(nowMs, this.#sentMs + this.#settings.retryPeriodMs));
  }

  /** Receives the failure of a request. `cause` is the message of a `final` failure. */
  failed(failure: LeaseFailure, nowMs: number, cause = ""): void {
    this.check(nowMs);
    if (failure === "final" && this.#phase === "leader") return this.#lose(cause);
    // The lease expires by itself. A missing right is not granted while the program stops.
    if (this.#phase === "releasing" && (failure === "final" || failure === "forbidden")) {
      this.#phase = "done";
      return;
    }
    const { retryPeriodMs } = this.#settings;
    const paceMs = Math.max(this.#sentMs + retryPeriodMs, nowMs + retryPeriodMs / 4);
    switch (this.#phase) {
      case "leader":
      case "releasing": {
        if (failure !== "conflict") return this.#plan(paceMs);
        if (this.#phase === "leader" && this.#eagerReads === EAGER_READS) this.#slowPaths++;
        this.#isFresh = false;
        return this.#plan(this.#eagerReads-- > 0 ? nowMs : paceMs);
      }
      case "candidate":
        this.#isFresh = false;
        return this.#plan(Math.max(this.#nextLookMs(), nowMs + retryPeriodMs / 4));
    }
  }

  #plan(dueMs: number): void {
    this.#dueMs = dueMs;
  }

  #nextLookMs(): number {
    const { random, retryPeriodMs } = this.#settings;
    const factor = MIN_JITTER + (MAX_JITTER - MIN_JITTER) * random.next();
    return this.#sentMs + retryPeriodMs * factor;
  }

  #remember(lease: Stored<Lease> | undefined, nowMs: number): Observed {
    const before = this.#observed;
    const record = lease === undefined ? "" : recordOf(lease);
    const isSame = before !== undefined && before.record === record;
    const holder = lease === undefined ? "" : holderOf(lease);
    const { leaseDurationMs, identity } = this.#settings;
    // The holder of a deleted Lease may not know of the deletion yet. A Lease that never existed has no holder.
    const isFree = lease === undefined
      ? before === undefined || (isSame && before.isFree)
      : holder === "" || holder === identity;
    const durationMs = lease === undefined
      ? before?.durationMs ?? leaseDurationMs
      : durationMsOf(lease) ?? leaseDurationMs;
    const atMs = isSame ? before.atMs : nowMs;
    return this.#observed = { lease, record, holder, isFree, durationMs, atMs };
  }

  #lose(reason: string): void {
    this.#phase = "lost";
    this.#lossReason = reason;
  }

  #end(): LeaseStep {
    this.#phase = "done";
    return { kind: "done" };
  }
}

function takenBy(holder: string): string {
  return holder === "" ? "somebody else has released it" : `it is now held by "${holder}"`;
}

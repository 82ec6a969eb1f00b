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

/** What to do next with the Lease. */
export type LeaseStep =
  | { readonly kind: "wait"; readonly untilMs: number }
  | { readonly kind: "read" }
  | { readonly kind: "create"; readonly lease: LeaseBody }
  | { readonly kind: "update"; readonly lease: LeaseBody }
  /** There is nothing left to do: the lease is lost or released. */
  | { readonly kind: "done" };

/**
 * How a request has failed:
 *
 * - `conflict`: the server has refused the write, because the Lease is another one than the write was based on.
 * - `forbidden`: the server has refused the request, for the lack of a right.
 * - `final`: no request can succeed any more, because the client is closed.
 * - `unknown`: all other failures, which leave it open whether the write was or will be carried out.
 */
export type LeaseFailure = "conflict" | "forbidden" | "final" | "unknown";

/** The settings of an {@linkcode Election}. */
export interface ElectionSettings extends Times {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly random: Random;
  /** Returns the labels and annotations of the Lease. It is asked before each write. */
  readonly metadata?: () => LeaseMetadata;
}

/** The Lease as it was last seen. */
interface Observed {
  /** Undefined if it does not exist. */
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

/** Standbys look more often than the retry period, never less often: a released lease is taken within one. */
const MIN_JITTER = 0.75;
const MAX_JITTER = 0.95;

/** A holder finds its Lease changed, then deleted, then created by another: after that it goes on at its pace. */
const EAGER_READS = 2;

/**
 * The part of leader election that decides: what to do next with one Lease, from what was seen of it and from the time.
 * It has no promise, no timer and no clock. Its owner calls {@linkcode Election.step} just before it does what the step
 * says, and then one of `observed`, `written` and `failed`. There is one request at a time.
 *
 * Why no two processes hold the lease at the same time, if no clock runs faster than another by more than the ratio of
 * `leaseDurationMs` and `renewDeadlineMs`:
 *
 * - A process holds the lease until `renewDeadlineMs` after it has *sent* its last successful write. That is before the
 *   server has carried the write out, and so before anybody can have seen it.
 * - Another process takes a held lease only if it has not seen the record change for the duration in the record, on its
 *   own clock. It counts from when the answer came, and that is after the write.
 * - The write that takes the lease is an update with the resource version of what was seen. If the holder has written in
 *   between, or a write of the holder arrives late, one of the two is refused.
 * - Times in the record are written for people. Nobody compares them with a clock.
 * - A Lease that has been deleted while it was held is not created anew before the same time has passed. Only a process
 *   that has never seen it cannot know, as in client-go.
 */
export class Election {
  readonly #settings: ElectionSettings;
  #phase: Phase = "candidate";
  #observed: Observed | undefined;
  /** Whether the next write may be based on what was observed; otherwise the Lease is read first. */
  #isFresh = false;
  /** How many more refusals since the last success are followed by a read at once, and not at the usual pace. */
  #eagerReads = EAGER_READS;
  #sentMs = 0;
  #dueMs = -Infinity;
  /** When the last successful write was sent. */
  #renewedMs = -Infinity;
  #endMs = Infinity;
  /** Whether the record on the server may name this process. */
  #mayHold = false;
  #lossReason = "";
  #slowPaths = 0;

  /** Creates a candidate. */
  constructor(settings: ElectionSettings) {
    this.#settings = settings;
  }

  /** Whether the lease is held at `nowMs`. */
  holds(nowMs: number): boolean {
    return this.#phase === "leader" && nowMs < this.deadlineMs;
  }

  /** When the holder must have stopped, unless the lease is renewed before. */
  get deadlineMs(): number {
    return this.#renewedMs + this.#settings.renewDeadlineMs;
  }

  /** Whether the lease was held, and is so no longer. */
  get isLost(): boolean {
    return this.#phase === "lost";
  }

  /** Why the lease is lost; empty if it is not. */
  get lossReason(): string {
    return this.#lossReason;
  }

  /** The holder in the record that was last seen; empty if there is none, undefined if it was not seen yet. */
  get holder(): string | undefined {
    return this.#observed?.holder;
  }

  /** The Lease, as last seen; undefined if there is none, or it was not read yet. */
  get lease(): Stored<Lease> | undefined {
    return this.#observed?.lease;
  }

  /** The number of changes of the holder, in the record that was last seen. */
  get transitions(): number {
    const lease = this.#observed?.lease;
    return lease === undefined ? 0 : transitionsOf(lease);
  }

  /** How often a renewal was refused, so that the Lease had to be read. */
  get slowPaths(): number {
    return this.#slowPaths;
  }

  /** When the lease can be taken from its holder, unless it is renewed before. */
  get takeableAtMs(): number {
    const observed = this.#observed;
    if (observed === undefined || observed.isFree) return -Infinity;
    return observed.atMs + observed.durationMs;
  }

  /** Notices that the deadline has passed. */
  check(nowMs: number): void {
    if (this.#phase !== "leader" || nowMs < this.deadlineMs) return;
    this.#lose(`it could not be renewed within ${this.#settings.renewDeadlineMs} ms`);
  }

  /** Renews the lease, or looks at it, at the next step. */
  hurry(): void {
    this.#dueMs = -Infinity;
  }

  /** Gives the lease back, if the record names this process, and tries so for `renewDeadlineMs` at most. */
  release(nowMs: number): void {
    if (this.#phase === "done" || this.#phase === "releasing") return;
    if (!this.#mayHold) {
      this.#phase = "done";
      return;
    }
    this.#isFresh &&= this.#phase === "leader";
    this.#phase = "releasing";
    this.#eagerReads = EAGER_READS;
    this.#dueMs = nowMs;
    this.#endMs = nowMs + this.#settings.renewDeadlineMs;
  }

  /** Returns what to do at `nowMs`. If that is a request, the owner must send it before it does anything else. */
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
    const body = heldLease(lease, {
      ...this.#settings,
      wallMs,
      metadata: this.#settings.metadata?.() ?? {},
    });
    return { kind: lease === undefined ? "create" : "update", lease: body };
  }

  /** Takes the answer to a read: the Lease, or undefined if it does not exist. */
  observed(lease: Stored<Lease> | undefined, nowMs: number): void {
    const observed = this.#remember(lease, nowMs);
    const isMine = lease !== undefined && observed.holder === this.#settings.identity;
    this.check(nowMs);
    this.#isFresh = true;
    switch (this.#phase) {
      case "leader":
        // Nobody creates a Lease that has been deleted before its holder's time is up, so the holder may do so.
        if (!isMine && lease !== undefined) this.#lose(takenBy(observed.holder));
        return this.#plan(nowMs);
      case "releasing":
        if (!isMine) this.#phase = "done";
        return this.#plan(nowMs);
      case "candidate":
        this.#isFresh = nowMs >= this.takeableAtMs;
        if (this.#isFresh) return this.#plan(nowMs);
        return this.#plan(Math.min(this.#nextLookMs(), Math.max(nowMs, this.takeableAtMs)));
    }
  }

  /** Takes the answer to a create or an update: the Lease as stored. */
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
      // A candidate's answer came so late that the lease may be another's soon. It is still worth a renewal.
      this.#isFresh = false;
      return this.#plan(nowMs);
    }
    this.#phase = "leader";
    this.#renewedMs = this.#sentMs;
    this.#eagerReads = EAGER_READS;
    this.#isFresh = true;
    this.#plan(Math.max(nowMs, this.#sentMs + this.#settings.retryPeriodMs));
  }

  /** Takes the failure of a request; `cause` says in words why no request can succeed any more. */
  failed(failure: LeaseFailure, nowMs: number, cause = ""): void {
    this.check(nowMs);
    if (failure === "final" && this.#phase === "leader") return this.#lose(cause);
    // Others take the lease when it expires. A right that lacks is not given while the program stops.
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
    // The holder of a Lease that was deleted may not know that yet. One that was never there has none.
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

import {
  abortable,
  type Clock,
  describeError,
  isRecord,
  LinkedAbort,
  TerminalError,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  type Lease,
  Leases,
  type Stored,
} from "../types/mod.ts";
import type { LeaseFailure, LeaseStep } from "./election.ts";
import type { Failures } from "./failures.ts";
import type { ClientDefaults } from "./replica.ts";

/** The methods of a `Client` that an election needs. */
export type LeaseClient = Pick<Client, "get" | "create" | "update">;

/**
 * Returns a client that does not wait for the rate limit of the other requests, or a lease would be lost under load.
 * Returns a stand-in for a client unchanged.
 */
export function unlimited<C extends LeaseClient>(client: C & ClientDefaults): C | Client {
  return client.observed?.({}, { unlimited: true }) ?? client;
}

/** Receives the answers to the requests about one Lease, as {@linkcode Election} does. */
export interface LeaseAnswers {
  observed(lease: Stored<Lease> | undefined, nowMs: number): void;
  written(lease: Stored<Lease>, nowMs: number): void;
  failed(failure: LeaseFailure, nowMs: number, cause?: string): void;
}

/** Makes the requests about the Leases of one namespace. Each has a time limit, even if the client ignores it. */
export class LeaseRequests {
  readonly #client: LeaseClient;
  readonly #namespace: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #failures: Failures;

  constructor(
    client: LeaseClient,
    options: {
      readonly namespace: string;
      readonly clock: Clock;
      readonly timeoutMs: number;
      readonly failures: Failures;
    },
  ) {
    this.#client = client;
    this.#namespace = options.namespace;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
    this.#failures = options.failures;
  }

  /** Carries a step out, and passes the answer to `answers`. `signal` aborts a read, not a write. */
  async make(
    name: string,
    step: Exclude<LeaseStep, { kind: "wait" | "done" }>,
    answers: LeaseAnswers,
    signal?: AbortSignal,
  ): Promise<void> {
    const verb = step.kind === "read" ? "get" : step.kind;
    try {
      if (step.kind === "read") {
        const lease = await this.#read(name, signal);
        this.#failures.clear(verb, name);
        answers.observed(lease, this.#clock.now());
        return;
      }
      const lease = await this.limited((call) =>
        step.kind === "create"
          ? this.#client.create(Leases, step.lease, call)
          : this.#client.update(Leases, step.lease, call)
      );
      this.#failures.clear(verb, name);
      answers.written(requireLease(lease), this.#clock.now());
    } catch (error) {
      if (signal?.aborted) return answers.failed("unknown", this.#clock.now());
      const isRefused = isConflict(error) || isAlreadyExists(error) ||
        (step.kind === "update" && isNotFound(error));
      if (isRefused) this.#failures.clear(verb, name);
      else this.#failures.add(verb, error, name);
      const failure = isRefused ? "conflict" : failureOf(error);
      answers.failed(failure, this.#clock.now(), describeError(error));
    }
  }

  /** Calls `request`. Rejects after the time limit or an abort, even if the request never settles. */
  async limited<R>(
    request: (call: LimitedCall) => Promise<R>,
    signal?: AbortSignal,
  ): Promise<R> {
    const cutOff = new LinkedAbort(signal);
    const timer = this.#clock.setTimer(
      () =>
        cutOff.abort(
          new DOMException(`No answer within ${this.#timeoutMs} ms`, "TimeoutError"),
        ),
      this.#timeoutMs,
    );
    try {
      // The election retries at its own pace: a Retry-After of the server must not make a leader miss its deadline.
      return await abortable(request({ signal: cutOff.signal, maxRetries: 0 }), cutOff.signal);
    } finally {
      timer.cancel();
      cutOff.release();
    }
  }

  async #read(name: string, signal: AbortSignal | undefined): Promise<Stored<Lease> | undefined> {
    try {
      const namespace = this.#namespace;
      return requireLease(
        await this.limited(
          (call) => this.#client.get(Leases, name, { ...call, namespace }),
          signal,
        ),
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** Returns the kind of a failure other than a conflict. */
export function failureOf(error: unknown): Exclude<LeaseFailure, "conflict"> {
  if (TerminalError.is(error)) return "final";
  return isForbidden(error) ? "forbidden" : "unknown";
}

/** Options of a request with a time limit. */
export interface LimitedCall {
  readonly signal: AbortSignal;
  readonly maxRetries: number;
}

function requireLease(lease: Stored<Lease>): Stored<Lease> {
  if (isRecord(lease) && isRecord(lease.metadata)) return lease;
  throw new TypeError("The answer is no Lease: it has no metadata");
}

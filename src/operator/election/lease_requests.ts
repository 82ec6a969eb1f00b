import {
  abortable,
  type Clock,
  describeError,
  isRecord,
  TerminalError,
  withTimeLimit,
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  type Lease,
  Leases,
  type Stored,
} from "../../types/mod.ts";
import type { LeaseFailure, LeaseStep } from "./election.ts";
import type { Failures } from "./failures.ts";
import type { ClientDefaults } from "./place.ts";

/** The requests of a `Client` that elections make. */
export type LeaseClient = Pick<Client, "get" | "create" | "update">;

/**
 * Returns a client whose requests do not stand in line for `qps` behind those of the reconciles: a lease would be lost
 * under load. A stand-in for a client has no such limit.
 */
export function unlimited<C extends LeaseClient>(client: C & ClientDefaults): C | Client {
  return client.observed?.({}, { unlimited: true }) ?? client;
}

/** What an {@linkcode LeaseRequests} tells: {@linkcode Election} is one. */
export interface LeaseAnswers {
  observed(lease: Stored<Lease> | undefined, nowMs: number): void;
  written(lease: Stored<Lease>, nowMs: number): void;
  failed(failure: LeaseFailure, nowMs: number, cause?: string): void;
}

/** The requests about Leases of one namespace. Each is cut off after a time, whatever the client does then. */
export class LeaseRequests {
  readonly #client: LeaseClient;
  readonly #namespace: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #failures: Failures;

  /** Creates requests that take `timeoutMs` at most. */
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

  /** Does what the step says with the Lease `name`, and gives the answer to `answers`. `signal` cuts off a read. */
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

  /** Calls `request`, and rejects when it takes too long or `signal` aborts, even if the request goes on. */
  async limited<R>(
    request: (call: CutOff) => Promise<R>,
    signal?: AbortSignal,
  ): Promise<R> {
    const late = () => `No answer within ${this.#timeoutMs} ms`;
    return await withTimeLimit(
      { clock: this.#clock, signal, limitMs: this.#timeoutMs, late },
      // Retries have their own pace here, and a server that asks to wait must not make a leader miss its deadline.
      (signal) => abortable(request({ signal, maxRetries: 0 }), signal),
    );
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

/** Returns how a request has failed that was not refused because of a conflict. */
export function failureOf(error: unknown): Exclude<LeaseFailure, "conflict"> {
  if (TerminalError.is(error)) return "final";
  return isForbidden(error) ? "forbidden" : "unknown";
}

/** Options of a request that is cut off. */
export interface CutOff {
  readonly signal: AbortSignal;
  readonly maxRetries: number;
}

function requireLease(lease: Stored<Lease>): Stored<Lease> {
  if (isRecord(lease) && isRecord(lease.metadata)) return lease;
  throw new TypeError("The answer is no Lease: it has no metadata");
}

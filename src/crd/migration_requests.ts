import {
  Backoff,
  type BackoffOptions,
  defaultLogger,
  delay,
  type Logger,
  realClock,
  realRandom,
  safeLogger,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  type Cached,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  explainError,
  retryAfterOf,
} from "../types/mod.ts";
import { isFinal, RETRY } from "./temporary_errors.ts";

/** A definition, as the server returned it. */
export type Definition = Cached<CustomResourceDefinition>;

/** Options of a migration. */
export interface MigrationOptions {
  readonly client: Client;
  readonly fieldManager: string;
  readonly signal: AbortSignal;
}

/** Time limit of a request, in milliseconds: a page may need as many conversions as it has objects. */
const REQUEST_MS = 30_000;

/** The number of times that a request is sent before the migration fails: about 40 s. */
const MAX_TRIES = 8;

/** The requests of a migration, each with a few retries. */
export class MigrationRequests {
  readonly client: Client;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Options of all writes. */
  readonly write: {
    readonly fieldManager: string;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  };
  /** Options of all other requests. */
  readonly read: { readonly signal: AbortSignal; readonly timeoutMs: number };

  constructor({ client, fieldManager, signal }: MigrationOptions) {
    this.client = client;
    this.logger = safeLogger(client.environment.logger ?? defaultLogger);
    this.signal = signal;
    this.read = { signal, timeoutMs: REQUEST_MS };
    this.write = { ...this.read, fieldManager };
  }

  /** Returns the present state of a definition. */
  definition(name: string): Promise<Definition> {
    return this.attempt(
      `get customresourcedefinitions ${name}`,
      () => this.client.get(CustomResourceDefinitions, name, this.read),
    );
  }

  /**
   * Sends a request until it succeeds.
   *
   * @param what The verb and the resource, for errors.
   * @throws {RefusedError} If a retry would fail too.
   * @throws {Error} If the request failed too often.
   */
  async attempt<R>(what: string, run: () => Promise<R>): Promise<R> {
    const delays = this.delays(RETRY);
    for (let tries = 1;; tries++) {
      try {
        return await run();
      } catch (error) {
        this.signal.throwIfAborted();
        const why = explainError(error);
        if (isFinal(error)) {
          throw new RefusedError(`cannot ${what}: ${why}`, { cause: error });
        }
        if (tries >= MAX_TRIES) {
          throw new Error(`cannot ${what}, after ${tries} attempts: ${why}`, { cause: error });
        }
        this.logger.debug(`A migration cannot ${what}, and tries again: ${why}`);
        await this.pause(Math.max(delays.step(), retryAfterOf(error)));
      }
    }
  }

  delays(options: BackoffOptions): Backoff {
    return new Backoff(options, this.client.environment.random ?? realRandom);
  }

  /** The time, in milliseconds, for differences only. */
  now(): number {
    return (this.client.environment.clock ?? realClock).now();
  }

  async pause(delayMs: number): Promise<void> {
    const { clock = realClock } = this.client.environment;
    await delay(delayMs, { clock, signal: this.signal });
  }
}

/** The error for a request that the server refuses for good. */
export class RefusedError extends Error {}

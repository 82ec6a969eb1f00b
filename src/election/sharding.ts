import {
  describeError,
  type Environment,
  type Gauge,
  isCount,
  isSignal,
  onAbort,
  requireMethods,
  requireOptions,
  requireSync,
  type Timer,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { isConflict, isNotFound, type Lease, Leases, type Stored } from "../types/mod.ts";
import { Alarm } from "./alarm.ts";
import type { ElectionTimes } from "./election_times.ts";
import { Failures } from "./failures.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import type { LeaseFailure } from "./election.ts";
import { failureOf, type LeaseClient, LeaseRequests, unlimited } from "./lease_requests.ts";
import { type ClientDefaults, type Replica, REPLICA_CHECKS, replicaOf } from "./replica.ts";
import { shardOf } from "./shard_of.ts";
import { MAX_SHARDS } from "./shard_table.ts";
import { SHARDING_LABEL, ShardingCore, type ShardingStep } from "./sharding_core.ts";

/** The methods of a `Client` that {@linkcode Sharding} needs. */
export type ShardingClient = LeaseClient & Pick<Client, "list" | "delete">;

/** Options of a {@linkcode Sharding}. Missing fields of the environment are inherited from the client. */
export interface ShardingOptions extends Environment, ElectionTimes {
  /** The name of the sharding, and the prefix of the names of its Leases. At most 63 characters, because it is a label. */
  readonly name: string;
  /** The namespace of the Leases. Default: the namespace of the client. */
  readonly namespace?: string | undefined;
  /** The name of this replica in its Lease. Default: the name of the sharding and a random UUID. */
  readonly identity?: string | undefined;
  /**
   * The number of shards, and so the maximum number of replicas that have work. All replicas must use the same number: a
   * replica with another number waits until the others have stopped. Default 16.
   */
  readonly shards?: number | undefined;
}

/** Callbacks for the shards of this replica. */
export interface ShardHandler {
  /** Called when this replica has acquired a shard: work on its keys may begin. */
  acquired(shard: number): void;
  /**
   * Called before a shard is handed over. {@linkcode Sharding.owns} returns false for its keys from now on, so that no new
   * work begins. The promise must resolve when the running work has ended. If it rejects, `drain` is called again after
   * `retryPeriodMs`.
   */
  drain(shard: number): Promise<void>;
  /** Called when a shard was lost. Its signal has aborted, so that running work stops at once. */
  lost(shard: number): void;
}

/** Options of {@linkcode Sharding.run}. */
export interface ShardingRunOptions {
  /** Stops taking part: all shards are drained and released. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends `run` at once, without draining and releasing shards, whose Lease expires by itself. For a program whose work
   * does not stop. Default: `run` waits for the drain without a time limit.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** The state of a {@linkcode Sharding}. */
export interface ShardingSnapshot {
  /** The name of this replica. */
  readonly identity: string;
  /** The shards that this replica owns. */
  readonly owned: readonly number[];
  /** The shards that this replica is draining. */
  readonly draining: readonly number[];
  /** The number of replicas that share the shards, as last read. */
  readonly members: number;
  /** The number of failed requests. */
  readonly failures: number;
  /** The reason why this replica has no shards; undefined if it has some, or if the reason is unknown. */
  readonly whyNoShards: string | undefined;
}

/** The time after which a running drain is logged, in milliseconds: less than the grace period of a Pod. */
const HUNG_MS = 20_000;

/** A shard of this replica. */
interface Owned {
  readonly abort: AbortController;
  /** Retries a failed drain, or logs a slow one. */
  timer?: Timer;
  /** Whether a failed drain was logged. */
  hasFailed?: boolean;
}

/**
 * Spreads keys over replicas. Each key belongs to one of `shards` shards ({@linkcode shardOf}), and each shard has at most
 * one owner.
 *
 * - Shards are spread evenly: two replicas differ by at most one shard. A replica that joins gets its share, and no other
 *   shards move.
 * - Handover is graceful: the owner stops dispatching the keys of the shard, waits for the running work, and then frees
 *   the shard. A replica that waits for shards reads the Leases every quarter of `retryPeriodMs`.
 * - After a crash, other replicas take the shards after `leaseDurationMs` and one or two reads.
 * - A shard never has two owners: `renewDeadlineMs` after the last successful renewal was sent, {@linkcode Sharding.owns}
 *   returns false and the signals abort. It assumes the same of clocks as `LeaderElector`.
 * - A replica that lost its Lease, for example because it was suspended, joins again by itself.
 *
 * Each replica renews a Lease `NAME-member-TOKEN`. The annotation `kubeloop/shards` of the Lease `NAME-shards` holds the
 * owners; it is written when they change. So each replica makes two requests per `retryPeriodMs`, whatever the number of
 * shards.
 *
 * The metric `kubeloop_shards_owned{name}` is the number of owned shards. The client needs the verbs `get`, `list`,
 * `create`, `update` and `delete` on `leases` of `coordination.k8s.io` in the namespace.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { Sharding } from "@kubeloop/controller/election";
 * import { ApiServer, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 *
 * const sharding = new Sharding(client, { name: "widgets", namespace: "default", shards: 4 });
 * const stop = new AbortController();
 * const running = sharding.run({
 *   acquired: () => {}, // list the objects of the shard again, and reconcile them
 *   drain: () => Promise.resolve(), // wait until the running reconciles of the shard have ended
 *   lost: () => {},
 * }, { signal: stop.signal });
 *
 * await clock.advance(1_000);
 * assertEquals(sharding.owns("default/web"), true);
 * stop.abort();
 * await clock.run(running);
 * assertEquals(sharding.owns("default/web"), false);
 * ```
 */
export class Sharding {
  /** The name of this replica. */
  readonly identity: string;
  /** The number of shards. */
  readonly shards: number;
  readonly #client: ShardingClient;
  readonly #replica: Replica;
  readonly #failures: Failures;
  readonly #requests: LeaseRequests;
  readonly #alarm: Alarm;
  readonly #ownedGauge: Gauge;
  readonly #owned = new Map<number, Owned>();
  #core: ShardingCore | undefined;
  #deadline: Timer | undefined;
  #loggedObstacle: string | undefined;

  /**
   * Creates a sharding. It makes no request before {@linkcode Sharding.run}.
   *
   * @param client The client that reads and writes the Leases.
   * @param options The name, the number of shards, and the times.
   * @throws {TypeError} If the name is missing or too long, or there is no namespace.
   * @throws {RangeError} If the number of shards is not from 1 to 1024, or the times do not fit together.
   */
  constructor(client: ShardingClient & ClientDefaults, options: ShardingOptions) {
    requireOptions<ShardingOptions>("Sharding", options, { ...REPLICA_CHECKS, shards: isCount(1) });
    const methods = ["get", "list", "create", "update", "delete"];
    this.#replica = replicaOf("Sharding", client, options, methods);
    const { identity, name, namespace, clock, logger, metrics, renewDeadlineMs } = this.#replica;
    if (name.length > 63) {
      throw new TypeError(
        `The name of a Sharding is a label, so it has at most 63 characters: received ${name.length}`,
      );
    }
    const { shards = 16 } = options;
    if (shards > MAX_SHARDS) {
      throw new RangeError(`shards must be at most ${MAX_SHARDS}: received ${shards}`);
    }
    this.#client = unlimited<ShardingClient>(client);
    this.identity = identity;
    this.shards = shards;
    this.#failures = new Failures(name, namespace, logger);
    this.#requests = new LeaseRequests(this.#client, {
      namespace,
      clock,
      // Two consecutive requests must each have time for a second try before the deadline.
      timeoutMs: renewDeadlineMs / 4,
      failures: this.#failures,
    });
    this.#alarm = new Alarm(clock);
    this.#ownedGauge = metrics.gauge("kubeloop_shards_owned", { name });
    this.#ownedGauge.set(0);
  }

  /**
   * Returns the shard of a key.
   *
   * @param key The key, as in `namespace/name`.
   * @returns The number of the shard, from 0.
   */
  shardOf(key: string): number {
    return shardOf(key, this.shards);
  }

  /**
   * Reports whether this replica may begin work on a key now.
   *
   * @param key The key, as in `namespace/name`.
   * @returns False also while the shard of the key is draining.
   */
  owns(key: string): boolean {
    this.#check();
    return this.#core?.owns(this.shardOf(key), this.#replica.clock.now()) === true;
  }

  /**
   * Returns the signal for work on a key. It aborts before another replica can own the shard of the key.
   *
   * @param key The key, as in `namespace/name`.
   * @returns The signal, also while the shard is draining; undefined if this replica does not hold the shard.
   */
  signalOf(key: string): AbortSignal | undefined {
    this.#check();
    const shard = this.shardOf(key);
    if (this.#core?.holds(shard, this.#replica.clock.now()) !== true) return undefined;
    return this.#owned.get(shard)?.abort.signal;
  }

  /**
   * Takes part until `options.signal` aborts. Then all shards are drained and released, and `run` resolves. It tries to
   * release them for `renewDeadlineMs`. No timer or request is left then.
   *
   * @param handler Called when shards are acquired, drained or lost. Its errors are logged.
   * @param options The signal that stops the sharding.
   * @throws {Error} If the sharding is running already.
   * @throws {TerminalError} If the client is closed. The shards are lost then.
   * @throws {TypeError} If the handler lacks a method.
   */
  async run(handler: ShardHandler, options: ShardingRunOptions = {}): Promise<void> {
    requireMethods("a handler of shards", handler, "acquired", "drain", "lost");
    requireOptions<ShardingRunOptions>("run()", options, { signal: isSignal, abandon: isSignal });
    const { name, clock } = this.#replica;
    if (this.#core !== undefined) {
      throw new Error(`The Sharding "${name}" is running: await its first run`);
    }
    const core = this.#core = this.#newCore(handler);
    const { signal, abandon } = options;
    const releases = [
      onAbort(signal, () => {
        core.stop(clock.now());
        this.#alarm.ring();
      }),
      onAbort(abandon, () => this.#alarm.ring()),
    ];
    try {
      while (abandon?.aborted !== true && this.#failures.final === undefined) {
        if (!await this.#step(core)) break;
      }
      const { final } = this.#failures;
      if (final !== undefined) {
        core.fail(final.message);
        throw final;
      }
    } finally {
      for (const release of releases) release();
      this.#deadline?.cancel();
      this.#core = undefined;
      for (const shard of [...this.#owned.keys()]) this.#forget(shard);
    }
  }

  /**
   * Returns the state of the sharding.
   *
   * @returns A copy of the state.
   */
  snapshot(): ShardingSnapshot {
    this.#check();
    const nowMs = this.#replica.clock.now();
    const core = this.#core;
    const shards = [...core?.shards ?? []];
    const of = (ownership: string) =>
      shards.filter(([, is]) => is === ownership).map(([shard]) => shard).sort((a, b) => a - b);
    const owned = of("owned");
    return {
      identity: this.identity,
      owned,
      draining: of("draining"),
      members: core?.members(nowMs) ?? 0,
      failures: this.#failures.count,
      whyNoShards: owned.length > 0
        ? undefined
        : core === undefined
        ? "it is not running"
        : this.#failures.current ?? core.obstacle,
    };
  }

  #newCore(handler: ShardHandler): ShardingCore {
    const { identity, name, namespace, logger } = this.#replica;
    return new ShardingCore({ ...this.#replica, shards: this.shards }, {
      acquired: (shard) => {
        logger.info(`${name}: shard ${shard} is now of ${identity}`);
        this.#owned.set(shard, { abort: new AbortController() });
        this.#ownedGauge.set(this.#owned.size);
        this.#notify(() => handler.acquired(shard));
      },
      drain: (shard) => void this.#drain(handler, shard),
      lost: (shard, reason) => {
        const error = new LeadershipLostError(
          `${namespace}/${name}-shards, shard ${shard}`,
          reason,
        );
        logger.error(`${name}: ${error.message}`);
        const owned = this.#owned.get(shard);
        this.#forget(shard);
        owned?.abort.abort(error);
        this.#notify(() => handler.lost(shard));
      },
    });
  }

  async #drain(handler: ShardHandler, shard: number): Promise<void> {
    const { name, clock, logger } = this.#replica;
    const owned = this.#owned.get(shard);
    if (owned === undefined) return;
    owned.timer = clock.setTimer(
      () => logger.warn(`${name}: shard ${shard} is not drained within ${HUNG_MS} ms`),
      HUNG_MS,
    );
    try {
      await handler.drain(shard);
    } catch (error) {
      if (this.#owned.get(shard) !== owned) return;
      if (!owned.hasFailed) {
        owned.hasFailed = true;
        logger.error(
          `${name}: shard ${shard} could not be drained: ${describeError(error)}; ` +
            "it is tried again, and not logged again",
        );
      }
      owned.timer.cancel();
      owned.timer = clock.setTimer(
        () => void this.#drain(handler, shard),
        this.#replica.retryPeriodMs,
      );
      return;
    }
    // The shard may have been lost meanwhile, and even acquired again.
    if (this.#owned.get(shard) !== owned) return;
    this.#forget(shard);
    this.#core?.drained(shard, clock.now());
    this.#alarm.ring();
  }

  #forget(shard: number): void {
    this.#owned.get(shard)?.timer?.cancel();
    this.#owned.delete(shard);
    this.#ownedGauge.set(this.#owned.size);
  }

  #notify(call: () => unknown): void {
    try {
      requireSync("the handler of shards", call());
    } catch (error) {
      const { name, logger } = this.#replica;
      logger.error(`${name}: the handler of shards has failed: ${describeError(error)}`);
    }
  }

  /** Takes one step. Returns false after the last one. */
  async #step(core: ShardingCore): Promise<boolean> {
    const { clock } = this.#replica;
    const step = core.step(clock.now(), clock.wallNow());
    if (step.kind === "done") return false;
    if (step.kind === "wait") await this.#alarm.sleep(step.untilMs);
    else await this.#request(core, step);
    this.#check();
    this.#armDeadline(core);
    this.#logObstacle(core.obstacle);
    return true;
  }

  async #request(
    core: ShardingCore,
    step: Exclude<ShardingStep, { kind: "wait" | "done" }>,
  ): Promise<void> {
    const { clock } = this.#replica;
    if (step.kind === "lease") {
      await this.#requests.make(step.name, step.step, step.answers);
    } else if (step.kind === "list") {
      const leases = await this.#list();
      if (leases === undefined) core.listFailed(clock.now());
      else core.listed(leases, clock.now());
    } else {
      const failure = await this.#delete(step.lease);
      if (failure === undefined) core.deleted(step.lease);
      else core.deleteFailed(step.lease, failure, clock.now());
    }
  }

  async #list(): Promise<readonly Stored<Lease>[] | undefined> {
    const { name, namespace } = this.#replica;
    const labelSelector = `${SHARDING_LABEL}=${name}`;
    try {
      const { items } = await this.#requests.limited((call) =>
        this.#client.list(Leases, { ...call, namespace, labelSelector })
      );
      this.#failures.clear("list");
      return items;
    } catch (error) {
      this.#failures.add("list", error);
      return undefined;
    }
  }

  async #delete({ metadata }: Stored<Lease>): Promise<LeaseFailure | undefined> {
    const { name, uid, resourceVersion } = metadata;
    const { namespace } = this.#replica;
    const preconditions = { uid, resourceVersion };
    try {
      await this.#requests.limited((call) =>
        this.#client.delete(Leases, name, { ...call, namespace, preconditions })
      );
    } catch (error) {
      // Another replica may have been faster.
      if (!isConflict(error) && !isNotFound(error)) {
        this.#failures.add("delete", error, name);
        return failureOf(error);
      }
    }
    this.#failures.clear("delete", name);
    return undefined;
  }

  #check(): void {
    this.#core?.check(this.#replica.clock.now());
  }

  #armDeadline(core: ShardingCore): void {
    this.#deadline?.cancel();
    if (core.shards.size === 0) return;
    const { clock } = this.#replica;
    this.#deadline = clock.setTimer(() => this.#check(), core.deadlineMs - clock.now());
  }

  #logObstacle(obstacle: string | undefined): void {
    if (obstacle === this.#loggedObstacle) return;
    this.#loggedObstacle = obstacle;
    const { name, logger } = this.#replica;
    if (obstacle !== undefined) logger.warn(`${name}: ${obstacle}`);
  }
}

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
import { type ElectionTimes, requireTimes, type Times, TIMES_CHECKS } from "./election_times.ts";
import { Failures } from "./failures.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import type { LeaseFailure } from "./election.ts";
import { failureOf, type LeaseClient, LeaseRequests, unlimited } from "./lease_requests.ts";
import { type ClientDefaults, type Place, PLACE_CHECKS, placeOf } from "./place.ts";
import { shardOf } from "./shard_of.ts";
import { MAX_SHARDS } from "./shard_table.ts";
import { SHARDING_LABEL, ShardingCore, type ShardingStep } from "./sharding_core.ts";

/** The requests of a `Client` that {@linkcode Sharding} makes. */
export type ShardingClient = LeaseClient & Pick<Client, "list" | "delete">;

/** Options of a {@linkcode Sharding}. Missing fields of the environment are inherited from the client. */
export interface ShardingOptions extends Environment, ElectionTimes {
  /** The name of the sharding, which begins the names of its Leases. At most 63 characters, as for a label. */
  readonly name: string;
  /** The namespace of the Leases. Default: the namespace of the client. */
  readonly namespace?: string | undefined;
  /** The name of this replica, as people see it in its Lease. Default: the name and a random UUID. */
  readonly identity?: string | undefined;
  /**
   * The number of shards, which is the largest number of replicas that can work. All replicas must use the same: those
   * with another number wait until the others have stopped. Default 16.
   */
  readonly shards?: number | undefined;
}

/** What a user of {@linkcode Sharding} does with its shards. */
export interface ShardHandler {
  /** Called when a shard has become this replica's: its keys may be worked on. */
  acquired(shard: number): void;
  /**
   * Called when a shard is to be handed over: nothing new may begin for its keys, which {@linkcode Sharding.owns} denies
   * from now on. Resolves when what runs has ended. If it rejects, it is called again after `retryPeriodMs`.
   */
  drain(shard: number): Promise<void>;
  /** Called when a shard was lost. Its signal has aborted: what runs must stop at once. */
  lost(shard: number): void;
}

/** Options of {@linkcode Sharding.run}. */
export interface ShardingRunOptions {
  /** Drains and gives back all shards. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends `run` at once, without waiting for the drain and without giving shards back: their Leases run out by themselves.
   * For a program whose work does not stop. Default: `run` waits for the drain, however long that takes.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** The state of a {@linkcode Sharding}. */
export interface ShardingSnapshot {
  /** The name of this replica. */
  readonly identity: string;
  /** The shards that this replica owns. */
  readonly owned: readonly number[];
  /** The shards that this replica is about to hand over. */
  readonly draining: readonly number[];
  /** The number of replicas that take shards, as last seen. */
  readonly members: number;
  /** The number of failed requests. */
  readonly failures: number;
  /** Why this replica has no shards, as far as that is known; undefined if it has some. */
  readonly whyNoShards: string | undefined;
}

/** How long a drain may take before the log says so, in milliseconds: less than a kubelet waits for a process. */
const HUNG_MS = 20_000;

/** A shard of this replica, from when it was acquired. */
interface Owned {
  readonly abort: AbortController;
  /** Tries to drain it again, or logs that a drain does not end. */
  timer?: Timer;
  /** Whether the log says that it could not be drained. */
  hasFailed?: boolean;
}

/**
 * Spreads keys over replicas: each key is in one of `shards` shards ({@linkcode shardOf}), and each shard has one owner
 * at most.
 *
 * - Shards are spread evenly: two replicas differ by one shard at most. A replica that joins gets its share, and no more
 *   shards move than that needs.
 * - A shard is handed over in peace: its owner stops to hand out its keys, waits until what runs has ended, and frees it.
 *   The new owner looks every quarter of `retryPeriodMs` while it expects shards.
 * - After a crash, the shards of the replica are taken after `leaseDurationMs` and one or two looks.
 * - Never two owners: {@linkcode Sharding.owns} is false, and the signals abort, `renewDeadlineMs` after the last
 *   successful renewal was sent, as with `LeaderElector`, under the same assumptions about clocks.
 * - A replica that has lost its Lease, for example because it was suspended, joins again by itself.
 *
 * Each replica has a Lease `NAME-member-TOKEN`, which it renews. Who owns what is in the annotation `kubeloop/shards` of
 * the Lease `NAME-shards`, which is written when that changes. So each replica makes two requests in `retryPeriodMs`,
 * whatever the number of shards.
 *
 * The metric `kubeloop_shards_owned{name}` is the number of owned shards. The needed rights are `get`, `list`, `create`,
 * `update` and `delete` on `leases` of `coordination.k8s.io`, in the namespace.
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
  readonly #place: Place;
  readonly #times: Times;
  readonly #failures: Failures;
  readonly #requests: LeaseRequests;
  readonly #alarm: Alarm;
  readonly #ownedGauge: Gauge;
  readonly #owned = new Map<number, Owned>();
  #core: ShardingCore | undefined;
  #deadline: Timer | undefined;
  #loggedObstacle: string | undefined;

  /**
   * Creates a sharding, which makes no request until it is run.
   *
   * @param client The client that reads and writes the Leases.
   * @param options The name, the number of shards, and the times.
   * @throws {TypeError} If the name is missing or too long, or there is no namespace.
   * @throws {RangeError} If the number of shards is not from 1 to 1024, or the times do not fit together.
   */
  constructor(client: ShardingClient & ClientDefaults, options: ShardingOptions) {
    requireOptions<ShardingOptions>("Sharding", options, {
      ...PLACE_CHECKS,
      ...TIMES_CHECKS,
      shards: isCount(1),
    });
    const methods = ["get", "list", "create", "update", "delete"];
    this.#place = placeOf("Sharding", client, options, methods);
    const { name, namespace, clock, logger, metrics } = this.#place;
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
    this.#times = requireTimes(options);
    this.identity = this.#place.identity;
    this.shards = shards;
    this.#failures = new Failures(name, namespace, logger);
    this.#requests = new LeaseRequests(this.#client, {
      namespace,
      clock,
      // Two requests follow each other, and both must be tried again before the deadline.
      timeoutMs: this.#times.renewDeadlineMs / 4,
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
   * Reports whether work on a key may begin on this replica now.
   *
   * @param key The key, as in `namespace/name`.
   * @returns False also while the shard of the key is drained.
   */
  owns(key: string): boolean {
    this.#check();
    return this.#core?.owns(this.shardOf(key), this.#place.clock.now()) === true;
  }

  /**
   * Returns the signal for work on a key: it aborts before the shard of the key can be another replica's.
   *
   * @param key The key, as in `namespace/name`.
   * @returns The signal; undefined if the shard is not this replica's. While a shard is drained, it has its signal.
   */
  signalOf(key: string): AbortSignal | undefined {
    this.#check();
    const shard = this.shardOf(key);
    if (this.#core?.holds(shard, this.#place.clock.now()) !== true) return undefined;
    return this.#owned.get(shard)?.abort.signal;
  }

  /**
   * Takes part until `options.signal` aborts. Then all shards are drained and given back, and `run` resolves. Giving back
   * is tried for `renewDeadlineMs`. Nothing that was started is left then.
   *
   * @param handler Is told of shards that come and go. An error that it throws is logged.
   * @param options The signal that stops it.
   * @throws {Error} If it is running already.
   * @throws {TerminalError} If the client is closed. The shards are lost then.
   * @throws {TypeError} If the handler lacks a method.
   */
  async run(handler: ShardHandler, options: ShardingRunOptions = {}): Promise<void> {
    requireMethods("a handler of shards", handler, "acquired", "drain", "lost");
    requireOptions<ShardingRunOptions>("run()", options, { signal: isSignal, abandon: isSignal });
    const { name, clock } = this.#place;
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
    const nowMs = this.#place.clock.now();
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
    const { name, namespace, random, logger } = this.#place;
    const { identity, shards } = this;
    const settings = { ...this.#times, name, namespace, identity, shards, random };
    return new ShardingCore(settings, {
      acquired: (shard) => {
        logger.info(`${name}: shard ${shard} is now of ${identity}`);
        this.#owned.set(shard, { abort: new AbortController() });
        this.#ownedGauge.set(this.#owned.size);
        this.#tell(() => handler.acquired(shard));
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
        this.#tell(() => handler.lost(shard));
      },
    });
  }

  async #drain(handler: ShardHandler, shard: number): Promise<void> {
    const { name, clock, logger } = this.#place;
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
        this.#times.retryPeriodMs,
      );
      return;
    }
    // It may have been lost in the meantime, and even acquired again.
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

  #tell(call: () => unknown): void {
    try {
      requireSync("the handler of shards", call());
    } catch (error) {
      const { name, logger } = this.#place;
      logger.error(`${name}: the handler of shards has failed: ${describeError(error)}`);
    }
  }

  /** Takes one step. Returns whether there is another one. */
  async #step(core: ShardingCore): Promise<boolean> {
    const { clock } = this.#place;
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
    const { clock } = this.#place;
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
    const { name, namespace } = this.#place;
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
    const { namespace } = this.#place;
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
    this.#core?.check(this.#place.clock.now());
  }

  #armDeadline(core: ShardingCore): void {
    this.#deadline?.cancel();
    if (core.shards.size === 0) return;
    const { clock } = this.#place;
    this.#deadline = clock.setTimer(() => this.#check(), core.deadlineMs - clock.now());
  }

  #logObstacle(obstacle: string | undefined): void {
    if (obstacle === this.#loggedObstacle) return;
    this.#loggedObstacle = obstacle;
    const { name, logger } = this.#place;
    if (obstacle !== undefined) logger.warn(`${name}: ${obstacle}`);
  }
}

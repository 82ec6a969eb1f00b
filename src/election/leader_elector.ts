import {
  type Counter,
  type Environment,
  type Gauge,
  isFlag,
  isSignal,
  onAbort,
  requireFunctions,
  requireOptions,
  type Timer,
} from "../base/mod.ts";
import { Alarm } from "./alarm.ts";
import { Election } from "./election.ts";
import type { ElectionTimes } from "./election_times.ts";
import { Failures } from "./failures.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import { type LeaseClient, LeaseRequests, unlimited } from "./lease_requests.ts";
import { type ClientDefaults, type Replica, REPLICA_CHECKS, replicaOf } from "./replica.ts";
import { Term } from "./term.ts";

/** Options of a {@linkcode LeaderElector}. Missing fields of the environment are inherited from the client. */
export interface LeaderElectionOptions extends Environment, ElectionTimes {
  /** The name of the Lease, and the label of the metrics. All replicas of a program use the same name. */
  readonly name: string;
  /** The namespace of the Lease. Default: the namespace of the client. */
  readonly namespace?: string | undefined;
  /**
   * The name of this replica in the Lease. Two replicas that run at the same time must have different names. Default:
   * the name of the Lease and a random UUID.
   */
  readonly identity?: string | undefined;
  /**
   * Whether to take the Lease from its holder, instead of waiting for it: for a developer whose program replaces the one in
   * the cluster for a while. The holder notices it at its next renewal. This replica leads when the holder must have
   * stopped: `leaseDurationMs` of the holder later. Default false.
   */
  readonly takeOver?: boolean | undefined;
}

/** The state of a {@linkcode LeaderElector}. */
export interface LeaderElectionSnapshot {
  /** The name of this replica in the Lease. */
  readonly identity: string;
  /** Whether this replica leads. */
  readonly isLeader: boolean;
  /** The holder of the Lease, as last read; undefined if there is none. */
  readonly leader: string | undefined;
  /** The number of changes of the holder. */
  readonly transitions: number;
  /** The number of failed requests, excluding writes refused because another replica was faster. */
  readonly failures: number;
  /** Why this replica does not lead; undefined if it does. */
  readonly whyNotLeader: string | undefined;
}

/** The work of the leader. It runs until its signal aborts, and its promise settles when all of the work has stopped. */
export type Lead = (signal: AbortSignal) => Promise<void> | void;

/** Options of {@linkcode LeaderElector.run}. */
export interface LeaderElectionRunOptions {
  /** Ends the term of the leader, or the wait of a standby. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends `run` at once, without waiting for `lead` and without releasing the Lease, which expires by itself. For a program
   * whose work does not stop. Default: `run` waits for `lead` without a time limit.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** The time after the abort of its signal after which a running `lead` is logged, in milliseconds. */
const HUNG_MS = 60_000;

/**
 * Leader election with a Lease, as in client-go: one of several replicas leads at a time.
 *
 * - The signal of the leader aborts before another replica can take the Lease: `renewDeadlineMs` after the last successful
 *   renewal was *sent*, by the monotonic clock. From then on {@linkcode LeaderElector.isLeader} returns false, even if the
 *   process was suspended and no timer has run.
 * - No clock is compared with another. A standby takes the Lease after `leaseDurationMs` without a change, by its own
 *   clock. Wall clocks may show any time. The rates of two clocks may differ by the ratio of `leaseDurationMs` and
 *   `renewDeadlineMs`. The clock must advance while the process is suspended. The clock of a virtual machine that is
 *   suspended as a whole does not.
 * - The Lease is renewed until the work of the leader has stopped, and then released. A standby leads within
 *   `retryPeriodMs` of the release (client-go: up to 2.2 times as long). After a crash, a standby leads within
 *   `leaseDurationMs` and one `retryPeriodMs`.
 * - A request without an answer is aborted after half of `renewDeadlineMs`. A failure, such as a missing right, is logged
 *   once and retried at the same pace; {@linkcode LeaderElector.whyNotLeader} returns its message.
 * - If the Lease is deleted, its holder creates it again, and standbys that have seen it wait for `leaseDurationMs`. A
 *   replica that has never seen the Lease takes it at once, as with client-go. To move the leader, stop the leader; do not
 *   delete the Lease.
 *
 * Metrics, as in client-go: `leader_election_master_status{name}` and `leader_election_slowpath_total{name}`.
 *
 * The client needs the verbs `get`, `create` and `update` on `leases` of `coordination.k8s.io` in the namespace.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { LeaderElector } from "@kubeloop/controller/election";
 * import { ApiServer, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 *
 * const elector = new LeaderElector(client, { name: "widgets", namespace: "default" });
 * const stop = new AbortController();
 * const events: string[] = [];
 * const running = elector.run(async (signal) => {
 *   events.push("leads");
 *   await new Promise((resolve) => signal.addEventListener("abort", resolve));
 *   events.push("has stopped");
 * }, { signal: stop.signal });
 *
 * await clock.advance(60_000);
 * assertEquals(elector.isLeader(), true);
 * stop.abort();
 * await clock.run(running);
 * assertEquals(events, ["leads", "has stopped"]);
 * assertEquals(elector.leader(), undefined);
 * ```
 */
export class LeaderElector {
  /** The name of this replica in the Lease. */
  readonly identity: string;
  readonly #replica: Replica;
  readonly #takeOver: boolean;
  readonly #failures: Failures;
  readonly #requests: LeaseRequests;
  readonly #alarm: Alarm;
  readonly #masterStatus: Gauge;
  readonly #slowpathTotal: Counter;
  #election: Election | undefined;
  #isRunning = false;
  /** The current term; undefined unless `lead` runs. */
  #term: Term | undefined;
  #deadline: Timer | undefined;
  /** Logs a `lead` that has not settled. */
  #hung: Timer | undefined;
  #slowPaths = 0;
  #loggedLeader: string | undefined;

  /**
   * Creates an elector. It makes no request before {@linkcode LeaderElector.run}.
   *
   * @param client The client that reads and writes the Lease.
   * @param options The name of the Lease, the identity, and the times.
   * @throws {TypeError} If the name is missing, or there is no namespace.
   * @throws {RangeError} If a time is not positive, or `leaseDurationMs > renewDeadlineMs > 1.2 * retryPeriodMs` does not
   * hold, or `leaseDurationMs` is not a whole number of seconds.
   */
  constructor(client: LeaseClient & ClientDefaults, options: LeaderElectionOptions) {
    requireOptions<LeaderElectionOptions>("LeaderElector", options, {
      ...REPLICA_CHECKS,
      takeOver: isFlag,
    });
    this.#replica = replicaOf("LeaderElector", client, options, ["get", "create", "update"]);
    const { identity, name, namespace, clock, logger, metrics, renewDeadlineMs } = this.#replica;
    this.identity = identity;
    this.#takeOver = options.takeOver === true;
    this.#failures = new Failures(name, namespace, logger);
    this.#requests = new LeaseRequests(unlimited(client), {
      namespace,
      clock,
      timeoutMs: renewDeadlineMs / 2,
      failures: this.#failures,
    });
    this.#alarm = new Alarm(clock);
    this.#masterStatus = metrics.gauge("leader_election_master_status", { name });
    this.#slowpathTotal = metrics.counter("leader_election_slowpath_total", { name });
    this.#masterStatus.set(0);
  }

  /**
   * Waits until this replica leads, calls `lead`, and releases the Lease when `lead` has settled.
   *
   * Resolves when `lead` has finished, or after an abort of `options.signal`; in both cases after the Lease is released or
   * its release failed for `renewDeadlineMs`. No timer or request is left then.
   *
   * @param lead Does the work of the leader until its signal aborts. Its promise must settle only after all of the work
   * has stopped: the Lease is renewed until then.
   * @param options The signal that stops the elector. The signal of `lead` aborts with it.
   * @throws {LeadershipLostError} If the Lease was lost while `lead` ran; after `lead` has settled.
   * @throws {Error} If the elector is running already.
   * @throws The error of `lead`, unless it is the reason of the abort.
   */
  async run(lead: Lead, options: LeaderElectionRunOptions = {}): Promise<void> {
    requireFunctions({ lead: lead ?? null });
    requireOptions<LeaderElectionRunOptions>("run()", options, {
      signal: isSignal,
      abandon: isSignal,
    });
    if (this.#isRunning) {
      throw new Error(`The LeaderElector "${this.#replica.name}" is running: await its first run`);
    }
    this.#isRunning = true;
    const { signal, abandon } = options;
    this.#slowPaths = 0;
    const election = this.#election = new Election({
      ...this.#replica,
      takeOver: this.#takeOver,
    });
    const ring = () => this.#alarm.ring();
    const releases = [onAbort(signal, ring), onAbort(abandon, ring)];
    try {
      const term = await this.#elect(election, lead, options);
      if (abandon?.aborted !== true) await this.#release(election, abandon);
      term?.end();
    } finally {
      for (const release of releases) release();
      this.#deadline?.cancel();
      this.#hung?.cancel();
      this.#isRunning = false;
    }
  }

  /**
   * Reports whether this replica leads now. False from the deadline of the last renewal on, and unless `lead` runs.
   *
   * @returns Whether this replica leads.
   */
  isLeader(): boolean {
    this.#check();
    return this.#term !== undefined && this.#election?.holds(this.#replica.clock.now()) === true;
  }

  /**
   * Returns the holder of the Lease, as last read.
   *
   * @returns The identity; undefined if the Lease has no holder, or before the first read.
   */
  leader(): string | undefined {
    return this.#election?.holder || undefined;
  }

  /**
   * Returns the reason why this replica does not lead.
   *
   * @returns A sentence for people; undefined if this replica leads.
   */
  whyNotLeader(): string | undefined {
    if (this.isLeader()) return undefined;
    const election = this.#election;
    if (election?.isLost) return `the lease was lost: ${election.lossReason}`;
    if (election === undefined || !this.#isRunning) return "it is not running";
    const { holder } = election;
    const leftMs = Math.max(0, election.takeableAtMs - this.#replica.clock.now());
    // Failed writes do not matter while another replica holds the Lease and reads succeed.
    const isAnothers = leftMs > 0 && !this.#failures.has("get");
    if (!isAnothers && this.#failures.current !== undefined) return this.#failures.current;
    if (holder === undefined) return "the Lease was not read yet";
    const actsMs = election.actsUntilMs - this.#replica.clock.now();
    if (actsMs > 0) {
      return `the Lease was taken from its holder, which may act for ${Math.ceil(actsMs / 1000)} s`;
    }
    if (leftMs === 0) return "the Lease is about to be taken";
    const who = holder === "" ? "was deleted" : `is held by "${holder}"`;
    return `the Lease ${who}, and can be taken in ${
      Math.ceil(leftMs / 1000)
    } s unless it is renewed`;
  }

  /**
   * Returns the state of the election.
   *
   * @returns A copy of the state.
   */
  snapshot(): LeaderElectionSnapshot {
    return {
      identity: this.identity,
      isLeader: this.isLeader(),
      leader: this.leader(),
      transitions: this.#election?.transitions ?? 0,
      failures: this.#failures.count,
      whyNotLeader: this.whyNotLeader(),
    };
  }

  /** Takes the steps of the election until `lead` has settled, or `signal` aborts before the term begins. */
  async #elect(
    election: Election,
    lead: Lead,
    { signal, abandon }: LeaderElectionRunOptions,
  ): Promise<Term | undefined> {
    let term: Term | undefined;
    while (true) {
      if (abandon?.aborted) return term;
      if (term === undefined && signal?.aborted) return undefined;
      if (term === undefined && election.holds(this.#replica.clock.now())) {
        term = this.#lead(election, lead, signal);
      }
      if (term?.hasSettled) return term;
      if (term === undefined && election.isLost) throw this.#lost(election.lossReason);
      if (term === undefined && this.#failures.final !== undefined) throw this.#failures.final;
      const isEnded = await this.#step(election, term === undefined ? signal : undefined);
      if (isEnded) await this.#alarm.sleep(Infinity);
    }
  }

  /** Releases the Lease; gives up after `renewDeadlineMs`. */
  async #release(election: Election, abandon: AbortSignal | undefined): Promise<void> {
    election.release(this.#replica.clock.now());
    let isDone = false;
    while (!isDone && abandon?.aborted !== true) isDone = await this.#step(election);
    const { final } = this.#failures;
    if (final === undefined || election.isLost) return;
    const { name, logger } = this.#replica;
    logger.warn(`${name}: the lease is not given back, and expires: ${final.message}`);
  }

  /** Takes one step. Returns true after the last one. `signal` aborts a read, but not a write, which may have succeeded. */
  async #step(election: Election, signal?: AbortSignal): Promise<boolean> {
    const { clock, name } = this.#replica;
    const step = election.step(clock.now(), clock.wallNow());
    if (step.kind === "wait") await this.#alarm.sleep(step.untilMs);
    else if (step.kind !== "done") await this.#requests.make(name, step, election, signal);
    this.#report(election);
    this.#check();
    if (this.#term?.isLost === false) this.#armDeadline(election);
    return step.kind === "done";
  }

  #report(election: Election): void {
    if (election.slowPaths > this.#slowPaths) {
      this.#slowpathTotal.inc(election.slowPaths - this.#slowPaths);
      this.#slowPaths = election.slowPaths;
    }
    const leader = this.leader();
    if (leader === this.#loggedLeader) return;
    this.#loggedLeader = leader;
    if (leader !== undefined && leader !== this.identity) {
      this.#replica.logger.info(`${this.#replica.name}: the leader is ${leader}`);
    }
  }

  #lead(election: Election, lead: Lead, stop: AbortSignal | undefined): Term {
    const { name, logger } = this.#replica;
    logger.info(`${name}: ${this.identity} became leader`);
    this.#masterStatus.set(1);
    this.#armDeadline(election);
    const onSettled = () => {
      this.#deadline?.cancel();
      this.#hung?.cancel();
      this.#term = undefined;
      this.#masterStatus.set(0);
      logger.info(`${name}: ${this.identity} stopped leading`);
      this.#alarm.ring();
    };
    const term = this.#term = new Term(lead, { name, logger, stop, onSettled });
    onAbort(term.signal, () => {
      if (!term.hasSettled) {
        this.#hung = this.#replica.clock.setTimer(() => this.#logHung(), HUNG_MS);
      }
    });
    return term;
  }

  #logHung(): void {
    const { name, logger } = this.#replica;
    logger.warn(`${name}: lead() has not ended within ${HUNG_MS} ms after its signal has aborted`);
  }

  /** Ends the term if the Lease is lost. */
  #check(): void {
    const election = this.#election;
    const term = this.#term;
    if (election === undefined || term === undefined || term.isLost) return;
    election.check(this.#replica.clock.now());
    if (!election.isLost) return;
    this.#deadline?.cancel();
    const { name, logger } = this.#replica;
    // The Lease still names this replica, so failed requests are the cause.
    const why = election.holder === this.identity ? this.#failures.current : undefined;
    const reason = why === undefined ? election.lossReason : `${election.lossReason}: ${why}`;
    const error = this.#lost(reason);
    logger.error(`${name}: ${error.message}`);
    this.#masterStatus.set(0);
    term.lose(error);
    this.#alarm.ring();
  }

  #lost(reason: string): LeadershipLostError {
    const { namespace, name } = this.#replica;
    return new LeadershipLostError(`${namespace}/${name}`, reason);
  }

  #armDeadline(election: Election): void {
    this.#deadline?.cancel();
    const { clock } = this.#replica;
    this.#deadline = clock.setTimer(() => this.#check(), election.deadlineMs - clock.now());
  }
}

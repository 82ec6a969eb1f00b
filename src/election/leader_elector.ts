import {
  type Counter,
  type Environment,
  type Gauge,
  isSignal,
  onAbort,
  requireFunctions,
  requireOptions,
  type Timer,
} from "../base/mod.ts";
import { Alarm } from "./alarm.ts";
import { Election } from "./election.ts";
import { type ElectionTimes, requireTimes, type Times, TIMES_CHECKS } from "./election_times.ts";
import { Failures } from "./failures.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import { type LeaseClient, LeaseRequests, unlimited } from "./lease_requests.ts";
import { type ClientDefaults, type Place, PLACE_CHECKS, placeOf } from "./place.ts";
import { Term } from "./term.ts";

/**
 * Options of a {@linkcode LeaderElector}. Missing fields of the environment are inherited from the client.
 */
export interface LeaderElectionOptions extends Environment, ElectionTimes {
  /** The name of the Lease, and the label of the metrics. All replicas of a program use the same. */
  readonly name: string;
  /** The namespace of the Lease. Default: the namespace of the client. */
  readonly namespace?: string | undefined;
  /**
   * The name of this replica in the Lease. No two replicas that run at the same time may have the same. Default: the
   * name of the Lease and a random UUID.
   */
  readonly identity?: string | undefined;
}

/** The state of a {@linkcode LeaderElector}. */
export interface LeaderElectionSnapshot {
  /** The name of this replica in the Lease. */
  readonly identity: string;
  /** Whether this replica leads. */
  readonly isLeader: boolean;
  /** The holder in the Lease, as last seen; undefined if there is none. */
  readonly leader: string | undefined;
  /** How often the Lease has changed its holder. */
  readonly transitions: number;
  /** The number of failed requests, without those that were refused because another was faster. */
  readonly failures: number;
  /** Why this replica does not lead; undefined if it does. */
  readonly whyNotLeader: string | undefined;
}

/** The function that leads: it works until its signal aborts, and its promise settles when all its work has stopped. */
export type Lead = (signal: AbortSignal) => Promise<void> | void;

/** Options of {@linkcode LeaderElector.run}. */
export interface LeaderElectionRunOptions {
  /** Stops leading, or waiting to lead. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends `run` at once, without waiting for `lead` and without giving the Lease back: it runs out by itself. For a program
   * whose work does not stop. Default: `run` waits for `lead`, however long that takes.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** How long `lead` may go on after its signal has aborted before the log says so, in milliseconds. */
const HUNG_MS = 60_000;

/**
 * Leader election with a Lease, as in client-go: of several replicas, one leads at a time.
 *
 * - The signal of the leader aborts before the Lease can be another's: `renewDeadlineMs` after the last successful
 *   renewal was *sent*, by the monotonic clock. {@linkcode LeaderElector.isLeader} is false from then on, even if no
 *   timer has run, because the process was suspended.
 * - No clock is compared with another: a standby takes the Lease when it has not changed for `leaseDurationMs` of its own
 *   clock. Wall clocks may show anything. The rates of two clocks may differ by the ratio of `leaseDurationMs` and
 *   `renewDeadlineMs`. The clock must go on while the process stands still: that of a virtual machine that is suspended
 *   as a whole does not.
 * - The Lease is renewed until the leader's work has stopped, and only then given back. A standby then leads within
 *   `retryPeriodMs` (client-go: up to 2.2 times as long), and after a crash within `leaseDurationMs` and one more
 *   `retryPeriodMs`.
 * - A request that gets no answer is cut off after half of `renewDeadlineMs`. A failure, such as a missing right, is
 *   logged once and tried again at the same pace; {@linkcode LeaderElector.whyNotLeader} says what it is.
 * - If somebody deletes the Lease, its holder creates it again, and standbys that have seen it wait a whole lease. A
 *   replica that starts at that moment, and has never seen it, takes it at once, as with client-go: to move the leader,
 *   do not delete the Lease, but stop the leader.
 *
 * Metrics, as client-go's: `leader_election_master_status{name}` and `leader_election_slowpath_total{name}`.
 *
 * The needed rights are `get`, `create` and `update` on `leases` of `coordination.k8s.io`, in the namespace.
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
  readonly #place: Place;
  readonly #times: Times;
  readonly #failures: Failures;
  readonly #requests: LeaseRequests;
  readonly #alarm: Alarm;
  readonly #masterStatus: Gauge;
  readonly #slowpathTotal: Counter;
  #election: Election | undefined;
  #isRunning = false;
  /** The present term, while its function runs. */
  #term: Term | undefined;
  #deadline: Timer | undefined;
  /** Logs that `lead` has not settled. */
  #hung: Timer | undefined;
  #slowPaths = 0;
  #loggedLeader: string | undefined;

  /**
   * Creates an elector, which makes no request until it is run.
   *
   * @param client The client that reads and writes the Lease.
   * @param options The name of the Lease, the identity, and the times.
   * @throws {TypeError} If the name is missing, or there is no namespace.
   * @throws {RangeError} If a time is not positive, or `leaseDurationMs > renewDeadlineMs > 1.2 * retryPeriodMs` does not
   * hold, or `leaseDurationMs` is not a whole number of seconds.
   */
  constructor(client: LeaseClient & ClientDefaults, options: LeaderElectionOptions) {
    requireOptions<LeaderElectionOptions>("LeaderElector", options, {
      ...PLACE_CHECKS,
      ...TIMES_CHECKS,
    });
    this.#place = placeOf("LeaderElector", client, options, ["get", "create", "update"]);
    this.#times = requireTimes(options);
    const { name, namespace, clock, logger, metrics } = this.#place;
    this.identity = this.#place.identity;
    this.#failures = new Failures(name, namespace, logger);
    this.#requests = new LeaseRequests(unlimited(client), {
      namespace,
      clock,
      timeoutMs: this.#times.renewDeadlineMs / 2,
      failures: this.#failures,
    });
    this.#alarm = new Alarm(clock);
    this.#masterStatus = metrics.gauge("leader_election_master_status", { name });
    this.#slowpathTotal = metrics.counter("leader_election_slowpath_total", { name });
    this.#masterStatus.set(0);
  }

  /**
   * Waits until this replica leads, and calls `lead`. When `lead` has settled, the Lease is given back.
   *
   * Resolves after an abort of `options.signal`, and when `lead` has ended by itself; in both cases after the Lease is
   * given back. Giving back is tried for `renewDeadlineMs`. Nothing that was started is left then.
   *
   * @param lead Does the work of the leader until its signal aborts. Its promise must settle only after all of that work
   * has stopped: until then the Lease is renewed.
   * @param options The signal that stops the elector. The signal of `lead` aborts with it.
   * @throws {LeadershipLostError} If the Lease was lost while `lead` ran, after `lead` has settled.
   * @throws {Error} If it is running already.
   * @throws The error of `lead`, unless it is the reason of the abort.
   */
  async run(lead: Lead, options: LeaderElectionRunOptions = {}): Promise<void> {
    requireFunctions({ lead: lead ?? null });
    requireOptions<LeaderElectionRunOptions>("run()", options, {
      signal: isSignal,
      abandon: isSignal,
    });
    if (this.#isRunning) {
      throw new Error(`The LeaderElector "${this.#place.name}" is running: await its first run`);
    }
    this.#isRunning = true;
    const { signal, abandon } = options;
    const election = this.#election = this.#newElection();
    const ring = () => this.#alarm.ring();
    const releases = [onAbort(signal, ring), onAbort(abandon, ring)];
    try {
      const term = await this.#elect(election, lead, options);
      if (abandon?.aborted !== true) await this.#giveBack(election, abandon);
      term?.end();
    } finally {
      for (const release of releases) release();
      this.#deadline?.cancel();
      this.#hung?.cancel();
      this.#isRunning = false;
    }
  }

  /**
   * Reports whether this replica leads now. It is false as soon as the deadline of the last renewal has passed, and while
   * no `lead` runs.
   *
   * @returns Whether this replica leads.
   */
  isLeader(): boolean {
    this.#check();
    return this.#term !== undefined && this.#election?.holds(this.#place.clock.now()) === true;
  }

  /**
   * Returns the holder of the Lease, as this replica has last seen it.
   *
   * @returns The identity; undefined if nobody holds the Lease, or it was not read yet.
   */
  leader(): string | undefined {
    return this.#election?.holder || undefined;
  }

  /**
   * Returns why this replica does not lead.
   *
   * @returns The reason for people; undefined if it leads.
   */
  whyNotLeader(): string | undefined {
    if (this.isLeader()) return undefined;
    const election = this.#election;
    if (election?.isLost) return `the lease was lost: ${election.lossReason}`;
    if (election === undefined || !this.#isRunning) return "it is not running";
    const { holder } = election;
    const leftMs = Math.max(0, election.takeableAtMs - this.#place.clock.now());
    // Writes that failed are no reason as long as the Lease is another's, and it can be read.
    const isAnothers = leftMs > 0 && !this.#failures.has("get");
    if (!isAnothers && this.#failures.current !== undefined) return this.#failures.current;
    if (holder === undefined) return "the Lease was not read yet";
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

  #newElection(): Election {
    const { name, namespace, random } = this.#place;
    this.#slowPaths = 0;
    return new Election({ ...this.#times, name, namespace, identity: this.identity, random });
  }

  /** Takes the steps of the election until `lead` has settled, or `signal` aborts before it has begun. */
  async #elect(
    election: Election,
    lead: Lead,
    { signal, abandon }: LeaderElectionRunOptions,
  ): Promise<Term | undefined> {
    let term: Term | undefined;
    while (true) {
      if (abandon?.aborted) return term;
      if (term === undefined && signal?.aborted) return undefined;
      if (term === undefined && election.holds(this.#place.clock.now())) {
        term = this.#lead(election, lead, signal);
      }
      if (term?.hasSettled) return term;
      if (term === undefined && this.#failures.final !== undefined) throw this.#failures.final;
      const isEnded = await this.#step(election, term === undefined ? signal : undefined);
      if (isEnded) await this.#alarm.sleep(Infinity);
    }
  }

  /** Gives the Lease back. Ends when that has failed for too long, too. */
  async #giveBack(election: Election, abandon: AbortSignal | undefined): Promise<void> {
    election.release(this.#place.clock.now());
    let isDone = false;
    while (!isDone && abandon?.aborted !== true) isDone = await this.#step(election);
    const { final } = this.#failures;
    if (final === undefined || election.isLost) return;
    const { name, logger } = this.#place;
    logger.warn(`${name}: the lease is not given back, and expires: ${final.message}`);
  }

  /** Takes one step. Returns whether there is none left. `signal` cuts off a read, not a write: that may have worked. */
  async #step(election: Election, signal?: AbortSignal): Promise<boolean> {
    const { clock, name } = this.#place;
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
      this.#place.logger.info(`${this.#place.name}: the leader is ${leader}`);
    }
  }

  #lead(election: Election, lead: Lead, stop: AbortSignal | undefined): Term {
    const { name, logger } = this.#place;
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
      if (!term.hasSettled) this.#hung = this.#place.clock.setTimer(() => this.#logHung(), HUNG_MS);
    });
    return term;
  }

  #logHung(): void {
    const { name, logger } = this.#place;
    logger.warn(`${name}: lead() has not ended within ${HUNG_MS} ms after its signal has aborted`);
  }

  /** Ends the term if the deadline has passed or the Lease is another's. */
  #check(): void {
    const election = this.#election;
    const term = this.#term;
    if (election === undefined || term === undefined || term.isLost) return;
    election.check(this.#place.clock.now());
    if (!election.isLost) return;
    this.#deadline?.cancel();
    const { namespace, name, logger } = this.#place;
    // Why it was not renewed: it is still this replica's.
    const why = election.holder === this.identity ? this.#failures.current : undefined;
    const reason = why === undefined ? election.lossReason : `${election.lossReason}: ${why}`;
    const error = new LeadershipLostError(`${namespace}/${name}`, reason);
    logger.error(`${name}: ${error.message}`);
    this.#masterStatus.set(0);
    term.lose(error);
    this.#alarm.ring();
  }

  #armDeadline(election: Election): void {
    this.#deadline?.cancel();
    const { clock } = this.#place;
    this.#deadline = clock.setTimer(() => this.#check(), election.deadlineMs - clock.now());
  }
}

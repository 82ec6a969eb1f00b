import {
  type Logger,
  parseJson,
  silentLogger,
  stringifyJson,
} from "@kubeloop/controller/internal/base";
import { Client, type ClientOptions } from "@kubeloop/controller/client";
import { type Actors, startActors } from "../../actors/mod.ts";
import { ApiServer, type FaultRequest, type ServerWrite } from "../../api_server/mod.ts";
import { SeededRandom } from "../../seeded_random.ts";
import type { VirtualClock } from "../../virtual_clock.ts";
import { Heartbeats, type Verdict } from "../judge/mod.ts";
import type { FaultBook, Plan, PlanFault, Scene, StepScene } from "../plans/mod.ts";
import {
  callingPlace,
  type Details,
  type EndState,
  endState,
  isCompared,
  type Journal,
  type SentWrite,
} from "../record/mod.ts";
import { recordCacheReads } from "./cache_reads.ts";
import { recordReconciles } from "./reconciles.ts";
import { ClientCalls } from "./client_calls.ts";
import { defaultsHandler } from "./defaulting.ts";
import type { Neighbour } from "./neighbours.ts";
import { atItsTime, currentReconcile } from "./ambient.ts";
import { cloudOf } from "./cloud_calls.ts";
import { CloudIds } from "./cloud_ids.ts";
import { Collector, COLLECTOR_DELAY_MS } from "./collector.ts";
import { armLags, freeze, type LagWorld } from "./lags.ts";
import { Life } from "./life.ts";
import type { Cloud, Process } from "./options.ts";
import { Outages } from "./outages.ts";
import { GONE_MS, Processes } from "./processes.ts";
import type { Setup } from "./setup.ts";
import { THIRD_PARTIES, ThirdParty, urlOf } from "./third_party.ts";
import { Wire, type WireRun } from "./wire.ts";

/** Reactions of a run to what happens in its world. */
export interface WorldEvents {
  /** Called with each request of a process and each call of the external world. */
  requested(process: string, what: string): void;
  /** Called when the server has answered a write of an object that is compared. */
  answered(write: SentWrite): void;
  /** Called when an object or the external world may have changed. */
  changed(): void;
  /** Undoes the current step if `fault` says so. */
  revert(fault: PlanFault): Promise<void>;
}

/** Parts of a run that its world works with. */
export interface WorldParts<C> {
  readonly setup: Setup<C>;
  readonly plan: Plan;
  /** Selects the random numbers of the processes and of the external world. */
  readonly chance: number;
  readonly clock: VirtualClock;
  readonly journal: Journal;
  /** Keeps what only a report needs; undefined if there is none. */
  readonly details?: Details | undefined;
  readonly book: FaultBook;
  readonly verdict: Verdict;
  readonly events: WorldEvents;
  /** Creates the client of one life of a process. Default: one without meters. */
  readonly connect?: ((process: string, options: ClientOptions) => Client) | undefined;
}

/** The time that the actors get to register the nodes, in milliseconds. */
const ACTORS_START_MS = 5000;
/** The time between two bookmarks, in milliseconds. */
const BOOKMARK_MS = 30_000;

/** The world of one run: a server, the processes with their wires, the external world, and other clients. */
export class SimulatedWorld<C> implements WireRun {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly journal: Journal;
  readonly details: Details | undefined;
  readonly processes: Processes<C>;
  readonly outages: Outages;
  readonly cloud: C;
  /** The parts of statuses that processes renew for ever. */
  readonly heartbeats: Heartbeats;
  /** The client of the user of the cluster. */
  readonly user: Client;
  /** The time of the last change or failure, in milliseconds. */
  activeMs = 0;
  readonly #parts: WorldParts<C>;
  readonly #random: SeededRandom;
  readonly #chance: SeededRandom;
  /** The life of the user and of the actors, which lasts as long as the run. */
  readonly #life: Life;
  readonly #thirdParty: ThirdParty;
  readonly #lags: LagWorld;
  readonly #endLags: () => void;
  readonly #cloudAnswers = new Map<string, string>();
  readonly #cloudIds = new CloudIds();
  /** The processes that are connected to a server without streaming lists. */
  readonly #old = new Set<string>();
  /** The writers by the User-Agents of their clients. */
  readonly #writers = new Map<string, string>(THIRD_PARTIES.map((who) => [who, who]));
  #collector: Collector | undefined;
  #actors: Actors | undefined;
  #hasEnded = false;
  /** The processes by the clocks of their lives. */
  readonly #processOf = new Map<unknown, string>();
  #endRecords = () => {};

  constructor(parts: WorldParts<C>) {
    const { book, chance, clock, details, journal, plan, setup, verdict } = parts;
    this.#parts = parts;
    this.clock = clock;
    this.journal = journal;
    this.details = details;
    this.#random = new SeededRandom(plan.seed);
    this.#chance = this.#random.fork(`chance ${chance}`);
    this.#life = new Life(clock);
    const server = new ApiServer({
      clock,
      random: this.#random.fork("server"),
      logger: silentLogger,
      state: setup.state,
      webhooks: defaultsHandler(setup.options.world?.neighbours ?? []),
      lag: book.of("late") !== undefined,
    });
    this.server = server;
    this.cloud = setup.options.world?.cloud?.({ clock, random: this.#chance.fork("cloud") }) as C;
    this.user = this.#client("user", this.#life, silentLogger);
    this.heartbeats = new Heartbeats(() => clock.now());
    this.outages = new Outages(book, () => clock.now());
    this.processes = new Processes<C>({
      clock,
      history: journal.history,
      book,
      verdict,
      failed: () => this.#touch(),
      ambient: (name, life) => ({
        works: (work) => atItsTime(work, clock, life.clock),
        used: ({ instead, what, where }) =>
          verdict.uses(`${name} uses ${what} at ${where}: use ${instead}`),
      }),
      environment: (life, who) => this.#environment(life, who),
    });
    const isProcess = (name: string) => this.processes.has(name);
    this.#thirdParty = new ThirdParty({ server, clock, journal, verdict, isProcess });
    this.#lags = { server, journal, book, isFrom: (request, name) => this.#isFrom(request, name) };
    this.#endLags = armLags(this.#lags);
    server.onWrite((write) => this.#onWrite(write));
  }

  /** Starts the actors and, unless the world is to be empty, the processes. */
  async start(isEmpty: boolean): Promise<void> {
    if (this.details !== undefined) {
      const { details } = this;
      const processOf = (clock: unknown) => this.#processOf.get(clock);
      const ends = [recordCacheReads(details, processOf), recordReconciles(details, processOf)];
      this.#endRecords = () => ends.forEach((end) => end());
    }
    const { actors = false } = this.#parts.setup.options.world ?? {};
    const options = typeof actors === "boolean" ? {} : actors;
    if (!options.garbageCollector) {
      this.#collector = new Collector({
        clock: this.clock,
        objects: this.journal.objects,
        exists: (uid) => this.journal.exists(uid),
        send: async (write, method, body) => {
          await this.#thirdParty.send("garbage collector", method, urlOf(write), body);
        },
      });
    }
    if (isEmpty) return;
    if (actors !== false) {
      const { clock } = this.#life;
      const clientOptions = { ...this.server.clientOptions, clock, fetch: this.#actorFetch };
      const { nodeLeases } = this.server;
      this.#actors = startActors({ clientOptions, nodeLeases }, {
        garbageCollector: false,
        ...options,
      });
      await this.#wait(ACTORS_START_MS);
    }
    this.#sendBookmarks();
    for (const neighbour of this.#parts.setup.options.world?.neighbours ?? []) {
      this.#meet(neighbour);
    }
    for (const [name, start] of this.#parts.setup.processes) this.processes.add(name, start);
  }

  #meet({ name, start }: Neighbour): void {
    const { clock } = this.#life;
    const client = this.#client(name, this.#life, silentLogger);
    const env = { client, clock, random: this.#random.fork(name) };
    const meet = () => {
      Promise.resolve().then(() => start?.(env)).catch(() => void clock.setTimer(meet, 60_000));
    };
    meet();
  }

  /** Ends the lags, which add their final records. */
  finish(): void {
    this.#hasEnded = true;
    this.#endLags();
    this.#endRecords();
  }

  /** Ends all processes and closes the server. */
  async close(): Promise<void> {
    this.processes.end();
    this.#life.kill();
    await this.server.close();
  }

  /** Kills a process that starts again on an old replica. Returns false if there is no such replica. */
  restartStale(fault: Extract<PlanFault, { fault: "stale" }>): boolean {
    const thaw = freeze(this.#lags, fault);
    if (thaw === undefined) return false;
    this.#parts.book.takeEffect(fault, GONE_MS + fault.forMs);
    this.#old.add(fault.process);
    this.processes.kill(fault.process);
    this.clock.setTimer(thaw, GONE_MS + fault.forMs);
    return true;
  }

  /** Returns the comparable state of the objects and of the external world. */
  state(): EndState {
    const { anonymous, options } = this.#parts.setup;
    const objects = [...this.journal.objects.values()].map((write) => ({
      resource: write.resource,
      object: write.object(),
    }));
    const cloud = (this.cloud as Cloud | undefined)?.state?.();
    const state = cloud === undefined ? undefined : parseJson(stringifyJson(cloud));
    const { issued: ids, numbers } = this.#cloudIds;
    return endState(objects, options.mask, anonymous, { state, ids, numbers });
  }

  /** Returns the argument of invariants. */
  scene(): Scene<C> {
    const { clock, cloud, journal, server } = this;
    return { server, clock, cloud, writes: () => journal.writes() };
  }

  /** Returns the argument of a custom step. */
  stepScene(step: number): StepScene<C> {
    return {
      ...this.scene(),
      client: this.user,
      actors: this.#actors,
      upgrade: (start, { name = this.processes.names[0] ?? "operator", graceMs = 30_000 } = {}) =>
        this.processes.replace(name, start as Process<C>, graceMs),
      random: this.#random.fork(`step ${step}`),
    };
  }

  // Callbacks of the wires.

  faultsOf(name: string): readonly PlanFault[] {
    return this.#parts.book.ofName(name);
  }

  takeEffect(fault: PlanFault): void {
    this.#parts.book.takeEffect(fault);
  }

  async interfere(fault: PlanFault, request: FaultRequest, write: SentWrite): Promise<void> {
    if (fault.fault === "edit" || fault.fault === "linger") {
      const [edit, forMs] = fault.fault === "edit"
        ? [fault.edit, undefined] as const
        : ["finalizer", fault.forMs] as const;
      const isDone = await this.#thirdParty.edit(edit, request, write.resource, forMs);
      if (isDone) this.#parts.book.takeEffect(fault, forMs);
    } else await this.#parts.events.revert(fault);
  }

  disturbServer(fault: PlanFault): void {
    if (fault.fault !== "server") return;
    if (fault.how === "restart") this.server.restart();
    else {
      this.server.compact();
      this.server.closeWatches();
    }
  }

  kill(process: string): void {
    this.processes.kill(process);
  }

  pause(process: string, forMs: number): void {
    this.#parts.book.extend(forMs);
    this.processes.pause(process, forMs);
  }

  stop(process: string, graceMs: number): void {
    this.processes.stop(process, graceMs);
  }

  count(process: string, what: string): void {
    this.#parts.events.requested(process, what);
  }

  answered(write: SentWrite): void {
    if (!isCompared(write.resource)) return;
    // A create of what is there already is how some programs look whether it is.
    const isThere = write.verb === "create" && write.status === 409;
    if (write.status >= 400 && !isThere) this.#touch();
    else if (write.status < 400) this.#parts.events.answered(write);
  }

  isOld(process: string): boolean {
    return this.#old.has(process);
  }

  #touch(): void {
    this.activeMs = this.clock.now();
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.clock.setTimer(() => resolve(), ms));
  }

  /** Sends bookmarks for ever. Without them, informers would list again, which heals too much. */
  #sendBookmarks(): void {
    this.clock.setTimer(() => {
      this.server.progress();
      this.#sendBookmarks();
    }, BOOKMARK_MS);
  }

  #environment(
    life: Life,
    { name, identity, logger }: { name: string; identity: string; logger: Logger },
  ): { client: Client; random: SeededRandom; cloud: C } {
    const { book, details, events } = this.#parts;
    if (details !== undefined) this.#processOf.set(life.clock, name);
    const calls = details && new ClientCalls();
    const { fetch } = new Wire(this, name, life, calls);
    const client = this.#client(identity, life, logger, { name, fetch });
    const cloud = cloudOf(this.cloud, name, life, {
      begin: (what) => {
        const id = this.journal.occurrences.next(what);
        events.requested(name, id);
        return { id, faults: book.ofName(id) };
      },
      takeEffect: (fault) => book.takeEffect(fault),
      kill: () => this.processes.kill(name),
      revert: (fault) => void events.revert(fault),
      called: () => events.changed(),
      learned: (text) => {
        this.journal.history.add({ kind: "cloud", process: name, text });
        this.#touch();
      },
      repeated: details && ((id) => details.repeat(name, id)),
      placed: details &&
        ((id) => details.setOrigin(id, { place: callingPlace(), reconcile: currentReconcile() })),
      ids: this.#cloudIds,
      answers: this.#cloudAnswers,
    });
    return {
      client: calls?.observe(client) ?? client,
      random: this.#chance.fork(identity),
      cloud,
    };
  }

  #client(
    identity: string,
    { clock }: Life,
    logger: Logger,
    process?: { readonly name: string; readonly fetch: (request: Request) => Promise<Response> },
  ): Client {
    this.#writers.set(identity, process?.name ?? identity);
    const fetch = process?.fetch ?? ((request: Request) => this.server.fetch(request));
    const random = this.#random.fork(`${identity} client`);
    const options = { fetch, clock, random, logger, userAgent: identity, freezeObjects: true };
    const { connect } = this.#parts;
    return process === undefined || connect === undefined
      ? new Client(options)
      : connect(process.name, options);
  }

  /** The `fetch` of the actors. The garbage collector's deletes are delayed. */
  readonly #actorFetch = async (
    input: Request | URL | string,
    init?: RequestInit,
  ): Promise<Response> => {
    // After the end, no actor notices that the server is closed.
    if (this.#life.isDead) return await this.#life.deliver(undefined) as never;
    const request = input instanceof Request && init === undefined
      ? input
      : new Request(input, init);
    const isManager = request.headers.get("user-agent") === "kube-controller-manager";
    if (request.method === "DELETE" && isManager) await this.#wait(COLLECTOR_DELAY_MS);
    return await this.server.fetch(request);
  };

  /** Reports whether a request is from a process of that name, or from any process. */
  #isFrom({ headers }: FaultRequest, name?: string): boolean {
    const agent = (headers.get("user-agent") ?? "").split("/")[0]!;
    return name === undefined ? this.processes.has(agent) : agent === name;
  }

  #onWrite(write: ServerWrite): void {
    if (this.#hasEnded) return;
    this.journal.enter(write, this.#writers.get(write.client ?? ""));
    if (isCompared(write.resource) && !this.heartbeats.isBeat(write)) this.#touch();
    this.#thirdParty.onWrite(write);
    this.#collector?.onWrite(write);
    this.#parts.events.changed();
  }
}

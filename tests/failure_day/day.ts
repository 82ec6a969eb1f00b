import { Client, type ClientOptions } from "../../src/client/mod.ts";
import { silentLogger } from "../../src/base/mod.ts";
import {
  type Actors,
  ApiServer,
  type PodProgram,
  SeededRandom,
  type ServerState,
  startActors,
  type StartActorsOptions,
  VirtualClock,
} from "../../src/testing/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { CountedAbort } from "./counted_signal.ts";
import { ProgramClock } from "./program_clock.ts";
import { Wire } from "./wire.ts";

/** The token of the client: it must not be in any line or error. */
export const TOKEN = "t0ken-that-nobody-may-see";

/** The namespace of the objects. */
export const namespace = "default";

/** The reason of all aborts. */
export class Stopped extends Error {}

/** Makes a user function misbehave: called in its place. */
export type Misbehaviour = (day: Day) => unknown;

/** The state and the programs of the Pods that a day begins with. */
export interface Morning {
  readonly state: ServerState;
  readonly programs?: readonly PodProgram[] | undefined;
  readonly actors?: StartActorsOptions | undefined;
  readonly client?: ((day: Day) => Partial<ClientOptions>) | undefined;
}

/** A world in which a part of the library runs for one virtual day: everything that can fail is in the hands of a column. */
export class Day implements AsyncDisposable {
  /** The time of the whole world, which the runner of the rows moves. */
  readonly time: VirtualClock = new VirtualClock();
  /** The clock of the program. */
  readonly clock: ProgramClock = new ProgramClock(this.time, () => this.step());
  readonly random: SeededRandom = new SeededRandom(1);
  readonly log: RecordingLogger = new RecordingLogger();
  readonly stop: CountedAbort = new CountedAbort();
  readonly server: ApiServer;
  readonly wire: Wire;
  readonly client: Client;
  /** The client of a person who changes the cluster meanwhile, which has no faults. */
  readonly admin: Client;
  /** The names of the user functions that were called. */
  readonly called: Set<string> = new Set<string>();
  /** Called in place of the user function of that name. */
  misbehaviour: { readonly name: string; readonly does: Misbehaviour } | undefined;
  /** The version of the program: the second one has lost a field. */
  version: 1 | 2 = 1;
  readonly #clients: Client[] = [];
  readonly #parts = new Map<string, unknown>();
  readonly #actors: Actors | undefined;
  #steps = 0;
  #trigger: { readonly at: number; readonly action: () => void } | undefined;

  /** Begins a day. */
  constructor({ state, programs, actors, client }: Morning) {
    this.server = new ApiServer({
      clock: this.time,
      random: this.random.fork("server"),
      logger: silentLogger,
      state,
      programs,
    });
    this.wire = new Wire(this.server, { step: () => this.step() });
    this.client = this.newClient(client?.(this));
    this.admin = new Client({ ...this.server.clientOptions, logger: silentLogger });
    this.#actors = actors && startActors(this.server, { ...actors, logger: silentLogger });
  }

  /** The signal of the program. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** The number of steps so far: requests, answers, chunks, timers and calls of user functions. */
  get steps(): number {
    return this.#steps;
  }

  /** Calls `action` at the step `at`. */
  at(step: number, action: () => void): void {
    this.#trigger = { at: step, action };
  }

  /** Counts a step. */
  step(): void {
    if (this.#steps++ === this.#trigger?.at) this.#trigger.action();
  }

  /** Creates another client of the program. */
  newClient(options: Partial<ClientOptions> = {}): Client {
    const client = new Client({
      clock: this.clock,
      random: this.random.fork(`client ${this.#clients.length}`),
      logger: this.log,
      freezeObjects: true,
      token: TOKEN,
      fetch: this.wire.fetch,
      upgrade: this.wire.upgrade,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /**
   * Returns a user function, which a column can make misbehave.
   *
   * @param name The name of the option or parameter.
   * @param fn The function.
   * @param isPoison Whether the function misbehaves with these arguments. Default: with all.
   */
  user<F extends (...args: never[]) => unknown>(
    name: string,
    fn: F,
    isPoison: (...args: readonly unknown[]) => boolean = () => true,
  ): F {
    const call = (...args: never[]) => {
      this.called.add(name);
      this.step();
      if (this.misbehaviour?.name !== name || !isPoison(...args)) return fn(...args);
      return this.misbehaviour.does(this);
    };
    return call as F;
  }

  /** Returns the part of that name, which is made once in a day: a second call of the subject calls the same part. */
  part<T>(name: string, make: () => T): T {
    const made = this.#parts.has(name) ? this.#parts.get(name) as T : make();
    this.#parts.set(name, made);
    return made;
  }

  /** Reports whether the part of that name was made. */
  has(name: string): boolean {
    return this.#parts.has(name);
  }

  /** Closes the clients of the program. */
  async closeClients(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  /** Moves the time until `promise` has settled, for at most `limitMs`. Reports whether it has. */
  async settles(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
    let settled = false;
    const done = promise.then(() => {}, () => {}).then(() => void (settled = true));
    try {
      await this.time.run(done, Math.max(limitMs, 1));
    } catch (error) {
      if (settled || !/is pending|still pending/.test((error as Error).message)) throw error;
    }
    return settled;
  }

  /** Moves the time until `isDone` returns true or `promise` has settled, for at most `limitMs`. */
  async until(isDone: () => boolean, promise: Promise<unknown>, limitMs: number): Promise<boolean> {
    let settled = false;
    const note = () => void (settled = true);
    promise.then(note, note);
    const endMs = this.time.now() + limitMs;
    await this.time.settle();
    for (let ms = 20; !settled && !isDone(); ms = Math.min(ms * 1.5, 5_000)) {
      const left = endMs - this.time.now();
      if (left <= 0) return false;
      await this.time.advance(Math.min(ms, left));
    }
    return true;
  }

  /** Ends the day. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new Stopped("The day is over"));
    await this.settles(this.closeClients(), 1_000);
    if (this.#actors !== undefined) await this.settles(this.#actors.stop(), 60_000);
    await this.admin.close();
    await this.settles(this.server.close(), 1_000);
    await this.time.settle();
  }
}

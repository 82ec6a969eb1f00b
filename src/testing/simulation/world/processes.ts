import { type Clock, describeError, type Logger } from "@kubeloop/controller/internal/base";
import type { Verdict } from "../judge/mod.ts";
import type { FaultBook } from "../plans/mod.ts";
import type { History } from "../record/mod.ts";
import { type AmbientContext, inContext } from "./ambient.ts";
import { Life } from "./life.ts";
import type { Process, ProcessEnv } from "./options.ts";

/** The parts of a run that its processes use. */
export interface ProcessesRun<C> {
  readonly clock: Clock;
  readonly history: History;
  readonly book: FaultBook;
  readonly verdict: Verdict;
  /** Returns the environment of one life of a process, except the clock and the logger. */
  environment(
    life: Life,
    who: { readonly name: string; readonly identity: string; readonly logger: Logger },
  ): Pick<ProcessEnv<C>, "client" | "random" | "cloud">;
  /** Called when a process has failed, with its error in words. */
  failed(why: string): void;
  /** Returns the context in which the code of a process runs. */
  ambient(name: string, life: Life): AmbientContext;
}

interface Running<C> {
  readonly name: string;
  start: Process<C>;
  life: Life;
  /** Asks the present life to stop. */
  stop: AbortController;
  startedMs: number;
  lives: number;
  failures: number;
  /** The exits in a row, each soon after the start. */
  exits: number;
}

/** The time from a kill to the next start of a process, in milliseconds. */
export const GONE_MS = 1000;
/** The number of times that a process may fail. */
const MAX_FAILURES = 6;
/** The first and the longest delay before a failed process starts again, as the kubelet has for containers. */
const FIRST_DELAY_MS = 10_000;
const LAST_DELAY_MS = 300_000;
/** The time after which the kubelet forgets earlier exits, in milliseconds. */
const FORGET_MS = 600_000;

/** Starts, kills and pauses the processes of a run. */
export class Processes<C> {
  readonly #run: ProcessesRun<C>;
  readonly #running = new Map<string, Running<C>>();
  #ended = false;

  constructor(run: ProcessesRun<C>) {
    this.#run = run;
  }

  /** The names of the processes. */
  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Reports whether a process has that name. */
  has(name: string): boolean {
    return this.#running.has(name);
  }

  /** Reports whether all processes run, and none waits to be started again. */
  get areRunning(): boolean {
    for (const { exits, failures, life } of this.#running.values()) {
      // A program that ends each time is done.
      if (life.isDead && failures <= MAX_FAILURES && exits <= 1) return false;
    }
    return true;
  }

  /** Starts a process for the first time. */
  add(name: string, start: Process<C>): void {
    const running = {
      name,
      start,
      life: new Life(this.#run.clock),
      stop: new AbortController(),
      startedMs: 0,
      lives: 0,
      failures: 0,
      exits: 0,
    };
    this.#running.set(name, running);
    this.#start(running);
  }

  /** Asks a process to stop, kills it after `graceMs` if it still runs, and starts it again. */
  stop(name: string, graceMs: number): void {
    const running = this.#running.get(name);
    if (running === undefined || running.life.isDead || running.stop.signal.aborted) return;
    const { life } = running;
    this.#tell(name, "is asked to stop");
    this.#run.book.extend(graceMs + GONE_MS);
    running.stop.abort(new DOMException("The process is asked to stop", "AbortError"));
    this.#run.clock.setTimer(() => {
      if (!life.isDead) this.kill(name);
    }, graceMs);
  }

  /** Replaces the program of a process: asks the present one to stop, and starts the other one after it. */
  replace(name: string, start: Process<C>, graceMs: number): void {
    const running = this.#running.get(name);
    if (running === undefined) {
      const known = [...this.#running.keys()].join(", ");
      throw new RangeError(`No process is named ${name}; there are ${known}`);
    }
    running.start = start;
    this.#tell(name, "is replaced by another version");
    this.stop(name, graceMs);
  }

  /** Kills a process. It is started again after {@linkcode GONE_MS}. */
  kill(name: string): void {
    const running = this.#running.get(name);
    if (running === undefined || running.life.isDead) return;
    running.life.kill();
    this.#tell(name, "is killed");
    this.#run.book.extend(GONE_MS);
    this.#run.clock.setTimer(() => this.#start(running), GONE_MS);
  }

  /** Pauses a process. */
  pause(name: string, forMs: number): void {
    const running = this.#running.get(name);
    if (running === undefined) return;
    const { life } = running;
    life.pause();
    this.#tell(name, `stands still for ${forMs / 1000} s`);
    this.#run.clock.setTimer(() => {
      if (life.isDead) return;
      this.#tell(name, "goes on");
      life.resume();
    }, forMs);
  }

  /** Ends all processes for good, without any clean-up. */
  end(): void {
    this.#ended = true;
    for (const { life } of this.#running.values()) life.kill();
  }

  #start(running: Running<C>): void {
    if (this.#ended) return;
    const { name } = running;
    const life = new Life(this.#run.clock, this.#run.book.skewOf(name));
    const stop = new AbortController();
    running.life = life;
    running.stop = stop;
    running.startedMs = this.#run.clock.now();
    running.lives++;
    this.#tell(name, running.lives === 1 ? "starts" : "starts again");
    const identity = `${name}/${running.lives}`;
    const logger = this.#logger(name);
    const env: ProcessEnv<C> = {
      ...this.#run.environment(life, { name, identity, logger }),
      clock: life.clock,
      signal: stop.signal,
      logger,
      name,
      identity,
    };
    const start = () => inContext(this.#run.ambient(name, life), () => running.start(env));
    Promise.resolve().then(start).then(
      () => life.onIdle(() => this.#exited(running)),
      (error) => {
        if (life.isDead) return;
        if (stop.signal.aborted) this.#exited(running);
        else this.#failed(running, error);
      },
    );
  }

  /** Starts a process again that has come to its end, as the kubelet does. */
  #exited(running: Running<C>): void {
    const { clock } = this.#run;
    running.life.kill();
    if (running.stop.signal.aborted) {
      this.#tell(running.name, "has stopped");
      clock.setTimer(() => this.#start(running), GONE_MS);
      return;
    }
    this.#tell(running.name, "has ended by itself");
    if (clock.now() - running.startedMs >= FORGET_MS) running.exits = 0;
    clock.setTimer(() => this.#start(running), delayOf(++running.exits));
  }

  #failed(running: Running<C>, error: unknown): void {
    const { name } = running;
    running.life.kill();
    running.failures++;
    const why = describeError(error);
    this.#tell(name, `fails: ${why}`);
    this.#run.failed(why);
    if (running.failures > MAX_FAILURES) {
      this.#run.verdict.add("process", `${name} fails again and again: ${why}`);
      return;
    }
    this.#run.clock.setTimer(() => this.#start(running), delayOf(running.failures));
  }

  #logger(process: string): Logger {
    const add = (isProblem: boolean, ...args: unknown[]) => {
      let text = "";
      for (const arg of args) {
        const part = describeError(arg);
        // The message of an error often stands in the line already.
        if (!text.includes(part)) text += text === "" ? part : ` ${part}`;
      }
      this.#run.history.add({ kind: "log", process, text, isProblem });
    };
    const problem = (...args: unknown[]) => add(true, ...args);
    return {
      debug: () => {},
      info: (...args) => add(false, ...args),
      warn: problem,
      error: problem,
    };
  }

  #tell(process: string, text: string): void {
    this.#run.history.add({ kind: "process", process, text });
  }
}

function delayOf(times: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (times - 1), LAST_DELAY_MS);
}

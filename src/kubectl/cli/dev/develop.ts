import { type Clock, isRecord } from "@kubeloop/controller/internal/base";
import type { Story } from "@kubeloop/controller/operator";
import { relative } from "node:path";
import process from "node:process";
import type { Paint } from "../terminal/mod.ts";
import { type FileChange, FileWatch } from "./file_watch.ts";
import { importedFiles } from "./imported_files.ts";
import type { Runtime } from "./runtime.ts";
import { Started } from "./started.ts";
import { storyLines } from "./story_lines.ts";

/** The clock and the outputs of {@linkcode develop}, which runs until the signal aborts. */
export interface DevelopHost {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly print: (text: string) => Promise<void>;
  readonly warn: (line: string) => void;
}

/** Options of {@linkcode develop}. */
export interface DevelopOptions {
  readonly runtime: Runtime;
  /** The program. */
  readonly file: string;
  /** The arguments of the program. */
  readonly args: readonly string[];
  /** The module that runs first in the program. */
  readonly preload: string;
  /** Variables of the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly paint: Paint;
  /** Whether managers take their leases from others, which takes a while. */
  readonly takesLeases: boolean;
  /** Called when a manager leads. */
  readonly onLeading: () => void;
}

/** Runs a program, and again after each change of its files, until the signal of the host aborts. */
export async function develop(options: DevelopOptions, host: DevelopHost): Promise<void> {
  let cause: Cause | undefined;
  let last = new Map<string, string>();
  const spare = new Spare(options, host);
  try {
    while (!host.signal.aborted) {
      // A file that is just being replaced keeps the last list.
      const texts = await importedFiles(options.file).catch((error) => {
        if (last.size === 0) throw error;
        return last;
      });
      last = texts;
      const change = Promise.withResolvers<FileChange | undefined>();
      const onAbort = () => change.resolve(undefined);
      host.signal.addEventListener("abort", onAbort, { once: true });
      const watch = new FileWatch(texts, host.clock, change.resolve);
      const life = new Life(options, host, { cause, spare });
      try {
        const changed = await change.promise;
        if (changed === undefined) return;
        host.warn(`${shownPath(changed.path)} has changed`);
        const beforeMs = host.clock.now();
        await life.stop();
        cause = { ...changed, stoppedMs: host.clock.now() - beforeMs };
      } finally {
        watch.close();
        host.signal.removeEventListener("abort", onAbort);
        await life.stop();
      }
    }
  } finally {
    await spare.stop();
  }
}

/**
 * The next process of a program, which waits until the program before has stopped. Its runtime and the packages are loaded
 * by then.
 */
class Spare {
  readonly #options: DevelopOptions;
  readonly #clock: Clock;
  #next: Started | undefined;

  constructor(options: DevelopOptions, { clock }: DevelopHost) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Starts the process, unless it is there. */
  prepare(): void {
    if (this.#next?.hasEnded === false) return;
    const { args, env, file, preload, runtime } = this.#options;
    const clock = this.#clock;
    this.#next = new Started([...runtime.run(preload, file), ...args], { clock, env });
  }

  /** Returns the process, which is then that of the program. */
  take(): Started {
    this.prepare();
    const next = this.#next!;
    this.#next = undefined;
    return next;
  }

  async stop(): Promise<void> {
    // A process that could not be started needs no stop.
    await this.#next?.stop().catch(() => {});
  }
}

/** Why a program was started again. */
interface Cause extends FileChange {
  /** The time that the program before took to stop, in milliseconds. */
  readonly stoppedMs: number;
}

/** One life of the program. */
class Life {
  readonly #options: DevelopOptions;
  readonly #host: DevelopHost;
  readonly #program: Started;
  readonly #spare: Spare;
  #cause: Cause | undefined;
  #isStopping = false;
  /** The managers that take part in an election. */
  readonly #electing = new Set<string>();
  /** The lines are printed one after the other. */
  #printed: Promise<unknown> = Promise.resolve();

  constructor(
    options: DevelopOptions,
    host: DevelopHost,
    { cause, spare }: { readonly cause: Cause | undefined; readonly spare: Spare },
  ) {
    this.#options = options;
    this.#host = host;
    this.#cause = cause;
    this.#spare = spare;
    const { file } = options;
    this.#program = spare.take();
    this.#program.onMessage = (message) => this.#receive(message);
    this.#program.begin();
    this.#program.ended.then((code) => {
      if (this.#isStopping) return;
      host.warn(`${file} has ended with ${code}; it starts again when a file changes`);
    }, (error) => host.warn(`${file} cannot be started: ${error.message}`));
  }

  /** Stops the program, and waits until its last lines are printed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    // A program that could not be started has said so.
    await this.#program.stop().catch(() => {});
    await this.#printed;
  }

  /** Receives a message of the program, which may be any: it runs other code too. */
  #receive(message: unknown): void {
    if (!isRecord(message)) return;
    const { manager, phase, story } = message;
    if (typeof manager === "string" && typeof phase === "string") this.#entered(manager, phase);
    else if (isStory(story)) this.#print(() => storyLines(story, this.#options.paint));
  }

  /** Reports that a manager leads, and before that, that it waits for a lease. Its own log has all phases. */
  #entered(manager: string, phase: string): void {
    const { onLeading, takesLeases } = this.#options;
    if (phase === "standing by") this.#electing.add(manager);
    if (phase === "leading") {
      onLeading();
      this.#spare.prepare();
      if (takesLeases && !this.#electing.has(manager)) this.#host.warn(unelected(manager));
    }
    if (phase !== "leading" && !(phase === "standing by" && takesLeases)) return;
    const cause = this.#cause;
    this.#cause = undefined;
    const ms = cause && Math.round(this.#host.clock.wallNow() - cause.savedMs);
    this.#host.warn(
      cause === undefined
        ? `${manager} is ${phase}`
        : `${manager} is ${phase}, ${ms} ms after ${shownPath(cause.path)} was saved (${
          Math.round(cause.stoppedMs)
        } ms of them to stop)`,
    );
  }

  #print(textOf: () => string): void {
    // The end of the output ends the command by the signal of the host; a story of an unknown form is not shown.
    this.#printed = this.#printed.then(() => this.#host.print(textOf())).catch(() => {});
  }
}

function unelected(manager: string): string {
  return `warning: ${manager} elects no leader, so an operator in the cluster reconciles as well: scale it to 0, or use leaderElection`;
}

function isStory(value: unknown): value is Story {
  return isRecord(value) && ["controller", "key", "result", "startedAt"]
    .every((name) => typeof value[name] === "string") &&
    Array.isArray(value["causes"]) && Array.isArray(value["requests"]);
}

function shownPath(path: string): string {
  return relative(process.cwd(), path);
}

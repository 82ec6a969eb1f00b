import type { Random } from "@kubeloop/controller/base";
import type { Pod } from "@kubeloop/controller/types";

/** A second crash in a row waits this long, each further one twice as long as the one before: kubelet's numbers. */
const FIRST_BACKOFF_MS = 10_000;
const LAST_BACKOFF_MS = 300_000;
/** Containers that ran this long have their crashes forgiven. */
const FORGIVEN_AFTER_MS = 600_000;
/** What a container that had to be killed exits with. */
const KILLED = 137;

/** What containers are said to have exited with that went down with their node. */
const LOST = 255;

/** How the containers of a Pod end by themselves. */
export interface PodOutcome {
  /** How long they run, in milliseconds. */
  readonly afterMs: number;
  /** What they exit with: 0 is success. */
  readonly exitCode: number;
}

/** How long each step of a Pod's life takes, in milliseconds, and how it ends. */
export interface PodRunOptions {
  readonly startDelayMs: number;
  readonly readyDelayMs: number;
  readonly stopDelayMs: number;
  readonly meanTimeToCrashMs: number;
  readonly outcome: PodOutcome | undefined;
  readonly random: Random;
}

/** One run of the containers that is over. */
export interface PastRun {
  readonly exitCode: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
}

/** What the containers of a Pod are doing. */
export type RunState = "creating" | "running" | "waiting" | "over";

/**
 * The containers of one Pod on a node, which all do the same. It is moved on by {@linkcode PodRun.advance}, and does
 * nothing in between. Times are those of the clock, not of the wall.
 */
export class PodRun {
  readonly uid: string;
  readonly #options: PodRunOptions;
  readonly #restartPolicy: "Always" | "OnFailure" | "Never";
  #state: RunState = "creating";
  #stateSinceMs: number;
  /** When the state ends by itself. */
  #untilMs: number;
  #exitCode = 0;
  #startedAtMs = 0;
  #crashes = 0;
  #restarts = 0;
  #lastRun: PastRun | undefined;
  #stopAtMs: number | undefined;

  /** Containers that begin to be created at `nowMs`; those of a Pod that was running have been lost. */
  constructor({ metadata, spec, status }: Pod, nowMs: number, options: PodRunOptions) {
    this.uid = metadata.uid ?? "";
    this.#options = options;
    this.#restartPolicy = spec?.restartPolicy ?? "Always";
    this.#stateSinceMs = nowMs;
    this.#untilMs = nowMs + options.startDelayMs;
    if (status?.phase !== "Running") return;
    this.#restarts = status.containerStatuses?.[0]?.restartCount ?? 0;
    this.#startedAtMs = nowMs;
    this.#exit(nowMs, LOST);
  }

  /** What the containers are doing. */
  get state(): RunState {
    return this.#state;
  }

  /** How often they were started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The run before this one; of containers that run no more, the last. */
  get lastRun(): PastRun | undefined {
    return this.#lastRun;
  }

  /** When this run began. */
  get startedAtMs(): number {
    return this.#startedAtMs;
  }

  /** How long the containers wait before they are started again, when that is longer than a start takes. */
  get backoffMs(): number {
    return this.#crashes < 2
      ? 0
      : Math.min(FIRST_BACKOFF_MS * 2 ** (this.#crashes - 2), LAST_BACKOFF_MS);
  }

  /** Whether they serve. */
  isReady(nowMs: number): boolean {
    return this.#state === "running" && nowMs >= this.#readyAtMs;
  }

  get #readyAtMs(): number {
    return this.#startedAtMs + this.#options.readyDelayMs;
  }

  /** Tells the containers to stop, which they do within `graceMs`. They are not started again. */
  stop(nowMs: number, graceMs: number): void {
    const { stopDelayMs } = this.#options;
    const isKilled = stopDelayMs > graceMs;
    const stopAtMs = nowMs + Math.min(stopDelayMs, graceMs);
    if (this.#stopAtMs !== undefined && this.#stopAtMs <= stopAtMs) return;
    this.#stopAtMs = stopAtMs;
    this.#exitCode = isKilled ? KILLED : 0;
  }

  /** Ends the containers at once, as a crash does; answers whether they were running. */
  crash(nowMs: number, exitCode: number): boolean {
    if (this.#state !== "running") return false;
    this.#exit(nowMs, exitCode);
    return true;
  }

  /** Starts the containers again that went down with their node. */
  reboot(nowMs: number): void {
    if (this.#state === "running") this.#exit(nowMs, LOST);
    else if (this.#state !== "over") this.#untilMs = nowMs + this.#options.startDelayMs;
  }

  /** Does what is due; answers when the next thing is, undefined when nothing will happen by itself. */
  advance(nowMs: number): number | undefined {
    for (;;) {
      if (this.#state === "over") return undefined;
      if (this.#stopAtMs !== undefined) {
        if (this.#state === "running") {
          if (this.#stopAtMs > nowMs) return this.#stopAtMs;
          this.#note(this.#exitCode, this.#stopAtMs);
        }
        this.#end(nowMs);
        return undefined;
      }
      if (this.#untilMs > nowMs) {
        const readyAtMs = this.#readyAtMs;
        const isUnready = this.#state === "running" && readyAtMs > nowMs;
        const nextMs = isUnready ? Math.min(readyAtMs, this.#untilMs) : this.#untilMs;
        return nextMs === Infinity ? undefined : nextMs;
      }
      const dueMs = this.#untilMs;
      if (this.#state === "running") this.#exit(dueMs, this.#exitCode);
      else this.#start(dueMs);
    }
  }

  #start(atMs: number): void {
    if (this.#state === "waiting") this.#restarts++;
    this.#state = "running";
    this.#stateSinceMs = this.#startedAtMs = atMs;
    const { meanTimeToCrashMs, outcome, random } = this.#options;
    const outcomeMs = outcome?.afterMs ?? Infinity;
    // Exponentially distributed, as the times between accidents are.
    const crashMs = meanTimeToCrashMs === Infinity
      ? Infinity
      : -Math.log(1 - random.next()) * meanTimeToCrashMs;
    this.#exitCode = crashMs < outcomeMs ? 1 : outcome?.exitCode ?? 0;
    this.#untilMs = atMs + Math.min(crashMs, outcomeMs);
  }

  #exit(atMs: number, exitCode: number): void {
    const ranMs = atMs - this.#stateSinceMs;
    this.#note(exitCode, atMs);
    const isRestarted = this.#restartPolicy === "Always" ||
      (this.#restartPolicy === "OnFailure" && exitCode !== 0);
    if (!isRestarted) {
      this.#end(atMs);
      return;
    }
    this.#crashes = ranMs >= FORGIVEN_AFTER_MS ? 1 : this.#crashes + 1;
    this.#state = "waiting";
    this.#stateSinceMs = atMs;
    this.#untilMs = atMs + Math.max(this.backoffMs, this.#options.startDelayMs);
  }

  #note(exitCode: number, finishedAtMs: number): void {
    this.#lastRun = { exitCode, startedAtMs: this.#startedAtMs, finishedAtMs };
  }

  #end(atMs: number): void {
    this.#state = "over";
    this.#stateSinceMs = atMs;
    this.#untilMs = Infinity;
  }
}

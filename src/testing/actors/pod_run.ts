import type { Random } from "@kubeloop/controller/base";
import type { Cached, Pod } from "@kubeloop/controller/types";

/** The back-off after the second crash in a row. Each further crash doubles it. The numbers are kubelet's. */
const FIRST_BACKOFF_MS = 10_000;
const LAST_BACKOFF_MS = 300_000;
/** A run of this length resets the back-off. */
const FORGIVEN_AFTER_MS = 600_000;
/** The exit code of a container that was killed. */
const KILLED = 137;

/** The exit code that is reported for containers that went down with their node. */
const LOST = 255;

/** When the containers of a Pod exit by themselves, and with which exit code. */
export interface PodOutcome {
  /** The time that the containers run, in milliseconds. */
  readonly afterMs: number;
  /** The exit code; 0 means success. */
  readonly exitCode: number;
}

/** The durations of the steps of a Pod's life, in milliseconds, and its outcome. */
export interface PodRunOptions {
  readonly startDelayMs: number;
  readonly readyDelayMs: number;
  readonly stopDelayMs: number;
  readonly meanTimeToCrashMs: number;
  readonly outcome: PodOutcome | undefined;
  readonly random: Random;
}

/** A completed run of the containers. */
export interface PastRun {
  readonly exitCode: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
}

/** The state of the containers of a Pod. */
export type RunState = "creating" | "running" | "waiting" | "over";

/**
 * The state machine of the containers of one Pod, which all behave the same. Only {@linkcode PodRun.advance} and the
 * methods that report an event change the state. All times are clock times, not wall times.
 */
export class PodRun {
  readonly uid: string;
  readonly #options: PodRunOptions;
  readonly #restartPolicy: "Always" | "OnFailure" | "Never";
  #state: RunState = "creating";
  #stateSinceMs: number;
  /** The time at which the current state ends by itself. */
  #untilMs: number;
  #exitCode = 0;
  #startedAtMs = 0;
  #crashes = 0;
  #restarts = 0;
  #lastRun: PastRun | undefined;
  #stopAtMs: number | undefined;

  /** Starts to create the containers at `nowMs`. If the status says Running, the earlier containers count as lost. */
  constructor({ metadata, spec, status }: Cached<Pod>, nowMs: number, options: PodRunOptions) {
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

  /** The current state of the containers. */
  get state(): RunState {
    return this.#state;
  }

  /** The number of restarts. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The last completed run. */
  get lastRun(): PastRun | undefined {
    return this.#lastRun;
  }

  /** The time at which the current run began. */
  get startedAtMs(): number {
    return this.#startedAtMs;
  }

  /** The crash back-off; 0 before the second crash in a row. A restart takes at least `startDelayMs` in any case. */
  get backoffMs(): number {
    return this.#crashes < 2
      ? 0
      : Math.min(FIRST_BACKOFF_MS * 2 ** (this.#crashes - 2), LAST_BACKOFF_MS);
  }

  /** Reports whether the containers are ready. */
  isReady(nowMs: number): boolean {
    return this.#state === "running" && nowMs >= this.#readyAtMs;
  }

  get #readyAtMs(): number {
    return this.#startedAtMs + this.#options.readyDelayMs;
  }

  /** Tells the containers to stop, which they do within `graceMs`. They do not restart. */
  stop(nowMs: number, graceMs: number): void {
    const { stopDelayMs } = this.#options;
    const isKilled = stopDelayMs > graceMs;
    const stopAtMs = nowMs + Math.min(stopDelayMs, graceMs);
    if (this.#stopAtMs !== undefined && this.#stopAtMs <= stopAtMs) return;
    this.#stopAtMs = stopAtMs;
    this.#exitCode = isKilled ? KILLED : 0;
  }

  /** Crashes the containers at once; returns whether they were running. */
  crash(nowMs: number, exitCode: number): boolean {
    if (this.#state !== "running") return false;
    this.#exit(nowMs, exitCode);
    return true;
  }

  /** Restarts the containers after their node was down. */
  reboot(nowMs: number): void {
    if (this.#state === "running") this.#exit(nowMs, LOST);
    else if (this.#state !== "over") this.#untilMs = nowMs + this.#options.startDelayMs;
  }

  /** Performs all transitions that are due; returns the time of the next one, undefined if none is scheduled. */
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
    // Exponentially distributed, like the times between independent failures. Whole milliseconds, because the last bit
    // of a logarithm depends on the runtime.
    const crashMs = meanTimeToCrashMs === Infinity
      ? Infinity
      : Math.round(-Math.log(1 - random.next()) * meanTimeToCrashMs);
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

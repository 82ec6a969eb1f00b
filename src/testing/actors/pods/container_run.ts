import type { Random } from "@kubeloop/controller/internal/base";
import type { ContainerOutput } from "./container_output.ts";
import { type ContainerLife, exitOf } from "./pod_life.ts";
import { type Probe, type ProbeChange, probeChanges } from "./probes.ts";

/** The back-off after the second crash in a row. Each further crash doubles it. The numbers are kubelet's. */
const FIRST_BACKOFF_MS = 10_000;
const LAST_BACKOFF_MS = 300_000;
/** A run of this length resets the back-off. */
const FORGIVEN_AFTER_MS = 600_000;
/** The exit code of a container that was killed. */
const KILLED = 137;
/** The exit code that is reported for containers that went down with their node. */
const LOST = 255;

/** When a container is restarted after it has exited. */
export type RestartPolicy = "Always" | "OnFailure" | "Never";

/** The container of a {@linkcode ContainerRun}, and the rules of its life. */
export interface ContainerRunOptions {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy: RestartPolicy;
  readonly life: ContainerLife;
  /** Writes the log of the container; undefined if logs are discarded. */
  readonly output: ContainerOutput | undefined;
  readonly probes: {
    readonly startup?: Probe | undefined;
    readonly readiness?: Probe | undefined;
    readonly liveness?: Probe | undefined;
  };
  /** The mean time until the container crashes at random, in milliseconds; `Infinity` for never. */
  readonly meanTimeToCrashMs: number;
  readonly random: Random;
  /** The restarts of the container before. */
  readonly restarts: number;
}

/** A completed run of a container. */
export interface PastRun {
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  /** The probe that has ended the run. */
  readonly probe: EndingProbe | undefined;
}

/** A probe that can end a run. */
type EndingProbe = "Liveness" | "Startup";

/**
 * The state of a container: `waiting` for others or for its creation, `running`, `restarting` after a back-off, or `over`.
 */
export type ContainerState = "waiting" | "running" | "restarting" | "over";

/** The end of a run. */
interface End {
  readonly atMs: number;
  readonly exitCode: number;
  readonly reason?: string | undefined;
  /** The probe that has ended the run, after which the container is restarted whatever its exit code. */
  readonly probe?: EndingProbe;
}

/**
 * The state machine of one container. Only {@linkcode ContainerRun.advance} and the methods that report an event change
 * the state. All times are clock times, not wall times.
 */
export class ContainerRun {
  /** The name of the container. */
  readonly name: string;
  /** The image of the container. */
  readonly image: string;
  readonly #options: ContainerRunOptions;
  #state: ContainerState = "waiting";
  /** The time at which the container starts; Infinity until it may. */
  #startAtMs = Infinity;
  #startedAtMs = 0;
  /** The times at which readiness changes during this run, in clock time. */
  #readiness: readonly ProbeChange[] = [];
  /** The time at which the startup probe has succeeded in this run. */
  #startupMs = Infinity;
  #end: End | undefined;
  #stop: End | undefined;
  #overAtMs = Infinity;
  #everStartedMs = Infinity;
  #crashes = 0;
  #restarts: number;
  #lastRun: PastRun | undefined;

  /** Creates a container that waits. */
  constructor(options: ContainerRunOptions) {
    this.#options = options;
    this.name = options.name;
    this.image = options.image;
    this.#restarts = options.restarts;
  }

  /** The current state. */
  get state(): ContainerState {
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

  /** The time at which the container ended for good; Infinity before that. */
  get overAtMs(): number {
    return this.#overAtMs;
  }

  /** The time from which the startup probe counts as passed in the current run; Infinity if it does not. */
  get startupMs(): number {
    return this.#state === "running" ? this.#startupMs : Infinity;
  }

  /** The first time at which the startup probe had passed, in this run or an earlier one; Infinity before that. */
  get everStartedMs(): number {
    return Math.min(this.#everStartedMs, this.startupMs);
  }

  /** The crash back-off; 0 before the second crash in a row. A restart takes the time of a start in any case. */
  get backoffMs(): number {
    return this.#crashes < 2
      ? 0
      : Math.min(FIRST_BACKOFF_MS * 2 ** (this.#crashes - 2), LAST_BACKOFF_MS);
  }

  /** The script of the container. */
  get life(): ContainerLife {
    return this.#options.life;
  }

  /** The log of the container; undefined if logs are discarded. */
  get output(): ContainerOutput | undefined {
    return this.#options.output;
  }

  /** Why the container never starts. */
  get stuck(): ContainerLife["stuck"] {
    return this.life.stuck;
  }

  /** Reports whether the container is ready. */
  isReady(nowMs: number): boolean {
    if (this.#state !== "running") return false;
    return this.#readiness.findLast(({ atMs }) => atMs <= nowMs)?.isGood ?? false;
  }

  /** Lets the container start, which it does once it is created. */
  begin(atMs: number): void {
    if (this.#startAtMs !== Infinity || this.stuck !== undefined) return;
    this.#startAtMs = atMs + this.#options.life.startAfterMs;
  }

  /** Notes that the container, an init container, ended well before the kubelet began. */
  skip(nowMs: number): void {
    this.#startedAtMs = nowMs;
    this.#exit({ atMs: nowMs, exitCode: 0 });
    this.#finish(nowMs);
  }

  /** Notes that the container ran before the kubelet began, and is lost. */
  lose(nowMs: number): void {
    this.#startedAtMs = nowMs;
    this.#exit({ atMs: nowMs, exitCode: LOST });
  }

  /** Tells the container to stop, which it does within `graceMs`. It does not restart. */
  stop(nowMs: number, graceMs: number): void {
    const { stopAfterMs } = this.#options.life;
    const atMs = nowMs + Math.min(stopAfterMs, graceMs);
    if (this.#stop !== undefined && this.#stop.atMs <= atMs) return;
    this.#stop = { atMs, exitCode: stopAfterMs > graceMs ? KILLED : 0 };
  }

  /** Crashes the container at once; returns whether it was running. */
  crash(nowMs: number, exitCode: number): boolean {
    if (this.#state !== "running") return false;
    this.#exit({ atMs: nowMs, exitCode });
    return true;
  }

  /** Restarts the container after its node was down. */
  reboot(nowMs: number): void {
    if (this.#state === "running") this.#exit({ atMs: nowMs, exitCode: LOST });
    else if (this.#state !== "over" && this.#startAtMs !== Infinity) {
      this.#startAtMs = nowMs + this.#options.life.startAfterMs;
    }
  }

  /** Performs all transitions that are due; returns the time of the next one, Infinity if none is scheduled. */
  advance(nowMs: number): number {
    for (;;) {
      if (this.#state === "over") return Infinity;
      if (this.#state === "running") {
        const end = this.#nextEnd();
        if (end !== undefined && end.atMs <= nowMs) this.#exit(end);
        else {
          const lineMs = this.#options.output?.advance(nowMs) ?? Infinity;
          return Math.min(end?.atMs ?? Infinity, this.#nextReadinessMs(nowMs), lineMs);
        }
      } else if (this.#stop !== undefined) this.#finish(nowMs);
      else if (this.#startAtMs > nowMs) return this.#startAtMs;
      else this.#start(this.#startAtMs);
    }
  }

  #nextEnd(): End | undefined {
    const [end, stop] = [this.#end, this.#stop];
    if (end === undefined || stop === undefined) return stop ?? end;
    return stop.atMs <= end.atMs ? stop : end;
  }

  #nextReadinessMs(nowMs: number): number {
    const next = this.#readiness.find(({ atMs }) => atMs > nowMs)?.atMs ?? Infinity;
    return this.#startupMs > nowMs ? Math.min(next, this.#startupMs) : next;
  }

  #start(atMs: number): void {
    if (this.#state === "restarting") this.#restarts++;
    this.#state = "running";
    this.#startedAtMs = atMs;
    const { life, meanTimeToCrashMs, output, random } = this.#options;
    output?.start(atMs);
    const exit = exitOf(life, this.#restarts);
    // Exponentially distributed, like the times between independent failures. Whole milliseconds, because the last bit
    // of a logarithm depends on the runtime.
    const crashMs = meanTimeToCrashMs === Infinity
      ? Infinity
      : Math.round(-Math.log(1 - random.next()) * meanTimeToCrashMs);
    const scripted: End[] = exit === undefined ? [] : [{ ...exit, atMs: atMs + exit.afterMs }];
    if (crashMs < Infinity) scripted.push({ atMs: atMs + crashMs, exitCode: 1 });
    const ends = [...scripted, ...this.#probe(atMs)];
    this.#end = ends.reduce<End | undefined>(
      (first, one) => first === undefined || one.atMs < first.atMs ? one : first,
      undefined,
    );
  }

  /** Computes what the probes of a run that starts now say; returns how they end the run. */
  #probe(atMs: number): End[] {
    const { life, probes } = this.#options;
    const killed = (afterMs: number, probe: EndingProbe): End => ({
      atMs: atMs + afterMs,
      exitCode: KILLED,
      probe,
    });
    const startup = probes.startup &&
      probeChanges(probes.startup, life.probes.startup ?? [], { isGood: false, fromMs: 0 })[0];
    const passedMs = probes.startup === undefined ? 0 : startup?.atMs ?? Infinity;
    const giveUpMs = probes.startup === undefined ? Infinity : lastTryMs(probes.startup);
    this.#startupMs = atMs + passedMs;
    if (passedMs > giveUpMs) {
      this.#startupMs = Infinity;
      this.#readiness = [];
      return [killed(giveUpMs, "Startup")];
    }
    const late = { fromMs: 0, untilMs: life.readyAfterMs };
    const readiness = probes.readiness === undefined
      ? [{ atMs: Math.max(passedMs, life.readyAfterMs), isGood: true }]
      : probeChanges(probes.readiness, [late, ...life.probes.readiness ?? []], {
        isGood: false,
        fromMs: passedMs,
      });
    this.#readiness = readiness.map(({ atMs: afterMs, isGood }) => ({
      atMs: atMs + afterMs,
      isGood,
    }));
    const [failure] = probes.liveness === undefined ? [] : probeChanges(
      probes.liveness,
      life.probes.liveness ?? [],
      { isGood: true, fromMs: passedMs },
    );
    return failure === undefined ? [] : [killed(failure.atMs, "Liveness")];
  }

  #exit({ atMs, exitCode, probe, reason }: End): void {
    const ranMs = atMs - this.#startedAtMs;
    this.#options.output?.end(atMs);
    if (this.#startupMs <= atMs) this.#everStartedMs = this.everStartedMs;
    this.#lastRun = {
      exitCode,
      reason: reason ?? (exitCode === 0 ? "Completed" : "Error"),
      startedAtMs: this.#startedAtMs,
      finishedAtMs: atMs,
      probe,
    };
    const { life, restartPolicy } = this.#options;
    const isWanted = restartPolicy === "Always" ||
      (restartPolicy === "OnFailure" && (exitCode !== 0 || probe !== undefined));
    if (!isWanted || this.#stop !== undefined) return this.#finish(atMs);
    this.#crashes = ranMs >= FORGIVEN_AFTER_MS ? 1 : this.#crashes + 1;
    this.#state = "restarting";
    this.#startAtMs = atMs + Math.max(this.backoffMs, life.startAfterMs);
  }

  #finish(atMs: number): void {
    this.#state = "over";
    this.#overAtMs = atMs;
  }
}

/** Returns when a startup probe gives up, in milliseconds since the start of the container. */
function lastTryMs({ failureThreshold = 3, initialDelaySeconds = 0, periodSeconds = 10 }: Probe) {
  return 1000 * (initialDelaySeconds + (failureThreshold - 1) * periodSeconds);
}

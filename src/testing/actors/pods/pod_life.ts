import type { ScriptedLine } from "./container_output.ts";
import { type Cached, parseSelector, type Pod } from "@kubeloop/controller/types";

/** When the containers of a Pod exit by themselves, and with which exit code. */
export interface PodOutcome {
  /** The time that the containers run, in milliseconds. */
  readonly afterMs: number;
  /** The exit code; 0 means success. */
  readonly exitCode: number;
}

/** An end of a container that its script says. */
export interface ContainerExit extends PodOutcome {
  /** How many runs of the container end like this. Default 1. */
  readonly times?: number | undefined;
  /** The reason in the status, such as `OOMKilled`. Default `Completed` or `Error`, by the exit code. */
  readonly reason?: string | undefined;
}

/** A time in the life of a container in which a probe fails, counted from the start of the container. */
export interface ProbeFailure {
  /** When the probe begins to fail, in milliseconds. Default 0: from the start. */
  readonly fromMs?: number | undefined;
  /** When it succeeds again, in milliseconds. Default `Infinity`: never. */
  readonly untilMs?: number | undefined;
}

/**
 * A rule about the lives of Pods. Where several rules match a container, a later rule replaces the fields that it sets.
 *
 * @example Pods of the app x become ready after 3 s and crash after a minute, twice
 * ```ts
 * import type { PodLife } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const life: PodLife = {
 *   selector: "app=x",
 *   readyAfterMs: 3000,
 *   exits: [{ afterMs: 60_000, exitCode: 1, times: 2 }],
 * };
 * assertEquals(life.exits?.[0]?.times, 2);
 * ```
 */
export interface PodLife {
  /** The label selector of the Pods, such as `app=web`. Default: all Pods. */
  readonly selector?: string | undefined;
  /** The name of the container. Default: all containers, without init containers that run to their end. */
  readonly container?: string | undefined;
  /** The time to create the container, or to restart it, in milliseconds. */
  readonly startAfterMs?: number | undefined;
  /** The time from the start of the container until it can be ready, in milliseconds. A readiness probe fails until then. */
  readonly readyAfterMs?: number | undefined;
  /** The time that the container takes to stop, in milliseconds. After the grace period it is killed. */
  readonly stopAfterMs?: number | undefined;
  /** How the runs of the container end, the first one first. Further runs do not end by themselves. */
  readonly exits?: readonly ContainerExit[] | undefined;
  /** The lines that each run of the container writes to its log. Default: none. */
  readonly logs?: readonly ScriptedLine[] | undefined;
  /** When the probes fail that the container has. Default: they succeed. */
  readonly probes?: {
    readonly startup?: readonly ProbeFailure[] | undefined;
    readonly readiness?: readonly ProbeFailure[] | undefined;
    readonly liveness?: readonly ProbeFailure[] | undefined;
  } | undefined;
  /** The reason why the container never starts, such as `ImagePullBackOff`, with a message. */
  readonly stuck?: { readonly reason: string; readonly message?: string | undefined } | undefined;
}

/** The life of containers that no rule mentions. */
export interface LifeDefaults {
  readonly startDelayMs: number;
  readonly readyDelayMs: number;
  readonly stopDelayMs: number;
  readonly outcome: PodOutcome | undefined;
  readonly lives: readonly PodLife[];
}

/** The script of one container. */
export interface ContainerLife {
  readonly startAfterMs: number;
  readonly readyAfterMs: number;
  readonly stopAfterMs: number;
  readonly exits: readonly ContainerExit[];
  readonly logs: readonly ScriptedLine[];
  readonly probes: NonNullable<PodLife["probes"]>;
  readonly stuck: PodLife["stuck"];
}

/** Returns the script of a container. An init container that runs to its end succeeds at once unless a rule names it. */
export function lifeOf(
  pod: Cached<Pod>,
  container: { readonly name: string; readonly runsToEnd: boolean },
  defaults: LifeDefaults,
): ContainerLife {
  const { lives, outcome, readyDelayMs, startDelayMs, stopDelayMs } = defaults;
  const exits: readonly ContainerExit[] = container.runsToEnd
    ? [{ afterMs: 0, exitCode: 0, times: Infinity }]
    : outcome === undefined
    ? []
    : [{ ...outcome, times: Infinity }];
  let life: ContainerLife = {
    startAfterMs: startDelayMs,
    readyAfterMs: readyDelayMs,
    stopAfterMs: stopDelayMs,
    exits,
    logs: [],
    probes: {},
    stuck: undefined,
  };
  for (const { container: name, selector = "", ...fields } of lives) {
    if (name === undefined ? container.runsToEnd : name !== container.name) continue;
    if (!parseSelector(selector).matches(pod.metadata.labels)) continue;
    const set = Object.entries(fields).filter(([, value]) => value !== undefined);
    life = { ...life, ...Object.fromEntries(set) };
    // An init container must end in every run, also after its scripted ones.
    if (container.runsToEnd && fields.exits !== undefined) {
      life = { ...life, exits: [...fields.exits, { afterMs: 0, exitCode: 0, times: Infinity }] };
    }
  }
  return life;
}

/** Returns how a run ends, 0 being the first run; undefined if the run does not end by itself. */
export function exitOf({ exits }: ContainerLife, run: number): ContainerExit | undefined {
  let first = 0;
  for (const exit of exits) {
    first += exit.times ?? 1;
    if (run < first) return exit;
  }
  return undefined;
}

/**
 * Checks the rules.
 *
 * @throws {SyntaxError} If a selector is not valid.
 * @throws {RangeError} If a time is negative or not a number, or lines are written again and again without a pause.
 */
export function requireLives(lives: readonly PodLife[]): void {
  for (const [index, life] of lives.entries()) {
    parseSelector(life.selector ?? "");
    const times: (readonly [string, number | undefined])[] = [
      ["startAfterMs", life.startAfterMs],
      ["readyAfterMs", life.readyAfterMs],
      ["stopAfterMs", life.stopAfterMs],
      ...(life.exits ?? []).map(({ afterMs }) => ["exits.afterMs", afterMs] as const),
      ...(life.logs ?? []).map(({ afterMs }) => ["logs.afterMs", afterMs] as const),
      ...Object.entries(life.probes ?? {}).flatMap(([probe, failures]) =>
        (failures ?? []).flatMap(({ fromMs, untilMs }) => [
          [`probes.${probe}.fromMs`, fromMs] as const,
          [`probes.${probe}.untilMs`, untilMs === Infinity ? undefined : untilMs] as const,
        ])
      ),
    ];
    for (const { everyMs = 1 } of life.logs ?? []) {
      if (everyMs >= 1) continue;
      throw new RangeError(`lives[${index}].logs.everyMs must be at least 1: received ${everyMs}`);
    }
    for (const [name, value = 0] of times) {
      if (value >= 0 && value < Infinity) continue;
      throw new RangeError(
        `lives[${index}].${name} must be a number of milliseconds: received ${value}`,
      );
    }
  }
}

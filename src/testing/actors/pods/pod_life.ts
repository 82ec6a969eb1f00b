import type { ScriptedLine } from "./container_output.ts";
import { type Cached, parseSelector, type Pod } from "@kubeloop/controller/types";
import { matchesWildcard } from "../../values/mod.ts";

/** When the containers of a Pod exit by themselves, and with which exit code. */
export interface PodOutcome {
  /** The time that the containers run, in milliseconds. */
  readonly afterMs: number;
  /** The exit code; 0 means success. */
  readonly exitCode: number;
}

/** An end of a container that its script says. */
export interface ContainerExit extends PodOutcome {
  /** How many runs of the container end like this; `always` for all further ones. Default 1. */
  readonly times?: number | "always" | undefined;
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

/** The answer to a command that a client runs in a container. */
export interface ExecAnswer {
  /** The command with its arguments, separated by spaces, in which `*` matches any characters. Default: every command. */
  readonly command?: string | undefined;
  /** The text on the standard output. Default: none. */
  readonly stdout?: string | undefined;
  /** The text on the standard error. Default: none. */
  readonly stderr?: string | undefined;
  /** The exit code. Default 0. */
  readonly exitCode?: number | undefined;
  /** The time that the command runs, in milliseconds. Default 0. */
  readonly afterMs?: number | undefined;
}

/** The CPU and the memory that a container or a Node uses, as quantities. */
export interface ContainerUsage {
  /** The CPU, such as `"100m"`. */
  readonly cpu: string;
  /** The memory, such as `"64Mi"`. */
  readonly memory: string;
}

/** The answer to HTTP requests to a port of a container. */
export interface PortAnswer {
  /** The port. */
  readonly port: number;
  /** The status code. Default 200. */
  readonly status?: number | undefined;
  /** The body. Default: a line with the names of the Pod and of the container, and the port. */
  readonly body?: string | undefined;
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
  /** The namespace of the Pods, in which `*` matches any characters. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** The name of the Pods, in which `*` matches any characters. Default: all names. */
  readonly name?: string | undefined;
  /** The kind and the name of their controller, such as `Job/backup-*`. Default: any, also none. */
  readonly owner?: string | undefined;
  /** The image of the container, such as `*:broken`. Default: all images. */
  readonly image?: string | undefined;
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
  /** The answers to commands: the first one with a command that matches. Default: a command is not found. */
  readonly exec?: readonly ExecAnswer[] | undefined;
  /** The answers to HTTP requests by `kubectl port-forward`. Default: each port of the container answers with its name. */
  readonly ports?: readonly PortAnswer[] | undefined;
  /** The CPU and the memory that the container uses while it runs, for `kubectl top` and autoscalers. Default: none. */
  readonly usage?: ContainerUsage | undefined;
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
  readonly exec: readonly ExecAnswer[];
  readonly ports: readonly PortAnswer[];
  readonly usage: PodLife["usage"];
}

/** The facts of a container that its life depends on. */
export interface LivingContainer {
  readonly name: string;
  readonly image: string;
  /** Whether it is an init container that runs to its end. */
  readonly runsToEnd: boolean;
}

/** Returns the script of a container. An init container that runs to its end succeeds at once unless a rule names it. */
export function lifeOf(
  pod: Cached<Pod>,
  container: LivingContainer,
  defaults: LifeDefaults,
): ContainerLife {
  const { lives, outcome, readyDelayMs, startDelayMs, stopDelayMs } = defaults;
  const exits: readonly ContainerExit[] = container.runsToEnd
    ? [SUCCESS]
    : outcome === undefined
    ? []
    : [{ ...outcome, times: "always" }];
  let life: ContainerLife = {
    startAfterMs: startDelayMs,
    readyAfterMs: readyDelayMs,
    stopAfterMs: stopDelayMs,
    exits,
    logs: [],
    probes: {},
    stuck: undefined,
    exec: [],
    ports: [],
    usage: undefined,
  };
  for (const rule of lives) {
    if (!matches(rule, pod, container)) continue;
    const {
      selector: _s,
      namespace: _ns,
      name: _n,
      owner: _o,
      image: _i,
      container: _c,
      ...fields
    } = rule;
    const set = Object.entries(fields).filter(([, value]) => value !== undefined);
    life = { ...life, ...Object.fromEntries(set) };
    // An init container must end in every run, also after its scripted ones.
    if (container.runsToEnd && fields.exits !== undefined) {
      life = { ...life, exits: [...fields.exits, SUCCESS] };
    }
  }
  return life;
}

/** The end of an init container that no rule names. */
const SUCCESS: ContainerExit = { afterMs: 0, exitCode: 0, times: "always" };

function matches(rule: PodLife, { metadata }: Cached<Pod>, container: LivingContainer): boolean {
  const { image = "*", name = "*", namespace = "*", owner = "*", selector = "" } = rule;
  if (rule.container === undefined ? container.runsToEnd : rule.container !== container.name) {
    return false;
  }
  const controller = metadata.ownerReferences?.find((one) => one.controller === true);
  return parseSelector(selector).matches(metadata.labels) &&
    matchesWildcard(metadata.namespace ?? "", namespace) &&
    matchesWildcard(metadata.name ?? "", name) &&
    matchesWildcard(container.image, image) &&
    matchesWildcard(controller === undefined ? "" : `${controller.kind}/${controller.name}`, owner);
}

/** Returns how a run ends, 0 being the first run; undefined if the run does not end by itself. */
export function exitOf({ exits }: ContainerLife, run: number): ContainerExit | undefined {
  let first = 0;
  for (const exit of exits) {
    first += exit.times === "always" ? Infinity : exit.times ?? 1;
    if (run < first) return exit;
  }
  return undefined;
}

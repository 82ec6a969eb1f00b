import {
  DEFAULT_MINOR,
  FEATURE_GATES,
  type KubernetesMinor,
  MINORS,
} from "../schema/generated/mod.ts";

/** A minor version of Kubernetes, whether the server knows it or not: code stays when a version is added or removed. */
export type MinorVersion = `1.${number}`;

/** The minor versions and the feature gate that something depends on. */
export interface Span {
  /** The first minor version that has it. Default: all of them. */
  readonly since?: MinorVersion;
  /** The last minor version that has it. Default: all later ones. */
  readonly until?: MinorVersion;
  /**
   * The feature gate that must be on. A gate that a minor version no longer has keeps its last default. A gate that the
   * oldest minor version does not have needs `since`, with the first minor version that has it.
   */
  readonly gate?: string;
}

/** The names that set all gates of a stage. */
const STAGES: Readonly<Record<string, string>> = { AllAlpha: "Alpha", AllBeta: "Beta" };

/** A minor version of Kubernetes with its feature gates. Everything that differs between releases depends on it. */
export class Release {
  /** The minor version. */
  readonly minor: KubernetesMinor;
  readonly #number: number;
  /** The feature gates that were set, and those about which someone has asked. Each request asks about several. */
  readonly #gates: Map<string, boolean>;

  /**
   * Creates a release.
   *
   * @param gates The feature gates to turn on or off, by name. `AllAlpha` and `AllBeta` set all gates of that stage that
   * are not named.
   * @throws {RangeError} If the minor version does not have a gate, or has locked it to the other value.
   */
  constructor(minor: KubernetesMinor, gates: Readonly<Record<string, boolean>> = {}) {
    this.minor = minor;
    this.#number = numberOf(minor);
    this.#gates = changedGates(minor, gates);
  }

  /** The full version, as in `v1.35.4`. */
  get version(): string {
    return MINORS[this.minor].release;
  }

  /** Reports whether the release has what depends on these minor versions and this feature gate. */
  has({ since, until, gate }: Span): boolean {
    return (since === undefined || numberOf(since) <= this.#number) &&
      (until === undefined || this.#number <= numberOf(until)) &&
      (gate === undefined || this.isOn(gate));
  }

  /**
   * Reports whether a feature gate is on. It is off in the minor versions before its first one.
   *
   * @throws {RangeError} If no minor version has a gate of that name.
   */
  isOn(gate: string): boolean {
    const known = this.#gates.get(gate);
    if (known !== undefined) return known;
    if (!Object.hasOwn(FEATURE_GATES, gate)) {
      throw new RangeError(`No feature gate is named ${gate}`);
    }
    const isOn = stateOf(gate, this.minor)?.isOn ?? false;
    this.#gates.set(gate, isOn);
    return isOn;
  }
}

const known = new Map<KubernetesMinor, Release>();

/**
 * Returns a minor version with the given feature gates.
 *
 * @throws {RangeError} If the minor version does not have a gate, or has locked it to the other value.
 */
export function releaseOf(
  minor: KubernetesMinor,
  gates: Readonly<Record<string, boolean>> = {},
): Release {
  if (Object.keys(gates).length > 0) return new Release(minor, gates);
  const release = known.get(minor) ?? new Release(minor);
  known.set(minor, release);
  return release;
}

/** The release of {@linkcode DEFAULT_MINOR} with its default feature gates. */
export const DEFAULT_RELEASE: Release = releaseOf(DEFAULT_MINOR);

function numberOf(minor: string): number {
  return Number(minor.slice("1.".length));
}

/** The state of a feature gate in one minor version. */
interface GateState {
  readonly stage: string;
  readonly isOn: boolean;
  readonly isLocked: boolean;
  /** Whether the minor version no longer has the gate. */
  readonly isRemoved: boolean;
}

/** Returns the state of a gate in a minor version; undefined if the gate is newer. */
function stateOf(gate: string, minor: KubernetesMinor): GateState | undefined {
  let state: GateState | undefined;
  for (const part of FEATURE_GATES[gate]!.split("; ")) {
    const [since = "", stage = "", value, lock] = part.split(" ");
    if (numberOf(since) > numberOf(minor)) break;
    state = stage === "removed" && state !== undefined
      ? { ...state, isRemoved: true }
      : { stage, isOn: value === "on", isLocked: lock === "locked", isRemoved: false };
  }
  return state;
}

function changedGates(
  minor: KubernetesMinor,
  gates: Readonly<Record<string, boolean>>,
): Map<string, boolean> {
  const set = new Map<string, boolean>();
  for (const [name, stage] of Object.entries(STAGES)) {
    if (gates[name] === undefined) continue;
    for (const gate of Object.keys(FEATURE_GATES)) {
      const state = stateOf(gate, minor);
      if (state?.stage === stage && !state.isLocked && !state.isRemoved) set.set(gate, gates[name]);
    }
  }
  for (const [gate, value] of Object.entries(gates)) {
    if (typeof value !== "boolean") {
      throw new RangeError(
        `the feature gate ${gate} is ${JSON.stringify(value)}, must be true or false`,
      );
    }
    if (Object.hasOwn(STAGES, gate)) continue;
    const state = Object.hasOwn(FEATURE_GATES, gate) ? stateOf(gate, minor) : undefined;
    if (state === undefined || state.isRemoved) {
      throw new RangeError(
        `unrecognized feature gate: ${gate}: Kubernetes ${minor} does not have it`,
      );
    }
    if (state.isLocked && state.isOn !== value) {
      throw new RangeError(
        `cannot set feature gate ${gate} to ${value}, feature is locked to ${state.isOn}`,
      );
    }
    set.set(gate, value);
  }
  return set;
}

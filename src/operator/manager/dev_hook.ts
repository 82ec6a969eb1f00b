import type { LeaderElectionOptions } from "../../election/mod.ts";
import type { Story } from "../stories/mod.ts";
import type { ManagerPhase } from "./manager_state.ts";

/** A manager, as a {@linkcode DevHook} sees it. */
export interface DevelopedManager extends AsyncDisposable {
  readonly name: string;
  stories(): AsyncIterable<Story>;
}

/**
 * The connection of `kubeloop dev` to the managers of the program that it runs: a property of the global object that the
 * command sets before the program is loaded. It needs neither a port nor a change of the program.
 */
export interface DevHook {
  /** Options of the election, which override the options of the program. */
  readonly leaderElection?: Partial<LeaderElectionOptions>;
  /** Called when a manager enters a phase, beginning with `starting`. It must not throw. */
  readonly entered: (manager: DevelopedManager, phase: ManagerPhase) => void;
}

const HOOK = Symbol.for("kubeloop.dev");

/** Returns the hook of `kubeloop dev`; undefined in any other process. */
export function devHook(): DevHook | undefined {
  return (globalThis as { [HOOK]?: DevHook })[HOOK];
}

import type { Right } from "../../rights/mod.ts";

/** A part of a manager: anything that runs until it is told to stop. */
export interface Part {
  /** The name in errors, unique within the manager. */
  readonly name: string;
  /**
   * Runs until the signal aborts, and resolves when everything that was started has stopped. A part that rejects stops the
   * manager.
   *
   * @param call The signal that stops the part.
   */
  run(call: { readonly signal: AbortSignal }): Promise<void>;
  /** The rights that the part needs, for `Manager.rbac`. Default: none. */
  readonly rights?: readonly Right[] | undefined;
  /** Whether the part runs on every replica, rather than on the leader alone. Default false. */
  readonly everyReplica?: boolean | undefined;
}

import { Brand, visibleText } from "../base/mod.ts";

const brand = new Brand("LeadershipLostError");

/** Maximum length of the message, in characters: it quotes the holder in the Lease, which may be any text. */
const MAX_LENGTH = 1_000;

/**
 * The error of a leader that lost its Lease. {@linkcode LeaderElector.run} rejects with it, and the signal of the leader
 * aborts with it. The process should exit, or call `run` again.
 *
 * @example
 * ```ts
 * import { LeadershipLostError } from "@kubeloop/controller/election";
 * import { assert } from "@std/assert";
 *
 * const error = new LeadershipLostError("default/widgets", "it is now held by \"b\"");
 * assert(LeadershipLostError.is(error) && error.lease === "default/widgets");
 * ```
 */
export class LeadershipLostError extends Error {
  /** Always `LeadershipLostError`. */
  override readonly name: string = "LeadershipLostError";
  /** The namespace and the name of the Lease, as in `default/widgets`. */
  readonly lease: string;
  /** The cause of the loss. */
  readonly reason: string;

  /** Creates the error of a Lease, for a reason. */
  constructor(lease: string, reason: string) {
    super(visibleText(`Lost the lease ${lease}: ${reason}`, MAX_LENGTH));
    this.lease = lease;
    this.reason = reason;
  }

  /** Reports whether `error` is a LeadershipLostError of this or another copy of the package. */
  static is(error: unknown): error is LeadershipLostError {
    return brand.isOn(error);
  }
}

brand.put(LeadershipLostError.prototype);

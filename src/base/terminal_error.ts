import { Brand } from "./brand.ts";
import { findCause } from "./find_cause.ts";

const brand = new Brand("TerminalError");

/**
 * An error that a retry cannot fix. Nothing retries it, nor an error that it has caused: a controller drops the key, and an
 * informer ends.
 *
 * @example Give up on an object that can never be reconciled
 * ```ts
 * import { TerminalError } from "@kubeloop/controller/base";
 * import { assert } from "@std/assert";
 *
 * function reconcile(size: number) {
 *   if (size < 0) throw new TerminalError(`spec.size is ${size}, must not be negative`);
 * }
 * try {
 *   reconcile(-1);
 * } catch (error) {
 *   assert(TerminalError.is(error));
 * }
 * ```
 */
export class TerminalError extends Error {
  /** Always `TerminalError`. */
  override readonly name: string = "TerminalError";

  /**
   * Reports whether `error` is a TerminalError of this or another copy of the package, or has one among its causes or the
   * errors of an `AggregateError`.
   */
  static is(error: unknown): error is TerminalError {
    return findCause(error, isMarked) !== undefined;
  }
}

function isMarked(error: unknown): error is TerminalError {
  return brand.isOn(error);
}

brand.put(TerminalError.prototype);

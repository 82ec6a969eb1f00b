import { Brand } from "../../base/mod.ts";

const brand = new Brand("FIFOClosedError");

/**
 * A queue was closed: what was in it has been taken, and nothing more is to be waited for.
 *
 * @example
 * ```ts
 * import { DeltaFIFO, FIFOClosedError } from "@kubeloop/controller/cache";
 * import { assert, assertRejects } from "@std/assert";
 *
 * const queue = new DeltaFIFO();
 * queue.close();
 * const error = await assertRejects(() => queue.pop(() => {}));
 * assert(FIFOClosedError.is(error));
 * ```
 */
export class FIFOClosedError extends Error {
  /** Always `FIFOClosedError`. */
  override readonly name: string = "FIFOClosedError";

  /** The error, with a message that says which queue it was when that is known. */
  constructor(message = "The queue is closed and empty") {
    super(message);
  }

  /** Whether `error` is a FIFOClosedError, of this or another copy of the package. */
  static is(error: unknown): error is FIFOClosedError {
    return brand.isOn(error);
  }
}

brand.put(FIFOClosedError.prototype);

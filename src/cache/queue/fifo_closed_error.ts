import { Brand } from "../../base/mod.ts";

const brand = new Brand("FIFOClosedError");

/**
 * The error that the consumers of a queue receive when the queue is closed and empty.
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

  /** Creates the error. The message names the queue if its name is known. */
  constructor(message = "The queue is closed and empty") {
    super(message);
  }

  /** Reports whether `error` is a FIFOClosedError, created by this or another copy of the package. */
  static is(error: unknown): error is FIFOClosedError {
    return brand.isOn(error);
  }
}

brand.put(FIFOClosedError.prototype);

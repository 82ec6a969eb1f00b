import { Brand } from "../base/mod.ts";

const brand = new Brand("AnswerTooLargeError");

/**
 * The error for an answer that is larger than the client's `maxBodyBytes`. Nothing of it is kept.
 *
 * Recognize it with {@linkcode AnswerTooLargeError.is}, which also recognizes errors of another copy of this package.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { AnswerTooLargeError, Pods } from "@kubeloop/controller/types";
 * import { assert, assertRejects } from "@std/assert";
 *
 * const client = new Client({
 *   maxBodyBytes: 10,
 *   fetch: () => Promise.resolve(new Response("a body of more than ten bytes")),
 * });
 * const error = await assertRejects(() => client.get(Pods, "web", { namespace: "default" }));
 * assert(AnswerTooLargeError.is(error));
 * ```
 */
export class AnswerTooLargeError extends RangeError {
  /** Always `AnswerTooLargeError`. */
  override readonly name: string = "AnswerTooLargeError";

  /**
   * Creates the error.
   *
   * @param maxBytes The largest answer that is read, in bytes.
   * @param request The method and the URL of the request, if they are known.
   */
  constructor(maxBytes: number, request: string = "The request") {
    super(
      `${request} was answered with more than ${maxBytes} bytes: ` +
        "list in pages (limit, pageSize), or raise maxBodyBytes of the client",
    );
    brand.put(this);
  }

  /** Reports whether `error` is an AnswerTooLargeError, of this or of another copy of the package. */
  static is(error: unknown): error is AnswerTooLargeError {
    return brand.isOn(error);
  }
}

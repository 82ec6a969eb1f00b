import { Brand } from "../../base/mod.ts";

const brand = new Brand("NoMatchError");
const unknown = new Brand("NoMatchError.unknown");

/**
 * The server has no resource of that kind or name. client-go's `NoKindMatchError` and `NoResourceMatchError`.
 *
 * @example
 * ```ts
 * import { Client, NoMatchError } from "@kubeloop/controller/client";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assert, assertRejects } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const error = await assertRejects(() => client.resourceFor("deploymnts"));
 * assert(NoMatchError.is(error));
 * ```
 */
export class NoMatchError extends Error {
  /** Always `NoMatchError`. */
  override readonly name: string = "NoMatchError";

  /** Reports whether `error` is a NoMatchError of this or another copy of the package. */
  static is(error: unknown): error is NoMatchError {
    return brand.isOn(error);
  }
}

brand.put(NoMatchError.prototype);

/** Marks an error about a kind whose API group did not answer, so that the server may have it after all. */
export function markUnknown(error: NoMatchError): NoMatchError {
  unknown.put(error);
  return error;
}

/** Reports whether an error is about a kind whose API group did not answer, so that the server may have it after all. */
export function isUnknownKind(error: unknown): boolean {
  return unknown.isOn(error);
}

import type { Client } from "@kubeloop/controller/client";
import {
  Brand,
  type Redact,
  redactOf,
  safeLogger,
  visibleText,
} from "@kubeloop/controller/internal/base";
import { explainError, type KubeObject, type Stored } from "@kubeloop/controller/types";

/** The maximum length of the error of one object in the message of an {@linkcode ApplyError}, in characters. */
const MAX_ERROR_LENGTH = 500;
/** The maximum number of failures in the message of an {@linkcode ApplyError}. Its `errors` has all of them. */
const MAX_NAMED = 10;

/** The result of applying an object. */
export interface ApplyResult {
  /**
   * - `created`: it did not exist before,
   * - `configured`: it has changed,
   * - `unchanged`: it was already as desired,
   * - `pruned`: it was a member of the apply set, was not applied this time, and has been deleted,
   * - `failed`: see `error`. If there is an `object`, the apply succeeded, and the wait for it failed.
   */
  readonly status: "created" | "configured" | "unchanged" | "pruned" | "failed";
  /** The group and version of the object. */
  readonly apiVersion: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object; undefined if it is cluster-scoped, or its kind is unknown. */
  readonly namespace: string | undefined;
  /** The object as the server returned it. */
  readonly object?: Stored<KubeObject> | undefined;
  /** The error of a failed object. */
  readonly error?: Error | undefined;
  /** The reason why a dry run could not check the object on the server. */
  readonly unchecked?: string | undefined;
}

/** Returns the name of an object for messages, such as `ConfigMap default/web`. */
export function nameOf(
  { kind, name, namespace }: Pick<ApplyResult, "kind" | "name" | "namespace">,
): string {
  return visibleText(`${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`, 600);
}

const brand = new Brand("ApplyError");

/**
 * Some objects could not be applied or deleted. `errors` has one error for each of them, with the name of the object, and the
 * original error as its cause. `results` has the results of all objects.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { applyAll, ApplyError } from "@kubeloop/kubectl";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const objects = ["good", "Not a name"].map((name) => ({
 *   apiVersion: "v1",
 *   kind: "ConfigMap",
 *   metadata: { name },
 * }));
 * try {
 *   await applyAll(client, objects, { namespace: "default" });
 * } catch (error) {
 *   if (!ApplyError.is(error)) throw error;
 *   assertEquals(error.results.map(({ name, status }) => [name, status]), [
 *     ["good", "created"],
 *     ["Not a name", "failed"],
 *   ]);
 * }
 * ```
 */
export class ApplyError<
  R extends Pick<ApplyResult, "kind" | "name" | "namespace" | "error"> = ApplyResult,
> extends AggregateError {
  /** Always `ApplyError`. */
  override readonly name: string = "ApplyError";
  /** The results of all objects, including the successful ones. */
  readonly results: readonly R[];

  /**
   * Creates the error of the results that have an error.
   *
   * @param verb The failed operation, such as `apply`.
   * @param results The results of all objects.
   * @param redact Replaces credentials in the messages, because names and errors come from a server. Default: returns the text.
   */
  constructor(verb: string, results: readonly R[], redact: Redact = (text) => text) {
    const failed = results.filter(({ error }) => error !== undefined);
    const errors = failed.map((result) => {
      const why = visibleText(redact(explainError(result.error)), MAX_ERROR_LENGTH);
      return new Error(`${redact(nameOf(result))}: ${why}`, { cause: result.error });
    });
    const named = errors.slice(0, MAX_NAMED).map(({ message }) => message).join("; ");
    const more = errors.length > MAX_NAMED ? `; and ${errors.length - MAX_NAMED} more` : "";
    const what = `Cannot ${verb} ${errors.length} of ${results.length} objects`;
    super(errors, `${what}: ${named}${more}`);
    this.results = results;
    brand.put(this);
  }

  /** Reports whether `error` is an ApplyError of this or another copy of the package. */
  static is(error: unknown): error is ApplyError {
    return brand.isOn(error);
  }
}

/**
 * Returns the results of a call.
 *
 * @throws {ApplyError} If objects failed.
 * @throws `signal.reason`, if the signal has aborted.
 */
export function succeeded<R extends Pick<ApplyResult, "kind" | "name" | "namespace" | "error">>(
  verb: string,
  { environment: { logger } }: Client,
  results: R[],
  signal: AbortSignal | undefined,
): R[] {
  signal?.throwIfAborted();
  if (results.every(({ error }) => error === undefined)) return results;
  throw new ApplyError(verb, results, redactOf(safeLogger(logger)));
}

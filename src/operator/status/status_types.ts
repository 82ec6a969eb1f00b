import type { Condition, DeepReadonly, KubeObject } from "../../types/mod.ts";

/**
 * The type of the status of an object; any fields if its interface has no status.
 *
 * @typeParam T The interface of the object.
 */
export type StatusOf<T extends KubeObject> = T extends { status?: infer S }
  ? unknown extends S ? Record<string, unknown> : NonNullable<S>
  : Record<string, unknown>;

/**
 * The fields of a status to set. Null removes a field. Undefined and missing fields do not change.
 *
 * @typeParam T The interface of the object.
 */
export type StatusFields<T extends KubeObject> = {
  readonly [K in keyof StatusOf<T> as Exclude<K, "conditions">]?:
    | DeepReadonly<StatusOf<T>[K]>
    | null
    | undefined;
};

/** Sets and removes conditions, and writes early. The calls can be chained. */
export interface StatusConditions {
  /**
   * Sets a condition. Its `lastTransitionTime` changes only if `status` does.
   *
   * @param type The type, such as `Ready`.
   * @param status Whether the condition holds.
   * @param reason The reason, as a CamelCase word for programs.
   * @param message The details, for people. At most 32,768 characters are kept. Default: empty.
   * @throws {TypeError} If an argument is invalid.
   */
  condition(
    type: string,
    status: Condition["status"],
    reason: string,
    message?: string,
  ): StatusConditions;

  /**
   * Removes a condition that this controller has set.
   *
   * @param type The type, such as `Ready`.
   * @throws {TypeError} If the type is invalid.
   */
  removeCondition(type: string): StatusConditions;

  /**
   * Writes the fields and conditions so far, for example before a long operation. Nothing is sent if nothing changes. Later
   * changes are written at the end of the reconcile, as usual.
   *
   * @throws {Error} If the kind has no subresource `status`, or the reconcile has ended.
   * @throws {StatusError} If the server rejects the status.
   */
  write(): Promise<void>;
}

/**
 * Sets fields of the status of the reconciled object. It may be called several times.
 *
 * @typeParam T The interface of the object.
 * @param fields The fields to set. Other fields do not change.
 * @returns Methods that set and remove conditions.
 * @throws {TypeError} If the fields are not an object, contain `conditions`, or cannot be expressed in JSON.
 */
export type SetStatus<T extends KubeObject> = (fields?: StatusFields<T>) => StatusConditions;

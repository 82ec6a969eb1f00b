import type { KubeObject, StatusCause } from "../types/mod.ts";

/** The operation of a request. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE";

/** The user whose request is reviewed. */
export interface AdmissionUser {
  /** The name, such as `system:serviceaccount:default:builder`. */
  readonly username?: string;
  /** The uid of the user. */
  readonly uid?: string;
  /** The groups of the user. */
  readonly groups?: readonly string[];
  /** More attributes from the authenticator. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A request that an admission webhook reviews.
 *
 * @typeParam T The interface of the objects.
 */
export interface AdmissionRequest<T extends KubeObject> {
  /** The operation. */
  readonly operation: AdmissionOperation;
  /** The object to store; for DELETE, the object to delete. */
  readonly object: T;
  /** The stored object; undefined for CREATE. */
  readonly oldObject: T | undefined;
  /** The name of the object; empty if the server generates it. */
  readonly name: string;
  /** The namespace of the object; empty if it is cluster-scoped. */
  readonly namespace: string;
  /** The subresource of the request, such as `status`; undefined for the object itself. */
  readonly subresource: string | undefined;
  /** The user who makes the request. */
  readonly userInfo: AdmissionUser;
  /** Whether the request is a dry run, which must have no side effects. */
  readonly dryRun: boolean;
  /** The options of the request, such as `CreateOptions`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The whole `request` of the AdmissionReview. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Aborts at the deadline of the API server, and when the API server closes the request. */
  readonly signal: AbortSignal;
  /** Shows the user a warning, whatever the verdict is. Clients such as kubectl print it, and may cut it after 120 characters. */
  warn(message: string): void;
}

/** An invalid field. */
export interface FieldProblem {
  /** The path of the field, such as `spec.size`. */
  readonly field: string;
  /** The error, such as `must be at least 1`. */
  readonly message: string;
  /** The reason for programs. Default: `FieldValueInvalid`. */
  readonly reason?: StatusCause["reason"];
}

/**
 * The verdict of a validation. Undefined or an empty list allows the request, a message denies it with 403, and invalid
 * fields deny it with 422, like the API server itself. To deny it with another Status, throw a `StatusError`.
 */
export type AdmissionVerdict = undefined | void | string | readonly FieldProblem[];

/**
 * The functions of an admission webhook.
 *
 * @typeParam T The interface of the objects.
 */
export interface AdmissionFunctions<T extends KubeObject> {
  /** Validates a request. */
  readonly validate?: (
    request: AdmissionRequest<T>,
  ) => AdmissionVerdict | Promise<AdmissionVerdict>;
  /**
   * Changes an object before it is stored: either changes `object`, which is a copy, or returns another object. Not called
   * for DELETE. It must be idempotent: the API server may call it again with its result.
   */
  readonly mutate?: (
    request: AdmissionRequest<T>,
  ) => T | undefined | void | Promise<T | undefined | void>;
}

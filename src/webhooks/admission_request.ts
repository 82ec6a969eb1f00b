import type { KubeObject, StatusCause } from "../types/mod.ts";

/** What a client asks the API server to do with an object. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE";

/** The user whose request is reviewed. */
export interface AdmissionUser {
  /** The name, such as `system:serviceaccount:default:builder`. */
  readonly username?: string;
  /** The uid of the user. */
  readonly uid?: string;
  /** The groups of the user. */
  readonly groups?: readonly string[];
  /** More facts that the authenticator has found. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A request that an admission webhook decides on.
 *
 * @typeParam T The interface of the objects.
 */
export interface AdmissionRequest<T extends KubeObject> {
  /** What the client asks for. */
  readonly operation: AdmissionOperation;
  /** The object as it will be stored; for DELETE, the object that is deleted. */
  readonly object: T;
  /** The object as it is stored: undefined for CREATE. */
  readonly oldObject: T | undefined;
  /** The name of the object; empty if the server will generate it. */
  readonly name: string;
  /** The namespace of the object; empty if it is cluster-scoped. */
  readonly namespace: string;
  /** The subresource that the request is for, such as `status`; undefined for the object itself. */
  readonly subresource: string | undefined;
  /** The user who makes the request. */
  readonly userInfo: AdmissionUser;
  /** Whether nothing will be stored: have no effects outside then. */
  readonly dryRun: boolean;
  /** The options of the request, such as `CreateOptions`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The whole `request` of the AdmissionReview. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Aborts at the deadline that the API server has set, and when it does not wait any more. */
  readonly signal: AbortSignal;
  /** Shows the user a warning, whatever the verdict is. kubectl prints it. At most 120 characters are sure to be shown. */
  warn(message: string): void;
}

/** A field that is invalid. */
export interface FieldProblem {
  /** The path of the field, such as `spec.size`. */
  readonly field: string;
  /** What is wrong, such as `must be at least 1`. */
  readonly message: string;
  /** The reason for programs. Default: `FieldValueInvalid`. */
  readonly reason?: StatusCause["reason"];
}

/**
 * What a validation has found: nothing allows the request; a message denies it with 403, fields that are invalid with
 * 422, as the API server itself answers. To deny it with any other Status, throw a `StatusError`.
 */
export type AdmissionVerdict = undefined | void | string | readonly FieldProblem[];

/**
 * The functions of an admission webhook.
 *
 * @typeParam T The interface of the objects.
 */
export interface AdmissionFunctions<T extends KubeObject> {
  /** Decides whether a request is allowed. */
  readonly validate?: (
    request: AdmissionRequest<T>,
  ) => AdmissionVerdict | Promise<AdmissionVerdict>;
  /**
   * Changes an object before it is stored: changes `object`, which is a copy, or returns another. Not called for
   * DELETE. It must give the same result if it is called again with that.
   */
  readonly mutate?: (
    request: AdmissionRequest<T>,
  ) => T | undefined | void | Promise<T | undefined | void>;
}

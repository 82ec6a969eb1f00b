import type { ListMeta } from "./meta.ts";

/** A single cause of a failure. */
export interface StatusCause {
  /** The reason for the cause, as a CamelCase word for programs, such as `FieldValueRequired`. */
  reason?: string;
  /** The description of the cause, for people. */
  message?: string;
  /** The field of the object that caused the failure. */
  field?: string;
}

/** The details of a {@linkcode Status}. */
export interface StatusDetails {
  /** The name of the object. */
  name?: string;
  /** The API group of the object. */
  group?: string;
  /** The resource of the object or, for some failures, the kind. */
  kind?: string;
  /** The UID of the object. */
  uid?: string;
  /** The causes of the failure, such as the invalid fields. */
  causes?: StatusCause[];
  /** How long to wait before the next attempt, in seconds. */
  retryAfterSeconds?: number;
}

/** The response of the API server for a failure, and for a success that returns no object. */
export interface Status {
  /** Always `Status`. */
  kind?: "Status";
  /** Always `v1`. */
  apiVersion?: string;
  /** The metadata of the response. The Status of an expired continue token has a usable token here. */
  metadata?: ListMeta;
  /** The outcome of the request. */
  status?: "Success" | "Failure";
  /** The description of the status, for people. */
  message?: string;
  /** The reason for the failure, as a CamelCase word for programs, such as `NotFound`. */
  reason?: string;
  /** The details of the failure, such as the object that it is about. */
  details?: StatusDetails;
  /** The HTTP status code. */
  code?: number;
}

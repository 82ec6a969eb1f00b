import type { ListMeta } from "./meta.ts";

/** One cause of a failure. */
export interface StatusCause {
  /** A word for machines, as in `FieldValueRequired`. */
  reason?: string;
  /** A sentence for people. */
  message?: string;
  /** The field that caused it. */
  field?: string;
}

/** What a {@linkcode Status} is about. */
export interface StatusDetails {
  /** The object's name. */
  name?: string;
  /** The API group. */
  group?: string;
  /** The resource or, for some failures, the kind. */
  kind?: string;
  /** The object's uid. */
  uid?: string;
  /** The single causes. */
  causes?: StatusCause[];
  /** How long to wait before the next try, in seconds. */
  retryAfterSeconds?: number;
}

/** How the API server reports failures, and successes that have no object to show. */
export interface Status {
  /** Always `Status`. */
  kind?: "Status";
  /** Always `v1`. */
  apiVersion?: string;
  /** An expired continue token's Status carries a usable one here. */
  metadata?: ListMeta;
  /** How it went. */
  status?: "Success" | "Failure";
  /** A sentence for people. */
  message?: string;
  /** A word for machines, as in `NotFound`. */
  reason?: string;
  /** What it is about. */
  details?: StatusDetails;
  /** The HTTP status code. */
  code?: number;
}

import type { ResourceDescriptor } from "../../types/mod.ts";

/** A request that has ended, with its retries. */
export interface EndedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The status code of the answer; undefined if the request failed without one, or was aborted. */
  readonly status: number | undefined;
  /** The time that the request took, retries included, in milliseconds. */
  readonly durationMs: number;
  /** The error with which the request failed; undefined if it succeeded. */
  readonly error?: unknown;
}

/** An object that the server returned for a write. */
export interface WrittenObject {
  /** The HTTP method: `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** The resource of the object. */
  readonly resource: ResourceDescriptor;
  /** The subresource that was written, such as `status`; undefined for the object itself. */
  readonly subresource: string | undefined;
  /** Whether the write was only tried: the server did not keep it. */
  readonly dryRun: boolean;
  /** What the server returned: the object, or for some deletions and subresources another one. */
  readonly object: unknown;
}

/** Learns what a client does; see `Client.observed`. The methods must not throw. */
export interface ClientObserver {
  /** Called when a request has ended. */
  ended?(request: EndedRequest): void;
  /** Called with each object that a write returned, before the caller gets it. */
  wrote?(written: WrittenObject): void;
}

/** Whom a requester tells of its requests, and what ends them all. */
export interface Observation {
  readonly observer: ClientObserver;
  readonly signal: AbortSignal | undefined;
}

import { describeError, type Logger, type MetricsProvider, tellUser } from "../../base/mod.ts";
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
  /** The `Audit-Id` of the last answer, which names the request in the audit log of the server; undefined without one. */
  readonly auditId?: string | undefined;
  /** The body of the request, as JSON text, which may hold confidential values; undefined without one. */
  readonly body?: string | undefined;
}

/** An object that the server returned for a write. */
export interface WrittenObject {
  /** The HTTP method: `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** The resource of the object. */
  readonly resource: ResourceDescriptor;
  /** The name of the object; undefined if the server generated it: then `object` has it. */
  readonly name: string | undefined;
  /** The namespace of the object; undefined for a cluster-scoped one. */
  readonly namespace: string | undefined;
  /** The subresource that was written, such as `status`; undefined for the object itself. */
  readonly subresource: string | undefined;
  /** The field manager of the write. */
  readonly fieldManager: string;
  /** Whether the write was only tried: the server did not keep it. */
  readonly dryRun: boolean;
  /** The object in the response. For some deletions and subresources, it is of another kind. */
  readonly object: unknown;
}

/** A request that has not ended. */
export type SendingRequest = Pick<EndedRequest, "method" | "path">;

/** Learns what a client does; see `Client.observed`. What its methods throw is logged, and changes nothing. */
export interface ClientObserver {
  /** Called at the start of each request, once for all of its retries. A call of `ended` follows. */
  begins?(request: SendingRequest): void;
  /**
   * Called just before each request is sent, retries included, after all waiting. If it aborts a signal of the
   * request, or returns an error, the request is not sent. With an error, it fails with that error, without a retry.
   */
  sends?(request: SendingRequest): Error | undefined | void;
  /** Called when a request has ended. */
  ended?(request: EndedRequest): void;
  /** Called with each object that a write returned, before the caller gets it. */
  wrote?(written: WrittenObject): void;
}

/** Options of `Client.observed`. */
export interface ObservedOptions {
  /** Ends all requests of the returned client, besides their own signals. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the metrics of the returned client, and of its informers. Default: the metrics of the client. */
  readonly metrics?: MetricsProvider | undefined;
  /** Whether the server only tries all writes, as with their option `dryRun`. Default: as the client does. */
  readonly dryRun?: boolean | undefined;
  /**
   * Whether its requests do not wait for `qps` of the client: for a few urgent requests, such as the renewal of a
   * Lease. Default false.
   */
  readonly unlimited?: boolean | undefined;
}

/** Returns an observer that does not throw: a write that the server has carried out must not seem to have failed. */
export function guardedObserver(observer: ClientObserver, logger: Logger): ClientObserver {
  const tell = (method: keyof ClientObserver, call: () => void) =>
    tellUser(
      call,
      (error) => logger.error(`${method}() of an observer threw: ${describeError(error)}`),
    );
  return {
    ...(observer.begins && {
      begins: (request: SendingRequest) => tell("begins", () => observer.begins?.(request)),
    }),
    ...(observer.sends && {
      sends: (request: SendingRequest) => {
        let refusal: unknown;
        tell("sends", () => refusal = observer.sends?.(request));
        return refusal instanceof Error ? refusal : undefined;
      },
    }),
    ...(observer.ended && {
      ended: (request: EndedRequest) => tell("ended", () => observer.ended?.(request)),
    }),
    ...(observer.wrote && {
      wrote: (written: WrittenObject) => tell("wrote", () => observer.wrote?.(written)),
    }),
  };
}

/** Returns an observer that tells both. */
export function joinObservers(a: ClientObserver | undefined, b: ClientObserver): ClientObserver {
  if (a === undefined) return b;
  return {
    begins(request) {
      a.begins?.(request);
      b.begins?.(request);
    },
    sends(request) {
      const refusal = a.sends?.(request);
      return b.sends?.(request) ?? refusal;
    },
    ended(request) {
      a.ended?.(request);
      b.ended?.(request);
    },
    wrote(written) {
      a.wrote?.(written);
      b.wrote?.(written);
    },
  };
}

/** The observer of a requester's requests, and the signal that aborts them. */
export interface Observation extends ObservedOptions {
  readonly observer: ClientObserver;
}

import { keepBody } from "../../base/mod.ts";
import type { HeaderLine } from "../config/mod.ts";

const encoder = new TextEncoder();

/** A connection pool with the certificates of one configuration, and the `fetch` that uses it. */
export interface Transport {
  /** Makes a request over the connections of the pool, like the global `fetch`. */
  readonly fetch: (url: string, init: TransportRequest) => Promise<Response>;
  /** Closes the connections after the running requests have ended. */
  drain(): Promise<void>;
  /** Closes the connections immediately. */
  close(): Promise<void>;
}

/** A request to a {@linkcode Transport}. */
export interface TransportRequest {
  readonly method: string;
  /** The header lines. Lines of the same name are sent as separate lines. */
  readonly headers: readonly HeaderLine[];
  readonly body: string | null;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
  readonly expects: ResponseKind;
}

/** The kind of response: a long-lived stream of events or text, a large body, or neither. */
export type ResponseKind = "watch" | "log" | "list" | "other";

/** The error for a configuration that the runtime does not support. The message says what to do instead. */
export class UnsupportedError extends Error {
  override readonly name: string = "UnsupportedError";
}

/** A replacement for the runtime's `fetch`, such as an in-process server or a recorder. */
export type Fetch = (request: Request) => Promise<Response>;

/** Returns a transport that makes requests with `given`. */
export function injectedTransport(given: Fetch): Transport {
  return {
    fetch: (url, { headers, expects: _, ...init }) => {
      const lines = headers.map(([name, value]): [string, string] => [name, value]);
      const request = new Request(url, { ...init, headers: lines });
      return given(init.body === null ? request : keepBody(request, encoder.encode(init.body)));
    },
    drain: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

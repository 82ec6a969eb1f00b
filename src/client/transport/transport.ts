import type { HeaderLine } from "../config/mod.ts";

/** How requests leave the process: one connection pool, with the certificates of one configuration. */
export interface Transport {
  /** Like the global `fetch`, with the pool's connections. */
  readonly fetch: (url: string, init: TransportRequest) => Promise<Response>;
  /** Lets what is under way go on to its end; resolves when it has ended and the connections are closed. */
  drain(): Promise<void>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** What a {@linkcode Transport} is asked for. */
export interface TransportRequest {
  readonly method: string;
  /** Lines with the same name are sent as several lines. */
  readonly headers: readonly HeaderLine[];
  readonly body: string | null;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
  /** Whether the answer is a stream that may last. */
  readonly isWatch: boolean;
}

/** This runtime cannot do what the configuration asks for. The message says what to do. */
export class UnsupportedError extends Error {
  override readonly name: string = "UnsupportedError";
}

/** A replacement for `fetch`: an in-process server, a recorder, a proxy of your own. */
export type Fetch = (request: Request) => Promise<Response>;

/** A transport over a `fetch` that was given. */
export function injectedTransport(given: Fetch): Transport {
  return {
    fetch: (url, { headers, isWatch: _, ...init }) =>
      given(new Request(url, { ...init, headers: headers.map(([name, value]) => [name, value]) })),
    drain: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

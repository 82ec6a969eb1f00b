import type { TlsSettings } from "./config.ts";
import { bunTransport } from "./transport_bun.ts";
import { denoTransport } from "./transport_deno.ts";
import { nodeTransport } from "./transport_node.ts";

/** How requests leave the process: one connection pool, with the certificates of one configuration. */
export interface Transport {
  /** Like the global `fetch`, with the pool's connections. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** A replacement for `fetch`: an in-process server, a recorder, a proxy of your own. */
export type Fetch = (request: Request) => Promise<Response>;

/** A transport over a `fetch` that was given. */
export function injectedTransport(given: Fetch): Transport {
  return {
    fetch: (url, init) => given(new Request(url, init)),
    close: () => Promise.resolve(),
  };
}

/** The transport of the runtime this is: Deno, Bun or Node. */
export function runtimeTransport(tls: TlsSettings): Transport {
  if ("Deno" in globalThis) return denoTransport(tls);
  if ("Bun" in globalThis) return bunTransport(tls);
  return nodeTransport(tls);
}

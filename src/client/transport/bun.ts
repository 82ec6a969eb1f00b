import { isUnencrypted, type TransportSettings } from "../config/mod.ts";
import { HttpPool } from "./http_pool.ts";
import { tlsOptions } from "./tls_options.ts";
import type { Transport, TransportRequest } from "./transport.ts";

let transports = 0;

/**
 * Creates the transport of Bun: lists use Bun's `fetch`, everything else `node:http` and `node:https`.
 *
 * Bun's `fetch` has one connection pool for the whole process. The pool keeps the connections of closed clients, makes at
 * most 256 requests at a time and lets the others wait without notice, and joins header lines of the same name. But it reads
 * large bodies two to three times faster than `node:http`. So lists use it, each over a connection of its own, which is not
 * kept.
 *
 * A list does without `fetch` where it would go through a proxy of the environment that must not get it, and through a
 * configured proxy.
 */
export function bunTransport(settings: TransportSettings): Transport {
  const pool = new HttpPool(settings);
  if (settings.proxyUrl !== undefined) return pool;
  const viaFetch = fetchWith(settings);
  return {
    fetch: (url, request) =>
      request.expects === "list" && !repeatsNames(request) && !usesOtherProxy(url)
        ? viaFetch(url, request)
        : pool.fetch(url, request),
    drain: () => pool.drain(),
    close: () => pool.close(),
  };
}

/** Returns Bun's `fetch` with the settings of one client. */
function fetchWith(
  settings: TransportSettings,
): (url: string, request: TransportRequest) => Promise<Response> {
  const { tlsServerName } = settings;
  // Bun shares connections among requests with equal options. A line that PEM ignores keeps two clients apart.
  const mark = `# kubeloop ${++transports}\n`;
  const { ca, cert, key, ...others } = tlsOptions(settings);
  const tls = {
    ...others,
    ...(ca === undefined ? {} : { ca: mark + ca }),
    ...(cert === undefined ? {} : { cert: mark + cert, key }),
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
  };
  return (url, { headers, expects: _, ...init }) =>
    fetch(url, {
      ...init,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      tls,
      keepalive: false,
      // Otherwise, Bun ends a body that sends nothing for six minutes.
      timeout: false,
    } as RequestInit);
}

/**
 * Reports whether `fetch` would send a request through a proxy that must not get it. Bun looks for the proxy in the
 * environment at each `fetch`, and has no option against it.
 */
function usesOtherProxy(url: string): boolean {
  return Object.keys(globalThis.process.env).some((name) =>
    /^(http|https|all)_proxy$/i.test(name)
  ) &&
    isUnencrypted(url);
}

/** Reports whether there are several header lines of the same name, which `fetch` joins. */
function repeatsNames({ headers }: TransportRequest): boolean {
  return new Set(headers.map(([name]) => name)).size < headers.length;
}

import { HttpPool } from "./http_pool.ts";
import type { TransportSettings } from "../config/mod.ts";
import { type Transport, UnsupportedError } from "./transport.ts";

let transports = 0;

/**
 * Returns the transport for Bun, which makes requests with `node:http` and `node:https`.
 *
 * Bun's `fetch` uses one connection pool for the whole process, which has three drawbacks. The pool keeps the
 * connections of a closed client. It makes at most 256 requests at a time, and queues the others silently. It joins
 * header lines of the same name into one line.
 *
 * Only `fetch` supports proxies, so these limits remain if a proxy is configured. The environment variable
 * `BUN_CONFIG_MAX_HTTP_REQUESTS` raises the second limit.
 */
export function bunTransport(settings: TransportSettings): Transport {
  if (settings.proxyUrl !== undefined) return proxiedTransport(settings, settings.proxyUrl);
  const pool = new HttpPool(tlsOptions(settings, ""), settings.tlsServerName);
  return {
    fetch: (url, request) => pool.request(url, request),
    drain: () => Promise.resolve(pool.drain()),
    close: () => Promise.resolve(pool.close()),
  };
}

function proxiedTransport(settings: TransportSettings, proxy: string): Transport {
  const { tlsServerName } = settings;
  // Bun shares connections between requests with equal TLS options. A different comment in the PEM text of each client
  // keeps their connections apart.
  const tls = {
    ...tlsOptions(settings, `# kubeloop ${++transports}\n`),
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
  };
  return {
    fetch: async (url, { headers, isWatch: _, ...init }) => {
      if (new Set(headers.map(([name]) => name)).size < headers.length) {
        throw new UnsupportedError(
          "Bun cannot impersonate several groups through a proxy: use Node or Deno, or one group",
        );
      }
      return await fetch(url, {
        ...init,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        tls,
        // By default, Bun ends a body after six minutes without data.
        timeout: false,
        proxy,
      } as RequestInit);
    },
    // Bun closes idle connections itself.
    drain: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Returns the TLS options, with `mark` in front of each certificate. */
function tlsOptions(
  { caData, certData, keyData, insecureSkipTlsVerify }: TransportSettings,
  mark: string,
) {
  return {
    ...(caData === undefined ? {} : { ca: mark + caData }),
    ...(certData === undefined || keyData === undefined
      ? {}
      : { cert: mark + certData, key: keyData }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}

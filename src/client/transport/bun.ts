import { HttpPool } from "./http_pool.ts";
import type { TransportSettings } from "../config/mod.ts";
import { type Transport, UnsupportedError } from "./transport.ts";

let transports = 0;

/**
 * Bun: requests go over `node:http` and `node:https`. Bun's `fetch` has one pool of connections for the process: it keeps
 * those of a client that is closed, makes at most 256 requests at a time and lets the others wait without a word, and it
 * joins header lines of one name.
 *
 * Only `fetch` knows proxies, so behind one these limits remain; BUN_CONFIG_MAX_HTTP_REQUESTS raises the second.
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
  // Bun shares connections among requests with equal options. A line that PEM ignores keeps two clients apart.
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
        // Bun ends a quiet body after six minutes unless told not to.
        timeout: false,
        proxy,
      } as RequestInit);
    },
    // Bun closes idle connections itself.
    drain: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** The certificates, each with `mark` before it. */
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

import { HttpPool } from "./http_pool.ts";
import type { TransportSettings } from "../config/mod.ts";
import { type Transport, UnsupportedError } from "./transport.ts";

let transports = 0;

/**
 * Bun: `fetch` takes certificates itself, and ends a quiet body after six minutes unless told not to.
 *
 * Two kinds of requests go over `node:https` instead: watches, since Bun's `fetch` makes at most 256 requests at a time
 * and lets the others wait without a word; and those with several header lines of one name, which it would join. Only
 * `fetch` knows proxies, so behind one both bounds remain: BUN_CONFIG_MAX_HTTP_REQUESTS raises the first.
 */
export function bunTransport(settings: TransportSettings): Transport {
  const { caData, certData, keyData, tlsServerName, insecureSkipTlsVerify, proxyUrl } = settings;
  // Bun shares connections among requests with equal options. A line that PEM ignores keeps two clients apart.
  const mark = `# kubeloop ${++transports}\n`;
  const trust = {
    ...(caData === undefined ? {} : { ca: mark + caData }),
    ...(certData === undefined || keyData === undefined
      ? {}
      : { cert: mark + certData, key: keyData }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
  const tls = { ...trust, ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }) };
  const pool = new HttpPool(trust, tlsServerName);
  return {
    fetch: async (url, request) => {
      const { headers, isWatch, ...init } = request;
      const isRepeating = new Set(headers.map(([name]) => name)).size < headers.length;
      if (proxyUrl === undefined && (isWatch || isRepeating)) {
        return await pool.request(url, request);
      }
      if (isRepeating) {
        throw new UnsupportedError(
          "Bun cannot impersonate several groups through a proxy: use Node or Deno, or one group",
        );
      }
      return await fetch(url, {
        ...init,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        tls,
        timeout: false,
        ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }),
      } as RequestInit);
    },
    // Bun keeps one pool of `fetch` for the process, and closes idle connections itself.
    drain: () => Promise.resolve(pool.drain()),
    close: () => Promise.resolve(pool.close()),
  };
}

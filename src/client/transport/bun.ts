import { HttpPool } from "./http_pool.ts";
import { isUnencrypted, type TransportSettings } from "../config/mod.ts";
import { type Transport, type TransportRequest, UnsupportedError } from "./transport.ts";

let transports = 0;

/**
 * Creates the transport of Bun: lists use Bun's `fetch`, everything else `node:http` and `node:https`.
 *
 * Bun's `fetch` has one connection pool for the whole process. The pool keeps the connections of closed clients, makes at
 * most 256 requests at a time and lets the others wait without notice, and joins header lines of the same name. But it reads
 * large bodies two to three times faster than `node:http`. So lists use it, each over a connection of its own, which is not
 * kept.
 *
 * A list does without `fetch` where it would go through a proxy of the environment that must not get it.
 *
 * Only `fetch` supports explicit proxies, so behind a proxy these limits apply to all requests. `BUN_CONFIG_MAX_HTTP_REQUESTS`
 * raises the second.
 */
export function bunTransport(settings: TransportSettings): Transport {
  const viaFetch = fetchWith(settings);
  if (settings.proxyUrl !== undefined) {
    return {
      fetch: async (url, request) => {
        if (!repeatsNames(request)) return await viaFetch(url, request, true);
        throw new UnsupportedError(
          "Bun cannot impersonate several groups through a proxy: use Node or Deno, or one group",
        );
      },
      // Bun closes idle connections itself.
      drain: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  const pool = new HttpPool(tlsOptions(settings, ""), settings.tlsServerName);
  return {
    fetch: (url, request) =>
      request.expects === "list" && !repeatsNames(request) && !usesOtherProxy(url)
        ? viaFetch(url, request, false)
        : pool.request(url, request),
    drain: () => Promise.resolve(pool.drain()),
    close: () => Promise.resolve(pool.close()),
  };
}

/** Returns Bun's `fetch` with the settings of one client. */
function fetchWith(
  settings: TransportSettings,
): (url: string, request: TransportRequest, keepalive: boolean) => Promise<Response> {
  const { tlsServerName, proxyUrl } = settings;
  // Bun shares connections among requests with equal options. A line that PEM ignores keeps two clients apart.
  const tls = {
    ...tlsOptions(settings, `# kubeloop ${++transports}\n`),
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
  };
  return (url, { headers, expects: _, ...init }, keepalive) =>
    fetch(url, {
      ...init,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      tls,
      keepalive,
      // Otherwise, Bun ends a body that sends nothing for six minutes.
      timeout: false,
      ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }),
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

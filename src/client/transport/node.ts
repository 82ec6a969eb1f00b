import { realClock } from "../../base/mod.ts";
import {
  type HeaderLine,
  isUnencrypted,
  proxyAuthorization,
  splitProxyUrl,
  type TransportSettings,
} from "../config/mod.ts";
import { HttpPool } from "./http_pool.ts";
import { type ServerNameOptions, serverNameOptions } from "./server_name.ts";
import { type Transport, UnsupportedError } from "./transport.ts";

interface DispatchOptions {
  readonly headers: readonly string[] | Readonly<Record<string, string | string[]>>;
}

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: unknown): boolean;
}

interface Pool extends Dispatcher {
  close(): Promise<void>;
  destroy(): Promise<void>;
}

interface ConnectOptions extends ServerNameOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
}

interface PoolOptions {
  readonly bodyTimeout: number;
  readonly headersTimeout: number;
  readonly keepAliveTimeout: number;
}

interface Undici {
  readonly Agent: new (options: PoolOptions & { readonly connect: ConnectOptions }) => Pool;
  readonly ProxyAgent: new (
    options: PoolOptions & {
      readonly uri: string;
      readonly token?: string;
      readonly requestTls: ConnectOptions;
      readonly proxyTls: ConnectOptions;
    },
  ) => Pool;
}

const POOL_OPTIONS: PoolOptions = {
  // A watch without events is not broken.
  bodyTimeout: 0,
  headersTimeout: 0,
  // With undici's default of 4 s, every lease renewal would need a new TLS session. API servers keep idle connections
  // for 90 s.
  keepAliveTimeout: 60_000,
};

/**
 * Returns the transport for Node: the built-in `fetch` with an agent of undici 7. The agent supports certificates and
 * does not end a body after five minutes without data.
 *
 * undici is an optional dependency. Without it, only requests without TLS settings, proxy and repeated header lines
 * work, and Node ends a watch after five minutes without an event. Readers of a watch must expect its end anyway.
 * Requests that no proxy of the environment may get then use `node:http`, because with `NODE_USE_ENV_PROXY`, only an
 * agent of its own keeps a request away from the proxy.
 */
export function nodeTransport(settings: TransportSettings): Transport {
  let opening: Promise<Pool | undefined> | undefined;
  let direct: HttpPool | undefined;

  async function open(): Promise<Pool | undefined> {
    const pool = await openPool(settings);
    if (pool !== undefined || Object.values(settings).every((value) => !value)) return pool;
    throw new UnsupportedError(
      'Node needs the package "undici" for custom certificates, server names and proxies: npm install undici@7',
    );
  }

  // The request that failed to open the pool has already reported the error.
  const opened = async () => {
    const pool = await opening?.catch(() => undefined);
    opening = undefined;
    return pool;
  };
  return {
    fetch: async (url, request) => {
      opening ??= open();
      const pool = await opening;
      if (pool === undefined && isUnencrypted(url)) {
        direct ??= new HttpPool({}, undefined);
        return await direct.request(url, request);
      }
      const { headers, expects: _, ...init } = request;
      const { single, repeated } = splitRepeated(headers);
      if (pool === undefined && repeated.length > 0) {
        throw new UnsupportedError(
          'Node needs the package "undici" to impersonate several groups: npm install undici@7',
        );
      }
      const dispatcher = pool !== undefined && repeated.length > 0
        ? withHeaders(pool, repeated)
        : pool;
      return await fetch(url, {
        ...init,
        headers: single,
        ...(dispatcher === undefined ? {} : { dispatcher }),
      } as RequestInit);
    },
    drain: async () => {
      direct?.drain();
      await (await opened())?.close();
    },
    close: async () => {
      direct?.close();
      await (await opened())?.destroy();
    },
  };
}

/**
 * Resolves when undici has returned the connections of completed requests to the pool. Like Deno, undici delivers the
 * end of a body before it returns the connection, but it does so in the same turn of the event loop.
 */
export function nodeConnectionsFree(): Promise<void> {
  return new Promise((resolve) => realClock.setTimer(resolve, 0));
}

/** Opens a connection pool. Returns undefined if undici is not installed. */
async function openPool(settings: TransportSettings): Promise<Pool | undefined> {
  const { caData, certData, keyData, tlsServerName, insecureSkipTlsVerify, proxyUrl } = settings;
  const trust = {
    ...(caData === undefined ? {} : { ca: caData }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
  const connect = {
    ...trust,
    ...(certData === undefined || keyData === undefined ? {} : { cert: certData, key: keyData }),
    ...await serverNameOptions(tlsServerName),
  };
  if (proxyUrl === undefined) {
    const Agent = await importAgent();
    return Agent && new Agent({ ...POOL_OPTIONS, connect });
  }
  const undici = await importUndici();
  const { url } = splitProxyUrl(proxyUrl);
  const token = proxyAuthorization(proxyUrl);
  return undici && new undici.ProxyAgent({
    ...POOL_OPTIONS,
    uri: url,
    ...(token === undefined ? {} : { token }),
    requestTls: connect,
    proxyTls: trust,
  });
}

/** Separates header lines with a unique name from repeated ones, which `fetch` would join into one line. */
function splitRepeated(
  headers: readonly HeaderLine[],
): { readonly single: [string, string][]; readonly repeated: HeaderLine[] } {
  const counts = new Map<string, number>();
  for (const [name] of headers) counts.set(name, (counts.get(name) ?? 0) + 1);
  const single: [string, string][] = [];
  const repeated: HeaderLine[] = [];
  for (const [name, value] of headers) {
    if (counts.get(name) === 1) single.push([name, value]);
    else repeated.push([name, value]);
  }
  return { single, repeated };
}

/** Returns a dispatcher that adds `lines` to the headers of each request to `pool`. */
function withHeaders(pool: Pool, lines: readonly HeaderLine[]): Dispatcher {
  return {
    dispatch(options, handler) {
      const { headers } = options;
      const flat = isList(headers) ? [...headers] : Object.entries(headers).flat() as string[];
      for (const [name, value] of lines) flat.push(name, value);
      return pool.dispatch({ ...options, headers: flat }, handler);
    },
  };
}

function isList(headers: DispatchOptions["headers"]): headers is readonly string[] {
  return Array.isArray(headers);
}

// A variable instead of a literal in the import, so that bundlers and type checkers do not require the optional
// package.
const UNDICI: string = "undici";

/** Imports only the agent if possible, because all of undici takes 10 MiB and 50 ms more. */
async function importAgent(): Promise<Undici["Agent"] | undefined> {
  try {
    const { default: Agent } = await import(`${UNDICI}/lib/dispatcher/agent.js`);
    return Agent;
  } catch {
    // undici is not installed, or this version has the agent in another file.
    return (await importUndici())?.Agent;
  }
}

/** Imports all of undici, which its proxy agent needs. Returns undefined if undici is not installed. */
async function importUndici(): Promise<Undici | undefined> {
  try {
    return await import(UNDICI) as Undici;
  } catch {
    return undefined;
  }
}

import { setImmediate } from "node:timers";
import {
  encodeBase64,
  type HeaderLine,
  splitProxyUrl,
  type TransportSettings,
} from "../config/mod.ts";
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
  // A quiet watch is not a broken one.
  bodyTimeout: 0,
  headersTimeout: 0,
  // undici's 4 s would make a new TLS session for every lease renewal; API servers keep connections for 90 s.
  keepAliveTimeout: 60_000,
};

/**
 * Node: the built-in `fetch` over an agent of undici 7, which takes certificates and does not end a quiet body after five
 * minutes. undici is an optional dependency: without it, requests work that need nothing special, and watches are ended
 * by Node after five quiet minutes, which their readers must expect anyway.
 */
export function nodeTransport(settings: TransportSettings): Transport {
  let opening: Promise<Pool | undefined> | undefined;

  async function open(): Promise<Pool | undefined> {
    const pool = await openPool(settings);
    if (pool !== undefined || Object.values(settings).every((value) => !value)) return pool;
    throw new UnsupportedError(
      'Node needs the package "undici" for certificates, server names and proxies of your own: npm install undici@7',
    );
  }

  // An agent that could not be opened has been reported by the request that wanted it.
  const opened = async () => {
    const pool = await opening?.catch(() => undefined);
    opening = undefined;
    return pool;
  };
  return {
    fetch: async (url, { headers, isWatch: _, ...init }) => {
      opening ??= open();
      const pool = await opening;
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
    drain: async () => await (await opened())?.close(),
    close: async () => await (await opened())?.destroy(),
  };
}

/** undici too hands over the end of a body before it frees the connection, and does so in the same turn. */
export function nodeConnectionsFree(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Undefined where there is no undici. */
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
  const { url, username, password } = splitProxyUrl(proxyUrl);
  return undici && new undici.ProxyAgent({
    ...POOL_OPTIONS,
    uri: url,
    ...(username === "" ? {} : { token: `Basic ${encodeBase64(`${username}:${password}`)}` }),
    requestTls: connect,
    proxyTls: trust,
  });
}

/** Lines whose name occurs once, and the others: `fetch` would join them to one line. */
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

/** `pool`, sending `lines` too. */
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

// Not in an import, so that neither bundlers nor type checkers insist on a package that is optional.
const UNDICI: string = "undici";

/** The agent alone, where it can be had: all of undici takes 10 MiB and 50 ms more. */
async function importAgent(): Promise<Undici["Agent"] | undefined> {
  try {
    const { default: Agent } = await import(`${UNDICI}/lib/dispatcher/agent.js`);
    return Agent;
  } catch {
    // A version that has it elsewhere, or none.
    return (await importUndici())?.Agent;
  }
}

/** All of undici, without which its agent for proxies does not work. */
async function importUndici(): Promise<Undici | undefined> {
  try {
    return await import(UNDICI) as Undici;
  } catch {
    return undefined;
  }
}

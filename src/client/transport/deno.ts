import { type DenoNet, DenoTunnel } from "./deno_tunnel.ts";
import { splitProxyUrl, type TransportSettings } from "../config/mod.ts";
import type { Transport } from "./transport.ts";

interface HttpClient {
  close(): void;
}

interface DenoGlobal extends DenoNet {
  createHttpClient(options: {
    readonly caCerts?: string[];
    readonly cert?: string;
    readonly key?: string;
    readonly proxy?: {
      readonly url: string;
      readonly basicAuth?: { readonly username: string; readonly password: string };
    };
    readonly allowHost?: boolean;
    readonly http2: boolean;
  }): HttpClient;
}

/**
 * Deno: an HTTP client of its own. HTTP/2 is off because Deno puts all requests on one connection, where the server
 * allows 100 streams: the hundredth watch would block every other request.
 *
 * Deno checks certificates unless the process was started not to: a server that fails the check fails the request,
 * whatever the configuration says.
 */
export function denoTransport(settings: TransportSettings): Transport {
  const { Deno: deno } = globalThis as unknown as { Deno: DenoGlobal };
  // Made with the first request, so that a client that was never used holds nothing.
  let pool: Pool | undefined;
  return {
    fetch: async (url, { headers, isWatch: _, ...init }) => {
      pool ??= new Pool(deno, settings, new URL(url));
      const { client, tunnel } = pool;
      // Lines with the same name stay apart only in an array.
      const lines = headers.map(([name, value]): [string, string] => [name, value]);
      try {
        return await fetch(pool.locate(url, lines), {
          ...init,
          headers: lines,
          client,
        } as RequestInit);
      } catch (error) {
        throw tunnel === undefined ? error : tunnel.explain(error);
      }
    },
    drain: () => {
      // What is under way goes on.
      pool?.client.close();
      pool?.tunnel?.drain();
      pool = undefined;
      return Promise.resolve();
    },
    close: () => {
      pool?.client.close();
      pool?.tunnel?.close();
      pool = undefined;
      return Promise.resolve();
    },
  };
}

/**
 * Deno hands over the end of a body before it frees the connection, so that a request made at once would open another.
 * Only a timer lets it get on with that.
 */
export function denoConnectionsFree(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** A client, and the tunnel that it needs to go through. */
class Pool {
  readonly client: HttpClient;
  readonly tunnel: DenoTunnel | undefined;
  /** The name to expect in the server's certificate, when it is not the name of the server. */
  readonly #serverName: string | undefined;

  constructor(deno: DenoGlobal, settings: TransportSettings, server: URL) {
    const { caData, certData, keyData, tlsServerName, proxyUrl } = settings;
    const isTls = server.protocol === "https:";
    const given = proxyUrl === undefined ? undefined : splitProxyUrl(proxyUrl);
    if (isTls && tlsServerName !== server.hostname) this.#serverName = tlsServerName;
    if (isTls && (this.#serverName !== undefined || given?.username)) {
      this.tunnel = new DenoTunnel(deno, { server, proxyUrl, caData });
    }
    const proxy = this.tunnel?.proxy ?? given;
    this.client = deno.createHttpClient({
      ...(caData === undefined ? {} : { caCerts: [caData] }),
      ...(certData === undefined || keyData === undefined ? {} : { cert: certData, key: keyData }),
      ...(proxy === undefined ? {} : { proxy: proxyOptions(proxy) }),
      ...(this.#serverName === undefined ? {} : { allowHost: true }),
      http2: false,
    });
  }

  /** The URL to ask for, which has the name that the certificate has; the server gets to see its own in `lines`. */
  locate(url: string, lines: [string, string][]): string {
    if (this.#serverName === undefined) return url;
    const located = new URL(url);
    lines.push(["Host", located.host]);
    located.hostname = this.#serverName;
    return located.href;
  }
}

function proxyOptions({ url, username, password }: ReturnType<typeof splitProxyUrl>) {
  return username === "" ? { url } : { url, basicAuth: { username, password } };
}

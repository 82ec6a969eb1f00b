import { type DenoNet, DenoTunnel } from "./deno_tunnel.ts";
import { splitProxyUrl, type TransportSettings } from "../config/mod.ts";
import type { Transport } from "./transport.ts";

interface HttpClient {
  close(): void;
}

type ProxyOptions = {
  readonly url: string;
  readonly basicAuth?: { readonly username: string; readonly password: string };
} | { readonly transport: "tcp"; readonly hostname: string; readonly port: number };

interface DenoGlobal extends DenoNet {
  createHttpClient(options: {
    readonly caCerts?: string[];
    readonly cert?: string;
    readonly key?: string;
    readonly proxy?: ProxyOptions;
    readonly allowHost?: boolean;
    readonly http2: boolean;
  }): HttpClient;
}

/**
 * Returns the transport for Deno, which has its own HTTP client.
 *
 * HTTP/2 is off because Deno sends all requests over one connection, on which the server allows 100 streams: the
 * hundredth watch would block all other requests.
 *
 * `insecureSkipTlsVerify` has no effect: Deno verifies certificates unless the process was started with
 * `--unsafely-ignore-certificate-errors`.
 */
export function denoTransport(settings: TransportSettings): Transport {
  const { Deno: deno } = globalThis as unknown as { Deno: DenoGlobal };
  // Created by the first request, so that an unused client holds no resources.
  let pool: Pool | undefined;
  return {
    fetch: async (url, { headers, expects: _, ...init }) => {
      pool ??= new Pool(deno, settings, new URL(url));
      const { client, tunnel } = pool;
      // Only an array keeps header lines of the same name separate.
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
      // Running requests continue after close().
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
 * Resolves when Deno has returned the connections of completed requests to the pool.
 *
 * Deno delivers the end of a body before it returns the connection to the pool, so a request that follows immediately
 * would open another connection. Only a timer gives Deno the time to return the connection.
 */
export function denoConnectionsFree(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** An HTTP client, and the tunnel to the server if the client needs one. */
class Pool {
  readonly client: HttpClient;
  readonly tunnel: DenoTunnel | undefined;
  /** The name to expect in the server's certificate, if it differs from the host of the server URL. */
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
      ...(proxy === undefined
        ? isTls ? {} : { proxy: directly(server) }
        : { proxy: proxyOptions(proxy) }),
      ...(this.#serverName === undefined ? {} : { allowHost: true }),
      http2: false,
    });
  }

  /**
   * Returns the URL of a request, with the host replaced by the name in the server's certificate. In that case, it adds
   * the original host to `lines` as the Host header.
   */
  locate(url: string, lines: [string, string][]): string {
    if (this.#serverName === undefined) return url;
    const located = new URL(url);
    lines.push(["Host", located.host]);
    located.hostname = this.#serverName;
    return located.href;
  }
}

/**
 * Returns the "proxy" that is the server itself. Without an explicit proxy, Deno uses that of HTTP_PROXY or ALL_PROXY,
 * needs no permission for its address, and does not spare loopback addresses. Not for TLS, because Deno sends everything
 * unencrypted over this transport.
 */
function directly({ hostname, port }: URL): ProxyOptions {
  return { transport: "tcp", hostname, port: port === "" ? 80 : Number(port) };
}

function proxyOptions(
  { url, username, password }: ReturnType<typeof splitProxyUrl>,
): ProxyOptions {
  return username === "" ? { url } : { url, basicAuth: { username, password } };
}

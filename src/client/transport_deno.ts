import type { TlsSettings } from "./config.ts";
import type { Transport } from "./transport.ts";

interface HttpClient {
  close(): void;
}

interface DenoGlobal {
  createHttpClient(options: {
    caCerts?: string[];
    cert?: string;
    key?: string;
    http2: boolean;
  }): HttpClient;
}

/**
 * Deno: an HTTP client of its own. HTTP/2 is off because Deno puts all requests on one connection, where the server
 * allows 100 streams: the hundredth watch would block every other request.
 */
export function denoTransport({ caData, certData, keyData }: TlsSettings): Transport {
  const { Deno: deno } = globalThis as unknown as { Deno: DenoGlobal };
  // Made with the first request, so that a client that was never used holds nothing.
  let client: HttpClient | undefined;
  return {
    fetch: (url, init) => {
      client ??= deno.createHttpClient({
        ...(caData === undefined ? {} : { caCerts: [caData] }),
        ...(certData === undefined || keyData === undefined
          ? {}
          : { cert: certData, key: keyData }),
        http2: false,
      });
      return fetch(url, { ...init, client } as RequestInit);
    },
    close: () => {
      client?.close();
      client = undefined;
      return Promise.resolve();
    },
  };
}

import type { TlsSettings } from "./config.ts";
import type { Transport } from "./transport.ts";

/** Bun: `fetch` takes certificates itself, and ends a quiet body after six minutes unless told not to. */
export function bunTransport({ caData, certData, keyData }: TlsSettings): Transport {
  const tls = {
    ...(caData === undefined ? {} : { ca: caData }),
    ...(certData === undefined ? {} : { cert: certData, key: keyData }),
  };
  return {
    fetch: (url, init) => fetch(url, { ...init, tls, timeout: false } as RequestInit),
    // Bun keeps one pool for the process and closes idle connections itself.
    close: () => Promise.resolve(),
  };
}

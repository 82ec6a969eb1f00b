import type { TransportSettings } from "../config/mod.ts";

/** The options of `node:tls` for one configuration. */
export interface TlsOptions {
  readonly ca?: string;
  readonly allowPartialTrustChain?: true;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: false;
}

/** Returns the options that decide which certificate of a server, or of a proxy, is trusted. */
export function trustOptions(
  { caData, insecureSkipTlsVerify }: TransportSettings,
): Pick<TlsOptions, "ca" | "allowPartialTrustChain" | "rejectUnauthorized"> {
  return {
    // As in Go, each certificate in `ca` is trusted by itself: also an intermediate certificate without its root, and
    // the certificate of the server.
    ...(caData === undefined ? {} : { ca: caData, allowPartialTrustChain: true }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}

/** Returns the options of a connection to the API server. */
export function tlsOptions(settings: TransportSettings): TlsOptions {
  const { certData, keyData } = settings;
  return {
    ...trustOptions(settings),
    ...(certData === undefined || keyData === undefined ? {} : { cert: certData, key: keyData }),
  };
}

import type { PeerCertificate } from "node:tls";

/** The options of `node:tls` that set the expected name in the server's certificate. */
export interface ServerNameOptions {
  readonly servername?: string;
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
}

/**
 * Returns the options to request and expect `name`. An IP address is only expected, because TLS does not allow
 * addresses in the server name indication (SNI).
 */
export async function serverNameOptions(name: string | undefined): Promise<ServerNameOptions> {
  if (name === undefined) return {};
  if (!/^[\d.]+$|:/.test(name)) return { servername: name };
  const { checkServerIdentity } = await import("node:tls");
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) };
}

import type { PeerCertificate } from "node:tls";

/** The options of `node:tls` that say which name the server's certificate must have. */
export interface ServerNameOptions {
  readonly servername?: string;
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
}

/** Asks for `name` and expects it. An address is only expected, since TLS does not let clients ask for one. */
export async function serverNameOptions(name: string | undefined): Promise<ServerNameOptions> {
  if (name === undefined) return {};
  if (!/^[\d.]+$|:/.test(name)) return { servername: name };
  const { checkServerIdentity } = await import("node:tls");
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) };
}

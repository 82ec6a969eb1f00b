import { createPrivateKey } from "node:crypto";
import { silentLogger } from "../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../src/client/mod.ts";
import { Namespaces } from "../../src/types/mod.ts";
import { CertificateAuthority, type KeyPair } from "../support/certificates.ts";
import { SkippingClock } from "../support/skipping_clock.ts";
import { TlsServer, type TlsServerOptions } from "../support/tls_server.ts";

/** A TLS server that checks client certificates, with its certificate authority and a client certificate. */
export class TlsWorld implements AsyncDisposable {
  readonly authority: CertificateAuthority;
  readonly server: TlsServer;
  /** A client certificate for the name `me`, issued by the authority. */
  readonly me: KeyPair;
  readonly clock: SkippingClock = new SkippingClock();

  private constructor(authority: CertificateAuthority, server: TlsServer, me: KeyPair) {
    this.authority = authority;
    this.server = server;
    this.me = me;
  }

  /** Starts a server whose certificate contains `hosts`. */
  static async create(
    { hosts = ["127.0.0.1"], ...options }: Partial<TlsServerOptions> & { hosts?: string[] } = {},
  ): Promise<TlsWorld> {
    const authority = await CertificateAuthority.create();
    const issued = await authority.issue({ name: "CN=server", hosts });
    const server = await TlsServer.start({ ...issued, ca: authority.cert, ...options });
    return new TlsWorld(authority, server, await authority.issue({ name: "CN=me" }));
  }

  /** Returns a client that trusts the server's certificate. */
  client(options: Partial<ClientOptions> = {}): Client {
    return new Client({
      server: this.server.url,
      caData: this.authority.cert,
      logger: silentLogger,
      clock: this.clock,
      ...options,
    });
  }

  /** Returns the name under which the server authenticates `client`. */
  async whoAmI(client: Client): Promise<string | undefined> {
    return (await client.get(Namespaces, "me")).metadata.name;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }
}

/** Converts a PKCS#8 key to the traditional form of OpenSSL: `EC PRIVATE KEY` or `RSA PRIVATE KEY`. */
export function traditionalKey(key: string, type: "sec1" | "pkcs1"): string {
  return createPrivateKey(key).export({ type, format: "pem" }) as string;
}

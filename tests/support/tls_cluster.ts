/**
 * A cluster with its own CA that requires client certificates, for tests of connections.
 *
 * @module
 */

import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { silentLogger } from "../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../src/client/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { CertificateAuthority, type KeyPair } from "./certificates.ts";

/** An in-process API server behind TLS that requires client certificates. */
export class TlsCluster implements AsyncDisposable {
  readonly authority: CertificateAuthority;
  /** A client certificate with all rights. */
  readonly me: KeyPair;
  /** The number of accepted connections. */
  sessions = 0;
  readonly #api = new ApiServer({ logger: silentLogger });
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(authority: CertificateAuthority, me: KeyPair) {
    this.authority = authority;
    this.me = me;
  }

  /** Starts a cluster. */
  static async create(): Promise<TlsCluster> {
    const authority = await CertificateAuthority.create();
    const me = await authority.issue({ name: "CN=me,O=system:masters" });
    const cluster = new TlsCluster(authority, me);
    await cluster.#listen();
    return cluster;
  }

  async #listen(): Promise<void> {
    const serving = await this.authority.issue({ name: "CN=server", hosts: ["127.0.0.1"] });
    const { port } = await this.#api.serve();
    const options = { ca: this.authority.cert, requestCert: true, rejectUnauthorized: true };
    const server = createServer({ ...serving, ...options }, (socket) => {
      this.sessions++;
      const plain = connect(port, "127.0.0.1");
      for (const one of [socket, plain]) {
        this.#sockets.add(one);
        one.on("error", () => {});
        one.on("close", () => this.#sockets.delete(one));
      }
      socket.pipe(plain).pipe(socket);
    });
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    this.#server = server;
  }

  /** Its URL. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  /** Returns a kubeconfig with the certificate and the key of `me` in one file, `me.pem` beside it. */
  get kubeconfig(): string {
    return `apiVersion: v1
kind: Config
current-context: test
contexts:
- name: test
  context: { cluster: test, user: me, namespace: default }
clusters:
- name: test
  cluster:
    server: ${this.url}
    certificate-authority-data: ${btoa(this.authority.cert)}
users:
- name: me
  user: { client-certificate: me.pem, client-key: me.pem }
`;
  }

  /** Creates a client with the certificate of `me`; `options` override the defaults. */
  client(options: Partial<ClientOptions> = {}): Client {
    return new Client({
      server: this.url,
      caData: this.authority.cert,
      certData: this.me.cert,
      keyData: this.me.key,
      logger: silentLogger,
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server?.close(() => resolve()));
    await this.#api.close();
  }
}

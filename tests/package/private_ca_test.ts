/** Tests with a cluster that has its own CA and requires client certificates. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createPrivateKey } from "node:crypto";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { silentLogger } from "../../src/base/mod.ts";
import { SharedInformer, waitForCacheSync } from "../../src/cache/mod.ts";
import { Client, type ClientOptions } from "../../src/client/mod.ts";
import { ConfigMaps, explainError } from "../../src/types/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { CertificateAuthority, type KeyPair } from "../support/certificates.ts";

/** An API server with TLS that requires client certificates. */
class TlsCluster implements AsyncDisposable {
  readonly authority: CertificateAuthority;
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

  /** Creates a client with the certificate of `me`; `options` override the defaults. */
  client(options: Partial<ClientOptions> = {}): Client {
    return new Client({
      server: `https://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`,
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

const call = { namespace: "default" };

Deno.test("an informer follows a cluster with a private CA and client certificates", async () => {
  await using cluster = await TlsCluster.create();
  await using client = cluster.client();
  const informer = new SharedInformer(client.listerWatcher(ConfigMaps, call), {
    logger: silentLogger,
  });
  await client.create(ConfigMaps, { metadata: { name: "before" } }, call);
  const seen: string[] = [];
  const all = Promise.withResolvers<void>();
  informer.addEventHandler({
    onAdd(object) {
      seen.push(object.metadata.name ?? "");
      if (seen.includes("after")) all.resolve();
    },
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await waitForCacheSync({ signal: stop.signal }, informer);
  await client.create(ConfigMaps, { metadata: { name: "after" } }, call);
  await all.promise;
  assert(seen.includes("before"));
  stop.abort();
  await running;
  assert(cluster.sessions <= 2, `${cluster.sessions} TLS sessions`);
});

Deno.test("certificate keys may have any of the formats that OpenSSL writes", async () => {
  await using cluster = await TlsCluster.create();
  const rsa = await cluster.authority.issue({ name: "CN=me,O=system:masters", keyType: "RSA" });
  const traditional = (key: string, type: "sec1" | "pkcs1") =>
    createPrivateKey(key).export({ type, format: "pem" }) as string;
  const forms: [string, string][] = [
    [cluster.me.cert, traditional(cluster.me.key, "sec1")],
    [rsa.cert, rsa.key],
    [rsa.cert, traditional(rsa.key, "pkcs1")],
  ];
  for (const [certData, keyData] of forms) {
    await using client = cluster.client({ certData, keyData });
    assertEquals((await client.list(ConfigMaps, call)).items, []);
  }
});

Deno.test("without the CA or a client certificate, a connection fails with a clear error", async () => {
  await using cluster = await TlsCluster.create();
  const other = await CertificateAuthority.create();
  const stranger = await other.issue({ name: "CN=me,O=system:masters" });
  const cases: [string, Partial<ClientOptions>][] = [
    ["the runtime's authorities", { caData: undefined }],
    ["another authority", { caData: other.cert }],
    ["no certificate", { certData: undefined, keyData: undefined }],
    ["a stranger's certificate", { certData: stranger.cert, keyData: stranger.key }],
  ];
  for (const [what, options] of cases) {
    await using client = cluster.client(options);
    const error = await assertRejects(
      () => client.list(ConfigMaps, { ...call, maxRetries: 0 }),
      Error,
      undefined,
      what,
    );
    const told = explainError(error);
    assert(/certificate|TLS|handshake|connection|closed/i.test(told), `with ${what}: ${told}`);
    assert(!told.includes("\n"), told);
  }
  assertEquals(cluster.sessions, 0);
});

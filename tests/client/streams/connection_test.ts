import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { realClock, silentLogger } from "../../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../../src/client/mod.ts";
import { CertificateAuthority, type KeyPair } from "../../support/certificates.ts";
import { ConnectProxy } from "../../support/tls_server.ts";
import { NAMESPACE, PodWorld, shell } from "./_pods.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

const namespace = NAMESPACE;

/** TLS in front of an API server: it asks for client certificates. */
class TlsFront implements AsyncDisposable {
  readonly authority: CertificateAuthority;
  readonly me: KeyPair;
  readonly url: string;
  /** The common names of the client certificates, and the server names that were asked for. */
  readonly seen: (readonly [string | undefined, string | false | undefined])[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    authority: CertificateAuthority,
    me: KeyPair,
    server: Server,
    url: string,
  ) {
    this.authority = authority;
    this.me = me;
    this.#server = server;
    this.url = url;
  }

  static async start(target: number, hosts = ["127.0.0.1"]): Promise<TlsFront> {
    const authority = await CertificateAuthority.create();
    const { cert, key } = await authority.issue({ name: "CN=server", hosts });
    const server = createTlsServer({
      cert,
      key,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: false,
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const me = await authority.issue({ name: "CN=me" });
    const front = new TlsFront(authority, me, server, `https://127.0.0.1:${port}`);
    server.on("secureConnection", (near: TLSSocket) => {
      front.seen.push([near.getPeerCertificate()?.subject?.CN as string, nameOf(near)]);
      const far = connect(target, "127.0.0.1");
      for (const socket of [near, far]) {
        front.#sockets.add(socket);
        socket.on("error", () => {});
        socket.once("close", () => {
          front.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
    return front;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Returns the server name of the handshake, which the types lack. */
function nameOf(socket: TLSSocket): string | false | undefined {
  return (socket as TLSSocket & { servername?: string | false }).servername;
}

async function tlsWorld(hosts?: string[]) {
  const world = await PodWorld.create([shell]);
  const { port } = await world.server.serve();
  const front = await TlsFront.start(port, hosts);
  const client = (options: Partial<ClientOptions> = {}) =>
    new Client({
      server: front.url,
      caData: front.authority.cert,
      logger: silentLogger,
      ...options,
    });
  return {
    front,
    client,
    world,
    [Symbol.asyncDispose]: async () => {
      await front[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const megabytes = new Uint8Array(20 * 1024 * 1024).map((_, at) => at % 253);

async function catBack(client: Client): Promise<void> {
  let at = 0;
  const stdout = new WritableStream<Uint8Array>({
    write: (chunk) => {
      assertEquals(chunk, megabytes.subarray(at, at + chunk.length));
      at += chunk.length;
    },
  });
  const { exitCode } = await client.exec("web", ["cat"], { namespace, stdin: megabytes, stdout });
  assertEquals([exitCode, at], [0, megabytes.length]);
}

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "exec() goes over TLS with a private authority, and shows its certificate",
  async () => {
    await using tls = await tlsWorld();
    const { cert: certData, key: keyData } = tls.front.me;
    await using client = tls.client({ certData, keyData });
    await catBack(client);
    assertEquals(tls.front.seen[0]?.[0], "me");
  },
);

Deno.test("exec() over TLS expects the name of the server", async () => {
  await using tls = await tlsWorld(["api.example"]);
  await using wrong = tls.client();
  const error = await assertRejects(() => wrong.exec("web", ["cat"], { namespace }), Error);
  assert(/give the certificate's name as tlsServerName/.test(error.message), error.message);
  await using right = tls.client({ tlsServerName: "api.example" });
  await catBack(right);
  assertEquals(tls.front.seen.at(-1)?.[1], "api.example");
});

Deno.test("exec() over TLS trusts an unknown authority only with insecureSkipTlsVerify", async () => {
  await using tls = await tlsWorld();
  await using distrusting = tls.client({ caData: undefined });
  const error = await assertRejects(() => distrusting.exec("web", ["cat"], { namespace }), Error);
  assert(/certificate/.test(error.message), error.message);
  await using careless = tls.client({ caData: undefined, insecureSkipTlsVerify: true });
  await catBack(careless);
});

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "exec() goes through a proxy, with its certificate",
  async () => {
    await using tls = await tlsWorld();
    await using proxy = await ConnectProxy.start();
    const proxyUrl = proxy.url.replace("//", "//me:p%40ss@");
    const { cert: certData, key: keyData } = tls.front.me;
    await using client = tls.client({ certData, keyData, proxyUrl });
    await catBack(client);
    assertEquals(tls.front.seen[0]?.[0], "me");
    const to = new URL(tls.front.url).host;
    assertEquals(proxy.tunnels, [{ to, authorization: `Basic ${btoa("me:p@ss")}` }]);
  },
);

Deno.test("exec() reports a proxy that refuses, and a server that is not there", async () => {
  await using tls = await tlsWorld();
  await using proxy = await ConnectProxy.start({ refuses: true });
  await using refused = tls.client({ proxyUrl: proxy.url });
  await assertRejects(
    () => refused.exec("web", ["ls"], { namespace }),
    Error,
    `the proxy ${proxy.url} (proxyUrl) did not connect`,
  );
  await tls.front[Symbol.asyncDispose]();
  await using lost = tls.client();
  await assertRejects(
    () => lost.exec("web", ["ls"], { namespace }),
    Error,
    "is the API server running",
  );
});

Deno.test("exec() sends tokens and impersonation, and renews what the server refuses", async () => {
  await using world = await PodWorld.create([shell]);
  const { server } = world;
  const authorizations: (string | null)[] = [];
  let token = "bad";
  await using client = new Client({
    ...server.clientOptions,
    clock: realClock,
    tokenFile: "/token",
    readFile: () => {
      const read = token;
      token = "good";
      return Promise.resolve(read);
    },
    impersonate: { user: "you", groups: ["a", "b"] },
    upgrade: (request) => {
      authorizations.push(request.headers.get("authorization"));
      if (authorizations.at(-1) !== "Bearer good") {
        return Promise.resolve(new Response("{}", { status: 401 }));
      }
      assertEquals(request.headers.get("impersonate-user"), "you");
      assertEquals(request.headers.get("impersonate-group"), "a, b");
      const headers = new Headers(request.headers);
      for (const name of ["authorization", "impersonate-user", "impersonate-group"]) {
        headers.delete(name);
      }
      return server.upgrade(new Request(request, { headers }));
    },
  });
  assertEquals((await client.exec("web", ["echo", "a"], { namespace })).stdout, "a\n");
  assertEquals(authorizations, ["Bearer bad", "Bearer good"]);
});

Deno.test("exec() does not renew its credentials for another refusal", async () => {
  await using world = await PodWorld.create([shell]);
  let tries = 0;
  let reads = 0;
  await using client = new Client({
    ...world.server.clientOptions,
    clock: realClock,
    tokenFile: "/token",
    readFile: () => Promise.resolve(`token-${reads++}`),
    upgrade: () => {
      tries++;
      return Promise.resolve(new Response("{}", { status: 403 }));
    },
  });
  await assertRejects(() => client.exec("web", ["echo", "a"], { namespace }));
  assertEquals([tries, reads], [1, 1]);
});

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import net from "node:net";
import { Client } from "../../../src/client/mod.ts";
import { DenoTunnel } from "../../../src/client/transport/deno_tunnel.ts";
import { explainError, Namespaces } from "../../../src/types/mod.ts";
import { ConnectProxy } from "../../support/tls_server.ts";
import { TlsWorld } from "../_tls_world.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client goes through a proxy, with its certificate and one TLS session",
  async () => {
    await using world = await TlsWorld.create();
    await using proxy = await ConnectProxy.start();
    const { cert: certData, key: keyData } = world.me;
    await using client = world.client({ proxyUrl: proxy.url, certData, keyData });
    for (let i = 0; i < 23; i++) assertEquals(await world.whoAmI(client), "me");
    const to = new URL(world.server.url).host;
    assertEquals(proxy.tunnels, [{ to, authorization: undefined }]);
    assertEquals(world.server.sessions, 1);
    const watch = await client.watch(Namespaces);
    assertEquals((await watch[Symbol.asyncIterator]().next()).value?.type, "ADDED");
    await watch.close();
  },
);

for (const tlsServerName of [undefined, "localhost"]) {
  Deno.test(`Client sends the proxy's user and password to the proxy and not to the server (${tlsServerName})`, async () => {
    await using world = await TlsWorld.create({ hosts: [tlsServerName ?? "127.0.0.1"] });
    await using proxy = await ConnectProxy.start();
    const proxyUrl = proxy.url.replace("//", "//me:p%40ss@");
    await using client = world.client({ proxyUrl, tlsServerName });
    for (let i = 0; i < 23; i++) await world.whoAmI(client);
    const to = new URL(world.server.url).host;
    assertEquals(proxy.tunnels, [{ to, authorization: `Basic ${btoa("me:p@ss")}` }]);
    for (const { lines, serverName } of world.server.requests) {
      assertEquals(serverName, tlsServerName);
      assert(!JSON.stringify(lines).includes(btoa("me:p@ss")), "The server got the password");
    }
  });
}

Deno.test("Client impersonates several groups through a proxy", async () => {
  await using world = await TlsWorld.create();
  await using proxy = await ConnectProxy.start();
  await using client = world.client({
    proxyUrl: proxy.url,
    impersonate: { user: "jane", groups: ["a", "b"] },
  });
  await world.whoAmI(client);
  const groups = world.server.requests[0]!.lines.filter(([name]) => name === "impersonate-group");
  assertEquals(groups.map(([, group]) => group), ["a", "b"]);
});

Deno.test("Client without the proxy's password reports that the proxy refuses", async () => {
  await using world = await TlsWorld.create();
  await using proxy = await ConnectProxy.start({ refuses: true });
  await using client = world.client({ proxyUrl: proxy.url });
  await assertRejects(() => world.whoAmI(client), Error, `the proxy ${proxy.url} (proxyUrl)`);
});

Deno.test("Client reports which proxy refuses", async () => {
  await using world = await TlsWorld.create();
  await using proxy = await ConnectProxy.start({ refuses: true });
  await using client = world.client({ proxyUrl: proxy.url.replace("//", "//me:s3cr3t@") });
  const error = await assertRejects(() => world.whoAmI(client), Error);
  const host = new URL(world.server.url).host;
  const words = `the proxy ${proxy.url} (proxyUrl) did not connect to ${host}`;
  assert(error.message.includes(words), error.message);
  assert(!/\n|s3cr3t/.test(error.message), error.message);
});

Deno.test("Client reports which proxy is not running", async () => {
  await using world = await TlsWorld.create();
  let url;
  {
    await using proxy = await ConnectProxy.start();
    url = proxy.url;
  }
  await using client = world.client({ proxyUrl: url.replace("//", "//me:s3cr3t@") });
  const error = await assertRejects(() => world.whoAmI(client), Error);
  assert(error.message.includes(`is the proxy ${url} (proxyUrl) running`), error.message);
  assert(!/\n|s3cr3t/.test(error.message), error.message);
});

Deno.test("Client does not show the proxy's password that the proxy repeats", async () => {
  const proxy = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (head) => {
      const [, sent = ""] = /proxy-authorization: (.*)\r\n/i.exec(`${head}`) ?? [];
      const said = `${sent} ${atob(sent.slice("Basic ".length))}`;
      socket.end(`HTTP/1.1 403 Not ${said}\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", () => resolve()));
  const { port } = proxy.address() as net.AddressInfo;
  try {
    await using client = new Client({
      server: "https://127.0.0.1:9",
      proxyUrl: `http://me:p4ss-w0rd@127.0.0.1:${port}`,
      maxRetries: 0,
    });
    const error = await assertRejects(() => client.get(Namespaces, "n"), Error);
    assert(!/p4ss|bWU6/.test(explainError(error)), explainError(error));
  } finally {
    await new Promise((resolve) => proxy.close(resolve));
  }
});

Deno.test("Client refuses a proxy URL whose password is not percent-encoded, and does not show it", () => {
  const options = { server: "https://h", proxyUrl: "http://me:s3cr3t%zz@proxy:1" };
  const error = assertThrows(() => new Client(options), TypeError, "must be percent-encoded");
  assert(!error.message.includes("s3cr3t"), error.message);
});

testOn(["deno"], "DenoTunnel needs Deno", "DenoTunnel opens only with its password", async () => {
  await using proxy = await ConnectProxy.start();
  const tunnel = new DenoTunnel(Deno, {
    server: new URL(proxy.url),
    proxyUrl: undefined,
    caData: undefined,
  });
  const { hostname, port } = new URL(tunnel.proxy.url);
  const ask = async (authorization: string) => {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const head = `CONNECT x:1 HTTP/1.1\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
    await connection.write(new TextEncoder().encode(head));
    const answer = new Uint8Array(100);
    const size = await connection.read(answer) ?? 0;
    return new TextDecoder().decode(answer.subarray(0, size)).split("\r\n")[0];
  };
  const { username, password } = tunnel.proxy;
  assertEquals(
    await ask(`Basic ${btoa("kubeloop:")}`),
    "HTTP/1.1 407 Proxy Authentication Required",
  );
  assertEquals(await ask(`Basic ${btoa(`${username}:${password}`)}`), "HTTP/1.1 200 OK");
  tunnel.close();
});

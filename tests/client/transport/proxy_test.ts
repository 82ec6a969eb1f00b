import { assert, assertEquals, assertRejects } from "@std/assert";
import { DenoTunnel } from "../../../src/client/transport/deno_tunnel.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { ConnectProxy } from "../../support/tls_server.ts";
import { TlsWorld } from "../_tls_world.ts";

Deno.test("Client goes through a proxy, with its certificate and one TLS session", async () => {
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
});

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

Deno.test("DenoTunnel opens only with its password", async () => {
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

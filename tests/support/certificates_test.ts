import { assertEquals } from "@std/assert";
import { CertificateAuthority } from "./certificates.ts";

Deno.test("CertificateAuthority issues certificates that TLS clients accept if they trust it", async () => {
  const authority = await CertificateAuthority.create();
  const { cert, key } = await authority.issue({
    name: "CN=server",
    hosts: ["127.0.0.1", "localhost"],
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    () => new Response("hello"),
  );
  using client = Deno.createHttpClient({ caCerts: [authority.cert] });
  const response = await fetch(`https://127.0.0.1:${server.addr.port}/`, { client });
  assertEquals(await response.text(), "hello");
  await server.shutdown();
});

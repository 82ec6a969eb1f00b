import { assertEquals, assertRejects } from "@std/assert";
import { serveHealth } from "../../examples/_health.ts";

const hostname = "127.0.0.1";

function freePort(): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}

Deno.test("serveHealth() answers the probes of a kubelet until it is disposed of", async () => {
  const port = freePort();
  let ready = false;
  const status = async (path: string) => {
    const response = await fetch(`http://${hostname}:${port}${path}`);
    await response.body?.cancel();
    return response.status;
  };
  {
    await using _health = await serveHealth({ port, hostname }, () => ready);
    assertEquals([await status("/healthz"), await status("/readyz")], [200, 503]);
    ready = true;
    assertEquals([await status("/healthz"), await status("/readyz")], [200, 200]);
    assertEquals(await status("/"), 404);
  }
  await assertRejects(() => status("/healthz"), TypeError);
});

Deno.test("serveHealth() rejects if its port is in use", async () => {
  using listener = Deno.listen({ hostname, port: 0 });
  const { port } = listener.addr;
  await assertRejects(() => serveHealth({ port, hostname }, () => true), Error, "EADDRINUSE");
});

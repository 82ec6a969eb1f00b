import { assertEquals } from "@std/assert";
import { Client, Manager } from "@kubeloop/controller";
import { serveHttp } from "@kubeloop/controller/serving";
import { ApiServer } from "@kubeloop/testing";

const hostname = "127.0.0.1";

async function freePort(): Promise<number> {
  const server = await serveHttp(() => new Response(), { port: 0, hostname });
  await server.close();
  return server.port;
}

Deno.test("A request that hangs does not keep a manager from stopping in time", async () => {
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  const port = await freePort();
  const asked = Promise.withResolvers<void>();
  const manager = new Manager(client, {
    http: { port, hostname },
    gracefulStopTimeoutMs: 1_000,
    healthChecks: {
      disk: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    },
  });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  let answer: Promise<string> | undefined;
  // The server does not listen at once.
  while (answer === undefined) {
    const request = fetch(`http://${hostname}:${port}/healthz`);
    const first = await Promise.race([asked.promise, request.catch(() => "refused")]);
    if (first !== "refused") answer = request.then(() => "answered", () => "cut");
  }
  stop.abort();
  await running;
  assertEquals(await answer, "cut");
});

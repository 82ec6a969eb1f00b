/** Requests over plain http to a TLS server, and over TLS to a plain http server. */

import http from "node:http";
import net from "node:net";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../../src/client/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { ScriptedFetch } from "../_scripted_fetch.ts";
import { TlsWorld } from "../_tls_world.ts";

/** Listens on loopback and calls `use` with the address. */
async function listening(
  server: net.Server,
  use: (address: string) => Promise<void>,
): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as net.AddressInfo;
    await use(`127.0.0.1:${port}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns the error messages of a read and a watch. Each must be one line. */
async function failures(options: ClientOptions): Promise<string[]> {
  await using client = new Client({ maxRetries: 0, logger: silentLogger, ...options });
  const messages: string[] = [];
  for (const call of [() => client.get(Namespaces, "n"), () => client.watch(Namespaces)]) {
    const { message } = await assertRejects(call, Error);
    assert(!/\n|\s;/.test(message), message);
    messages.push(message);
  }
  return messages;
}

Deno.test("Client says that the server speaks plain http", async () => {
  await listening(http.createServer((_, response) => response.end("{}")), async (address) => {
    for (const message of await failures({ server: `https://${address}` })) {
      assert(
        message.endsWith("; the server speaks plain http: write http:// in the server URL"),
        message,
      );
    }
  });
});

Deno.test("Client says that the server may speak TLS when its answer is not HTTP", async () => {
  // A fatal TLS alert, which most TLS servers send.
  const alert = new Uint8Array([21, 3, 1, 0, 2, 2, 70]);
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(alert));
  });
  await listening(server, async (address) => {
    for (const message of await failures({ server: `http://${address}` })) {
      assert(
        message.endsWith("; if the server speaks TLS, write https:// in the server URL"),
        message,
      );
    }
  });
});

Deno.test("Client says that the server may speak TLS when it closes the connection", async () => {
  await using world = await TlsWorld.create();
  const server = world.server.url.replace("https:", "http:");
  const [message = ""] = await failures({ server });
  assert(
    message.endsWith("; if the server speaks TLS, write https:// in the server URL"),
    message,
  );
});

for (
  const text of [
    "Client sent an HTTP request to an HTTPS server.\n",
    "<html><h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS port</html>",
  ]
) {
  Deno.test(`Client says that the server speaks TLS when the server says so: ${text.trim()}`, async () => {
    const { fetch } = new ScriptedFetch(
      new Response(text, { status: 400 }),
      new Response(text, { status: 400 }),
    );
    for (const message of await failures({ fetch })) {
      assert(
        message.endsWith(": the server speaks TLS, write https:// in the server URL"),
        message,
      );
    }
  });
}

Deno.test("Client does not blame the server's URL when a response breaks off", async () => {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("{", () => response.destroy());
  });
  await listening(server, async (address) => {
    await using client = new Client({ server: `http://${address}`, maxRetries: 0 });
    const error = await assertRejects(() => client.get(Namespaces, "n"), Error, "failed:");
    assertEquals(/TLS/.test(error.message), false, error.message);
  });
});

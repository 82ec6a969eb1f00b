/** A server that sends the request back, in whatever shape, gets the token into no error, cause included. */

import { assert } from "@std/assert";
import { createServer, type Server, type Socket } from "node:net";
import { inspect } from "node:util";
import { Client } from "../../src/client/mod.ts";
import { ConfigMaps } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";

const TOKEN = "abcdef0123456789-ghij-42";

const bearer = (request: string): string => /bearer [^\r]*/i.exec(request)?.[0] ?? "";

/** The answers to a request, by what they break. */
const ECHOES: Readonly<Record<string, (request: string) => string>> = {
  "the whole request": (request) => request,
  "the request as a head": (request) => `HTTP/1.1 200 OK\r\n${request}`,
  "the token as a version": (request) => `HTTP/9.9 ${bearer(request)}\r\n\r\n`,
  "the token as a reason": (request) =>
    `HTTP/1.1 500 ${bearer(request)}\r\nContent-Length: 0\r\n\r\n`,
  "the token as a length": (request) =>
    `HTTP/1.1 200 OK\r\nContent-Length: ${bearer(request)}\r\n\r\n`,
  "the token as a header": (request) => `HTTP/1.1 200 OK\r\nX: \u0001${bearer(request)}\r\n\r\n`,
  "the token as a chunk": (request) =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${bearer(request)}\r\n`,
  "the token as a body": (request) => `HTTP/1.1 200 OK\r\n\r\n${bearer(request)}`,
  "the request as gzip": (request) =>
    `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n${bearer(request)}`,
};

for (const [what, echo] of Object.entries(ECHOES)) {
  Deno.test(`Client shows no token when a server answers with ${what}`, async () => {
    const server = await listen((socket) => {
      socket.on("error", () => {});
      socket.once("data", (data: Uint8Array) => socket.end(echo(new TextDecoder().decode(data))));
    });
    const logger = new RecordingLogger();
    const seen: string[] = [];
    const note = (error: unknown) =>
      void seen.push(inspect(error, { depth: 10, showHidden: true, maxStringLength: null }));
    const { port } = server.address() as { port: number };
    const client = new Client({
      server: `http://127.0.0.1:${port}`,
      token: TOKEN,
      maxRetries: 0,
      logger,
    });
    try {
      await client.list(ConfigMaps, { namespace: "x" }).catch(note);
      try {
        for await (const _event of await client.watch(ConfigMaps, { namespace: "x" }));
      } catch (error) {
        note(error);
      }
      const text = [...seen, ...logger.lines].join("\n");
      assert(
        !text.includes(TOKEN),
        text.slice(Math.max(0, text.indexOf(TOKEN) - 300)).slice(0, 600),
      );
    } finally {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });
}

async function listen(serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

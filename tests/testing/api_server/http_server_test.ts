import { assert, assertEquals } from "@std/assert";
import { ApiServer } from "../../../src/testing/mod.ts";
import type { ApiError } from "../../../src/testing/values/mod.ts";
import { listen } from "../../../src/testing/api_server/http/http_server.ts";
import type { ServeOptions } from "../../../src/testing/api_server/mod.ts";
import { servingCertificate } from "../../../src/testing/serve/serving_certificate.ts";
import { type RawAnswer, RawConnection } from "../../support/raw_http.ts";

const LIMITS = { headMs: 200, requestMs: 400, checkMs: 10 };
const MAPS = "/api/v1/namespaces/default/configmaps";

async function served(server: ApiServer, options: ServeOptions = {}) {
  const refuse = () => new Response(null, { status: 400 });
  const api = await listen({ answer: server.fetch, refuse }, options, LIMITS);
  return { port: api.port, [Symbol.asyncDispose]: () => api.close() };
}

/** Sends `text` and returns what the server has answered when it closes the connection. */
async function unfinished(port: number, text: string): Promise<RawAnswer> {
  using connection = new RawConnection(port);
  connection.send(text);
  return await connection.closed;
}

Deno.test("listen() closes connections with unfinished requests, but not watches", async () => {
  await using server = new ApiServer();
  await using api = await served(server);
  using watch = new RawConnection(api.port);
  watch.send(`GET ${MAPS}?watch=1 HTTP/1.1\nHost: localhost\n\n`);
  await watch.received(/\r\n\r\n/);
  const post = `POST ${MAPS} HTTP/1.1\nHost: localhost\n`;
  const statuses = await Promise.all([
    "",
    "GET / HTTP/1.1\nHos",
    `${post}Content-Length: 100\n\n{`,
    `${post}Transfer-Encoding: chunked\n\n10\n{`,
    // These are answered without their bodies.
    `${post}Content-Type: text/plain\nContent-Length: 100\n\n{`,
    `GET ${MAPS} HTTP/1.1\nHost: localhost\nContent-Length: 100\n\n{`,
    `POST ${MAPS} HTTP/1.1\nHost: attacker.example\nContent-Length: 100\n\n{`,
  ].map(async (text) => (await unfinished(api.port, text)).status));
  assertEquals(statuses, [400, 400, 400, 400, 415, 200, 400]);
  const create = { method: "POST", body: '{"metadata":{"name":"seen"}}' };
  const headers = { "content-type": "application/json" };
  await server.fetch(`http://cluster${MAPS}`, { ...create, headers });
  await watch.received(/"name":"seen"/);
});

Deno.test("listen() closes a connection whose body comes byte by byte", async () => {
  await using server = new ApiServer();
  await using api = await served(server);
  using connection = new RawConnection(api.port);
  connection.send(`POST ${MAPS} HTTP/1.1\nHost: localhost\nContent-Length: 1000000\n\n{`);
  let open = true;
  connection.closed.then(() => open = false);
  while (open) {
    connection.send(" ");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // The bytes that arrive after the answer can reset the connection, and the answer is lost with it.
  assert([400, 0].includes((await connection.closed).status));
});

Deno.test("listen() closes a connection without a TLS handshake", async () => {
  await using server = new ApiServer();
  const tls = await servingCertificate(["localhost"], Date.now());
  await using api = await served(server, { tls });
  for (const text of ["", "\u0016\u0003\u0001", "GET / HTTP/1.1\n\n"]) {
    assertEquals((await unfinished(api.port, text)).status, 0);
  }
});

Deno.test("listen() closes in time, whatever its clients do", async () => {
  await using server = new ApiServer();
  const api = await served(server);
  using half = new RawConnection(api.port);
  half.send(`POST ${MAPS} HTTP/1.1\nHost: localhost\nContent-Length: 100\n\n{`);
  using watch = new RawConnection(api.port);
  watch.send(`GET ${MAPS}?watch=1 HTTP/1.1\nHost: localhost\n\n`);
  await watch.received(/\r\n\r\n/);
  watch.stall();
  const body = JSON.stringify({ metadata: { name: "a" }, data: { text: "x".repeat(900_000) } });
  const headers = { "content-type": "application/json" };
  for (let i = 0; i < 20; i++) {
    const named = body.replace('"a"', `"a${i}"`);
    await server.fetch(`http://cluster${MAPS}`, { method: "POST", headers, body: named });
  }
  await api[Symbol.asyncDispose]();
});

Deno.test("listen() aborts a request before its body fails, when the client leaves", async () => {
  const asked = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<boolean>();
  const answer = async (request: Request) => {
    asked.resolve();
    await request.text().catch(() => failed.resolve(request.signal.aborted));
    return new Response(null);
  };
  const api = await listen({ answer, refuse: () => new Response(null) }, {});
  const connection = new RawConnection(api.port);
  connection.send(`POST ${MAPS} HTTP/1.1\nHost: localhost\nContent-Length: 100\n\n{`);
  await asked.promise;
  connection[Symbol.dispose]();
  assertEquals(await failed.promise, true);
  await api.close();
});

Deno.test("listen() refuses what it cannot read with the Status of its code", async () => {
  await using server = new ApiServer();
  const refused: string[] = [];
  const refuse = ({ code, message, status }: ApiError) => {
    refused.push(`${code} ${status.reason}: ${message}`);
    return new Response(null, { status: code });
  };
  const api = await listen({ answer: server.fetch, refuse }, {}, LIMITS);
  const last = "Connection: close\n\n";
  const statuses: number[] = [];
  for (
    const text of [
      "GET / HTTP/1.1\nHos",
      "nothing\n\n",
      `BREW / HTTP/1.1\nHost: localhost\n${last}`,
      `GET / HTTP/1.1\nHost: attacker.example\n${last}`,
    ]
  ) statuses.push((await unfinished(api.port, text)).status);
  await api.close();
  assertEquals(statuses, [408, 400, 405, 403]);
  assertEquals(refused.map((text) => text.split(": ")[0]), [
    "408 Timeout",
    "400 BadRequest",
    "405 MethodNotAllowed",
    "403 Forbidden",
  ]);
});

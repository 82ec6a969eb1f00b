import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createCertificate, serveHttp, type ServeHttpOptions } from "../../src/serving/mod.ts";
import { RawConnection } from "../support/raw_http.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { tlsFetch } from "./_https_client.ts";
import { testOn } from "../support/kinds_of_tests.ts";

const HERE = { port: 0, hostname: "127.0.0.1" };
const DAY_MS = 86_400_000;

async function text(url: string, init?: RequestInit): Promise<[number, string]> {
  const response = await fetch(url, init);
  return [response.status, await response.text()];
}

/** Returns the lines of the head of an answer, with a character for each byte. */
async function headLines(
  port: number,
  path: string,
  tls: { readonly ca: string; readonly servername: string } | undefined,
): Promise<string[]> {
  const socket = tls === undefined
    ? connect(port, "127.0.0.1")
    : connectTls({ ...tls, host: "127.0.0.1", port });
  const { promise, resolve } = Promise.withResolvers<void>();
  let received = "";
  socket.on("data", (chunk) => received += chunk.toString("latin1"));
  socket.on("close", () => resolve());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await promise;
  return received.split("\r\n\r\n")[0]!.split("\r\n");
}

async function authority() {
  const at = { nowMs: Date.now(), validMs: DAY_MS };
  const issuer = await createCertificate({ ...at, commonName: "test ca", authority: true });
  const issue = () =>
    createCertificate({ ...at, commonName: "hook", hosts: ["hook.default.svc"], issuer });
  return { ca: issuer.cert, issue };
}

Deno.test("serveHttp() passes method, path, query, headers and body to the handler", async () => {
  const server = await serveHttp(async (request) => {
    const { pathname, search, host } = new URL(request.url);
    return Response.json([
      request.method,
      pathname + search,
      host,
      request.headers.get("x-a"),
      await request.text(),
    ]);
  }, HERE);
  const init = { method: "POST", body: "hello", headers: { "x-a": "1" } };
  const [, body] = await text(`${server.url}/a/b?c=d`, init);
  assertEquals(JSON.parse(body), ["POST", "/a/b?c=d", `127.0.0.1:${server.port}`, "1", "hello"]);
  await server.close();
});

Deno.test("serveHttp() answers a handler that fails with a 500 without details, and logs it", async () => {
  const logger = new RecordingLogger();
  const server = await serveHttp((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/throws") throw new Error("the password is 123");
    return pathname === "/rejects" ? Promise.reject("no") : "text" as unknown as Response;
  }, { ...HERE, logger });
  for (const path of ["/throws?token=x", "/rejects", "/returns"]) {
    assertEquals(await text(`${server.url}${path}`), [500, "Internal Server Error\n"]);
  }
  assertEquals(logger.of("error"), [
    "GET /throws failed: the password is 123",
    "GET /rejects failed: no",
    "GET /returns failed: The handler must return a Response whose body is not used",
  ]);
  await server.close();
});

Deno.test("serveHttp() sends a line for each warning, and the bytes of the handler, also over TLS", async () => {
  const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
  const warnings = [bytes('299 - "Grüße, 世界"'), '299 - "say \\"a, b\\""', "299 plain"];
  const handler = (request: Request) => {
    const response = new Response("x");
    const shown = request.url.endsWith("/plain") ? warnings : warnings.slice(0, 2);
    for (const warning of shown) response.headers.append("warning", warning);
    return response;
  };
  const { ca, issue } = await authority();
  for (const tls of [undefined, await issue()]) {
    const server = await serveHttp(handler, { ...HERE, tls });
    const head = (path: string) =>
      tls === undefined
        ? headLines(server.port, path, undefined)
        : headLines(server.port, path, { ca, servername: "hook.default.svc" });
    const sent = (lines: readonly string[]) => lines.filter((line) => /^warning:/i.test(line));
    assertEquals(
      sent(await head("/")),
      warnings.slice(0, 2).map((warning) => `warning: ${warning}`),
    );
    assertEquals(sent(await head("/plain")), [`warning: ${warnings.join(", ")}`]);
    await server.close();
  }
});

Deno.test("serveHttp() reports a body that fails after its head was sent", async () => {
  const logger = new RecordingLogger();
  const server = await serveHttp(() => {
    let pulls = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (++pulls > 1) throw new Error("disk gone");
          controller.enqueue(new TextEncoder().encode("part"));
        },
      }),
    );
  }, { ...HERE, logger });
  await assertRejects(() => text(server.url));
  assertEquals(logger.of("error"), ["A response was cut off: disk gone"]);
  await server.close();
});

Deno.test("serveHttp() refuses bodies above its limit with 413", async () => {
  const server = await serveHttp(async (request) => new Response(await request.text()), {
    ...HERE,
    maxBodyBytes: 10,
  });
  assertEquals(await text(server.url, { method: "POST", body: "x".repeat(10) }), [
    200,
    "x".repeat(10),
  ]);
  const [status] = await text(server.url, { method: "POST", body: "x".repeat(11) });
  assertEquals(status, 413);
  await server.close();
});

/** Sends each text on a connection of its own, and compares the status, and a part of the body, of the answer. */
async function assertAnswers(
  rows: readonly (readonly [sent: string, status: number, part?: string])[],
): Promise<void> {
  const server = await serveHttp((request) => new Response(request.url), HERE);
  try {
    for (const [sent, status, part = ""] of rows) {
      using connection = new RawConnection(server.port);
      connection.send(sent);
      const answer = await connection.closed;
      assertEquals(answer.status, status, sent);
      assert(answer.body.includes(part), answer.body);
      if (status === 200) continue;
      assert(answer.head.includes("content-type: text/plain; charset=utf-8\r\n"));
    }
  } finally {
    await server.close();
  }
}

testOn(
  ["deno", "node"],
  "the server of Bun reads some of these requests in its own way",
  "serveHttp() refuses malformed requests",
  () =>
    assertAnswers([
      ["GET / HTTP/1.1\nHost: a/../b\nConnection: close\n\n", 400, "malformed"],
      ["GET / HTTP/1.1\nHost: a\nHost: b\nConnection: close\n\n", 400, "more than one Host"],
      ["GET ftp://a/b HTTP/1.1\nHost: a\nConnection: close\n\n", 400, "malformed"],
      ["GET //evil/path HTTP/1.1\nHost: a\nConnection: close\n\n", 200, "http://a//evil/path"],
      ["GET HTTPS://b/c HTTP/1.1\nHost: a\nConnection: close\n\n", 200, "https://b/c"],
      ["GET /p HTTP/1.1\nHost: a?b\nConnection: close\n\n", 400, "malformed"],
      ["GET /p HTTP/1.1\nHost: u@b\nConnection: close\n\n", 400, "malformed"],
    ]),
);

// Servers of other runtimes answer some of these themselves.
testOn(
  ["deno"],
  "other servers answer some of these requests themselves",
  "serveHttp() refuses methods that it does not have, and names itself without a Host",
  () =>
    assertAnswers([
      ["GET /p HTTP/1.0\n\n", 200, "http://127.0.0.1/p"],
      ["GET /p HTTP/1.1\nConnection: close\n\n", 200, "http://127.0.0.1/p"],
      ["GET /p HTTP/1.1\nHost:\nConnection: close\n\n", 200, "http://127.0.0.1/p"],
      ["GET http://[ HTTP/1.1\nHost: a\nConnection: close\n\n", 400, "malformed"],
      ["TRACE / HTTP/1.1\nHost: a\nConnection: close\n\n", 405, "TRACE is not supported"],
      ["CONNECT a:1 HTTP/1.1\nHost: a\n\n", 405, "CONNECT is not supported"],
      ["TRACK / HTTP/1.1\nHost: a\nConnection: close\n\n", 405],
      ["NONE / HTTP/1.1\nHost: a\n\n", 405, "does not know the method"],
      ["nothing\n\n", 400, "not HTTP/1.1"],
    ]),
);

Deno.test("serveHttp() names a port that is in use, and what is wrong with its options", async () => {
  const handler = () => new Response();
  const server = await serveHttp(handler, HERE);
  await assertRejects(
    () => serveHttp(handler, { ...HERE, port: server.port }),
    Error,
    `Cannot listen on port ${server.port} of 127.0.0.1: another program listens there`,
  );
  await server.close();
  const wrong: [Partial<ServeHttpOptions>, string][] = [
    [{ port: 65_536 }, "port must be a whole number from 0 to 65535: received 65536"],
    [{ port: -1 }, "port must be a whole number"],
    // The greatest port is one: what is wrong comes after it.
    [{ port: 65_535, maxBodyBytes: 0 }, "maxBodyBytes must be a whole number of at least 1"],
    [{ port: "80" as unknown as number }, "port must be a whole number"],
    [{ drainMs: -1 }, "drainMs must not be negative"],
    [{ maxBodyBytes: 0 }, "maxBodyBytes must be a whole number of at least 1"],
    [{ tls: { cert: "x", key: "y" } }, "tls.cert must be a certificate in PEM"],
  ];
  for (const [options, message] of wrong) {
    await assertRejects(() => serveHttp(handler, { ...HERE, ...options }), Error, message);
  }
  await assertRejects(
    () => serveHttp({} as unknown as typeof handler, HERE),
    TypeError,
    "handler must be a function",
  );
  const reason = new Error("stopped");
  await assertRejects(
    () => serveHttp(handler, { ...HERE, signal: AbortSignal.abort(reason) }),
    Error,
    "stopped",
  );
});

Deno.test("close() lets running requests end, and closes idle connections", async () => {
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const stop = new AbortController();
  const server = await serveHttp(async () => {
    entered.resolve();
    await leave.promise;
    return new Response("done");
  }, { ...HERE, signal: stop.signal });
  using idle = new RawConnection(server.port);
  idle.send("GET /x");
  const answer = text(server.url);
  await entered.promise;
  stop.abort();
  // It does not wait for the running request.
  await idle.closed;
  leave.resolve();
  assertEquals(await answer, [200, "done"]);
  await server.finished;
  await assertRejects(() => text(server.url));
});

Deno.test("close() cuts the requests that do not end in time, and aborts their signals", async () => {
  const entered = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const server = await serveHttp((request) => {
    request.signal.addEventListener("abort", () => aborted.resolve());
    entered.resolve();
    return new Promise(() => {});
  }, { ...HERE, drainMs: 10 });
  const answer = assertRejects(() => text(server.url));
  await entered.promise;
  await Promise.all([server.close(), server.close(), server[Symbol.asyncDispose]()]);
  await aborted.promise;
  await answer;
});

Deno.test("replaceTls() serves new connections with the new certificate", async () => {
  const { ca, issue } = await authority();
  const server = await serveHttp(() => new Response("secure"), {
    ...HERE,
    tls: await issue(),
  });
  let isFinished = false;
  server.finished.then(() => isFinished = true);
  const trust = { ca, servername: "hook.default.svc" };
  const before = await tlsFetch(server.port, trust);
  assertEquals([before.status, before.body], [200, "secure"]);
  await server.replaceTls(await issue());
  const after = await tlsFetch(server.port, trust);
  assertEquals([after.status, after.body], [200, "secure"]);
  assert(before.serial !== after.serial);

  const [one, other] = [await issue(), await issue()];
  const error = await assertRejects(
    () => server.replaceTls({ cert: one.cert, key: other.key }),
    Error,
    "Cannot serve TLS: the certificate and the private key cannot be used together",
  );
  assert(!(error.stack ?? "").includes(other.key.split("\n")[1]!));
  assertEquals((await tlsFetch(server.port, trust)).serial, after.serial);
  const stranger = await authority();
  await assertRejects(() => tlsFetch(server.port, { ...trust, ca: stranger.ca }));
  await assertRejects(() => tlsFetch(server.port, { ...trust, servername: "other.svc" }));
  assert(!isFinished);
  await server.close();
});

Deno.test("close() stops a server whose certificate is being replaced", async () => {
  const { issue } = await authority();
  const server = await serveHttp(() => new Response(), { ...HERE, tls: await issue() });
  const replaced = server.replaceTls(await issue());
  await Promise.all([server.close(), replaced]);
  await server.replaceTls(await issue());
  await server.finished;
  await assertRejects(() => fetch(server.url));
});

Deno.test("replaceTls() refuses a server without TLS", async () => {
  const server = await serveHttp(() => new Response(), HERE);
  const { issue } = await authority();
  await assertRejects(async () => await server.replaceTls(await issue()), TypeError, "without tls");
  await server.close();
});

/** `serve` calls webhooks over HTTPS, and trusts only the certificates of their configuration. */

import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server as TlsServer } from "node:https";
import { type AddressInfo, createServer as createPlainServer, type Server } from "node:net";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { CertificateAuthority, type KeyPair, selfSigned } from "../../support/certificates.ts";
import { callHttps, readAnswer, reasonOf } from "../../../src/testing/serve/https_webhooks.ts";

function post(url: string, signal?: AbortSignal): Request {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: '{"a":1}' };
  return new Request(url, signal === undefined ? init : { ...init, signal });
}

async function withWebhook(
  test: (url: string, ca: string) => Promise<void>,
): Promise<void> {
  const authority = await CertificateAuthority.create();
  const { cert, key } = await authority.issue({ name: "CN=127.0.0.1", hosts: ["127.0.0.1"] });
  await using listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    async (request) => {
      const [, what, number] = new URL(request.url).pathname.split("/");
      if (what === "status") return new Response(null, { status: Number(number) });
      return Response.json({ got: await request.json(), url: request.url });
    },
  );
  await test(`https://127.0.0.1:${listener.addr.port}`, authority.cert);
}

Deno.test("callHttps() sends a review to a webhook whose certificate the caBundle signs", async () => {
  await withWebhook(async (url, caBundle) => {
    const answer = await callHttps(post(`${url}/hook?timeout=10s`), { caBundle });
    assertEquals([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
    assertEquals(await answer.json(), { got: { a: 1 }, url: `${url}/hook?timeout=10s` });
  });
});

Deno.test("callHttps() refuses a certificate of an unknown authority, with the words of Go", async () => {
  await withWebhook(async (url) => {
    await assertRejects(
      () => Promise.resolve(callHttps(post(url), { caBundle: "" })),
      Error,
      "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    );
  });
});

Deno.test("callHttps() reports a refused connection, with the words of Go", async () => {
  await assertRejects(
    () => Promise.resolve(callHttps(post("https://127.0.0.1:1/x"), { caBundle: "" })),
    Error,
    "dial tcp 127.0.0.1:1: connect: connection refused",
  );
});

Deno.test("callHttps() passes on answers without a body", async () => {
  await withWebhook(async (url, caBundle) => {
    for (const status of [204, 205, 304, 500]) {
      const answer = await callHttps(post(`${url}/status/${status}`), { caBundle });
      assertEquals([answer.status, answer.headers.get("content-type")], [status, ""]);
      assertEquals(await answer.text(), "");
    }
  });
});

Deno.test("readAnswer() takes up to 16 MiB, drops what is longer, and fails with the connection", async () => {
  const limit = 16 * 1024 * 1024;
  const begin = () => {
    const dropped: string[] = [];
    const emitter = Object.assign(new EventEmitter(), { statusCode: 200, headers: {} });
    const drop = ({ message }: Error) => dropped.push(message);
    const answer = readAnswer(emitter as unknown as IncomingMessage, drop);
    return { dropped, emitter, answer };
  };
  const longest = begin();
  longest.emitter.emit("data", new Uint8Array(limit - 1));
  longest.emitter.emit("data", new Uint8Array(1));
  assertEquals(longest.dropped, []);
  longest.emitter.emit("end");
  assertEquals((await longest.answer).status, 200);

  const { dropped, emitter, answer } = begin();
  emitter.emit("data", new Uint8Array(limit + 1));
  assertEquals(dropped, [`the answer has more than ${limit} bytes`]);
  emitter.emit("error", new Error("reset"));
  const cut = await answer;
  await assertRejects(() => cut.text(), Error, `the answer has more than ${limit} bytes`);

  const broken = begin();
  broken.emitter.emit("error", new Error("reset"));
  const left = await broken.answer;
  await assertRejects(() => left.text(), Error, "unexpected EOF");
});

Deno.test("callHttps() says like Go why it does not trust a certificate", async () => {
  const authority = await CertificateAuthority.create();
  const stranger = await CertificateAuthority.create();
  const hosts = ["127.0.0.1"];
  const name = "CN=hook";
  const expired = /^certificate has expired or is not yet valid: current time \S+Z is after \S+Z$/;
  const cases: [pair: KeyPair, host: string, reason: string | RegExp][] = [
    [
      await authority.issue({ name, hosts: ["a.test"] }),
      "127.0.0.1",
      "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [
      await authority.issue({ name, hosts: ["10.9.9.9", "10.9.9.8"] }),
      "127.0.0.1",
      "certificate is valid for 10.9.9.9, 10.9.9.8, not 127.0.0.1",
    ],
    [
      await authority.issue({ name, hosts: ["a.test", "*.b.test"] }),
      "localhost",
      "certificate is valid for a.test, *.b.test, not localhost",
    ],
    [
      await authority.issue({ name, hosts }),
      "localhost",
      "certificate is not valid for any names, but wanted to match localhost",
    ],
    [await authority.issue({ name, hosts, endsInMs: -60_000 }), "127.0.0.1", expired],
    [await stranger.issue({ name, hosts, endsInMs: -60_000 }), "127.0.0.1", expired],
    [
      await stranger.issue({ name, hosts: ["10.9.9.9"] }),
      "127.0.0.1",
      "certificate is valid for 10.9.9.9, not 127.0.0.1",
    ],
    [
      await stranger.issue({ name, hosts }),
      "127.0.0.1",
      "certificate signed by unknown authority",
    ],
    [await selfSigned(hosts), "127.0.0.1", "certificate signed by unknown authority"],
  ];
  for (const [{ cert, key }, host, reason] of cases) {
    await using listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
      () => new Response("{}"),
    );
    const url = `https://${host}:${listener.addr.port}/`;
    const error = await assertRejects(
      () => Promise.resolve(callHttps(post(url), { caBundle: authority.cert })),
      Error,
    );
    const shown = error.message.replace("tls: failed to verify certificate: x509: ", "");
    if (typeof reason === "string") assertEquals(shown, reason);
    else assertMatch(shown, reason);
  }
});

Deno.test("callHttps() reports connections that break, with the words of Go", async () => {
  const authority = await CertificateAuthority.create();
  const tls = await authority.issue({ name: "CN=hook", hosts: ["127.0.0.1"] });
  const afterRequest = (act: (response: ServerResponse) => void) =>
    createServer(tls, (request, response) => request.resume().on("end", () => act(response)));
  const servers: [server: Server | TlsServer, reason: string][] = [
    [createPlainServer((socket) => socket.destroy()), "EOF"],
    [afterRequest((response) => response.socket?.destroy()), "EOF"],
    [
      createPlainServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
        socket.resume();
      }),
      "http: server gave HTTP response to HTTPS client",
    ],
    [
      afterRequest((response) => response.socket?.end("nonsense\r\n\r\n")),
      'net/http: HTTP/1.x transport connection broken: malformed HTTP response "nonsense"',
    ],
    [
      afterRequest((response) => {
        response.writeHead(200, { "content-length": 10 });
        response.write("{", () => response.socket?.destroy());
      }),
      "unexpected EOF",
    ],
  ];
  for (const [server, reason] of servers) {
    server.on("error", () => {});
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const call = async () => {
      const url = `https://127.0.0.1:${port}/`;
      const response = await callHttps(post(url), { caBundle: authority.cert });
      await response.text();
    };
    await assertRejects(call, Error, reason);
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

Deno.test("reasonOf() words the failures of each runtime like Go", () => {
  const plain = "http: server gave HTTP response to HTTPS client";
  const refused = (port: number) => `dial tcp hook.test:${port}: connect: connection refused`;
  const failure = (code: string, message = "") => Object.assign(new Error(message), { code });
  for (
    const [error, url, reason] of [
      [failure("ECONNREFUSED"), "https://hook.test/x", refused(443)],
      [new Error("connect ECONNREFUSED 10.0.0.1"), "https://hook.test:8443/x", refused(8443)],
      [failure("EPROTO", "write EPROTO wrong version number"), "https://hook.test/x", plain],
      [failure("ECONNRESET", "socket hang up"), "https://hook.test/x", "EOF"],
      ["gone", "https://hook.test/x", "gone"],
    ] as const
  ) {
    assertEquals(reasonOf(error, new URL(url)), reason);
  }
  assertMatch(
    reasonOf(failure("ENOTFOUND"), new URL("https://hook.test/x")),
    /^dial tcp: lookup hook\.test( on \S+:53)?: no such host$/,
  );
});

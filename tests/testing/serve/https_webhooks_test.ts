/** `serve` calls webhooks over HTTPS, and trusts only the certificates of their configuration. */

import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { assertEquals, assertRejects } from "@std/assert";
import { CertificateAuthority } from "../../support/certificates.ts";
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
  await assertRejects(() => answer, Error, "reset");
});

Deno.test("reasonOf() words the failures of each runtime like Go", () => {
  const untrusted =
    "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  const refused = (port: number) => `dial tcp hook.test:${port}: connect: connection refused`;
  const failure = (code: string, message = "") => Object.assign(new Error(message), { code });
  for (
    const [error, url, reason] of [
      [failure("ECONNREFUSED"), "https://hook.test/x", refused(443)],
      [new Error("connect ECONNREFUSED 10.0.0.1"), "https://hook.test:8443/x", refused(8443)],
      [failure("ENOTFOUND"), "https://hook.test/x", "dial tcp: lookup hook.test: no such host"],
      [failure("DEPTH_ZERO_SELF_SIGNED_CERT"), "https://hook.test/x", untrusted],
      [failure("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "https://hook.test/x", untrusted],
      [failure("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), "https://hook.test/x", untrusted],
      [new Error("invalid peer certificate: UnknownIssuer"), "https://hook.test/x", untrusted],
      [failure("ECONNRESET", "socket hang up"), "https://hook.test/x", "socket hang up"],
      ["gone", "https://hook.test/x", "gone"],
    ] as const
  ) {
    assertEquals(reasonOf(error, new URL(url)), reason);
  }
});

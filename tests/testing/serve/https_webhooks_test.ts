/** `serve` calls webhooks over HTTPS, and trusts only the certificates of their configuration. */

import { assertEquals, assertRejects } from "@std/assert";
import { CertificateAuthority } from "../../support/certificates.ts";
import { callHttps } from "../../../src/testing/serve/https_webhooks.ts";

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
    async (request) => Response.json({ got: await request.json(), url: request.url }),
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

Deno.test("callHttps() refuses a certificate that nobody vouches for, with the words of Go", async () => {
  await withWebhook(async (url) => {
    await assertRejects(
      () => Promise.resolve(callHttps(post(url), { caBundle: "" })),
      Error,
      "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    );
  });
});

Deno.test("callHttps() says that nobody listens, with the words of Go", async () => {
  await assertRejects(
    () => Promise.resolve(callHttps(post("https://127.0.0.1:1/x"), { caBundle: "" })),
    Error,
    "dial tcp 127.0.0.1:1: connect: connection refused",
  );
});

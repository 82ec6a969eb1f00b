import { assertEquals, assertRejects } from "@std/assert";
import { browserTransport } from "../../../src/client/transport/browser.ts";
import { UnsupportedError } from "../../../src/client/transport/transport.ts";

const REQUEST = {
  method: "GET",
  headers: [["Accept", "application/json"], ["User-Agent", "kubeloop"]],
  body: null,
  redirect: "manual",
  expects: "other",
} as const;

/** Runs `body` with another global `fetch`, and returns the requests that it got. */
async function withFetch(body: () => Promise<unknown>): Promise<Request[]> {
  const requests: Request[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = (url, init) => {
    requests.push(new Request(url as string, init));
    return Promise.resolve(new Response("ok"));
  };
  try {
    await body();
  } finally {
    globalThis.fetch = original;
  }
  return requests;
}

Deno.test("browserTransport() makes requests by the browser's fetch, with its user agent", async () => {
  const { signal } = new AbortController();
  const [request] = await withFetch(async () => {
    const transport = browserTransport({ insecureSkipTlsVerify: false, caData: undefined });
    const response = await transport.fetch("http://127.0.0.1:8001/api", { ...REQUEST, signal });
    assertEquals(await response.text(), "ok");
    await transport.drain();
    await transport.close();
  });
  assertEquals([request?.url, request?.method], ["http://127.0.0.1:8001/api", "GET"]);
  assertEquals(request?.headers.get("accept"), "application/json");
  assertEquals(request?.headers.has("user-agent"), false);
});

Deno.test("browserTransport() names the settings that no browser can use, and makes no request", async () => {
  const { signal } = new AbortController();
  const requests = await withFetch(async () => {
    const transport = browserTransport({ caData: "PEM", proxyUrl: "http://127.0.0.1:3128" });
    await assertRejects(
      () => transport.fetch("http://127.0.0.1:8001/api", { ...REQUEST, signal }),
      UnsupportedError,
      "A browser cannot use caData, proxyUrl: connect to kubectl proxy",
    );
  });
  assertEquals(requests, []);
});

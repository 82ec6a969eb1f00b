import { assert, assertEquals } from "@std/assert";
import { ApiServer, type ApiServerOptions } from "../../../src/testing/mod.ts";

Deno.test("serve() answers on loopback, streams watches and stops cleanly", async () => {
  await using server = new ApiServer();
  const served = await server.serve();
  assertEquals(served.url, `http://127.0.0.1:${served.port}`);
  await checkServed(served.url, async () => {
    await server.close();
    await served.finished;
  });
  assertEquals(server.openWatches, 0);
});

async function checkServed(url: string, stop: () => Promise<void>): Promise<void> {
  const maps = `${url}/api/v1/namespaces/default/configmaps`;
  const response = await fetch(`${maps}?watch=1`);
  assertEquals(response.headers.get("content-type"), "application/json");
  const reader = response.body!.getReader();
  const created = await fetch(maps, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" } }),
  });
  assertEquals(created.status, 201);
  await created.body!.cancel();
  const { value } = await reader.read();
  assertEquals(JSON.parse(new TextDecoder().decode(value)).object.metadata.name, "a");
  const stopping = stop();
  assertEquals((await reader.read()).done, true);
  await stopping;
}

Deno.test("serve() notices that the client of a watch has gone", async () => {
  await using server = new ApiServer();
  const served = await server.serve();
  const abort = new AbortController();
  const url = `${served.url}/api/v1/pods?watch=1`;
  const response = await fetch(url, { signal: abort.signal });
  assertEquals(server.openWatches, 1);
  abort.abort();
  await response.body!.cancel().catch(() => {});
  for (let tries = 0; tries < 2000 && server.openWatches > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assertEquals(server.openWatches, 0);
});

Deno.test("serve() compresses large responses for clients that accept gzip", async () => {
  await using server = new ApiServer();
  const served = await server.serve();
  const maps = "/api/v1/namespaces/default/configmaps";
  for (const [name, length] of [["small", 10], ["large", 200_000]] as const) {
    const body = JSON.stringify({ metadata: { name }, data: { k: "x".repeat(length) } });
    const headers = { "content-type": "application/json" };
    await (await server.fetch(`http://c${maps}`, { method: "POST", headers, body })).body!.cancel();
  }
  assert((await head(served.port, `${maps}/large`)).includes("content-encoding: gzip"));
  assert(!(await head(served.port, `${maps}/small`)).includes("content-encoding"));
  for (const encoding of ["gzip;q=0", "gzip;q=0.5", "x-gzip", "identity"]) {
    const text = await head(served.port, `${maps}/large`, encoding);
    assert(!text.includes("content-encoding"), encoding);
  }
  const inProcess = await server.fetch(`http://c${maps}/large`, {
    headers: { "accept-encoding": "gzip" },
  });
  assertEquals((await inProcess.json()).data.k.length, 200_000);
});

Deno.test("serve() compresses streaming lists as servers since 1.37 do, and no other watches", async () => {
  const list = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const isCompressed = async (options: ApiServerOptions, query: string, encoding?: string) => {
    await using server = new ApiServer(options);
    const { port } = await server.serve();
    const text = await head(port, `/api/v1/configmaps?watch=true&${query}`, encoding);
    return text.includes("content-encoding: gzip");
  };
  assertEquals(await isCompressed({}, list), true);
  assertEquals(await isCompressed({}, list, "identity"), false);
  assertEquals(await isCompressed({}, ""), false);
  assertEquals(await isCompressed({ kubernetes: "1.36" }, list), false);
  assertEquals(await isCompressed({ featureGates: { WatchListCompression: false } }, list), false);
});

/** Returns the head of a response as it is on the wire, in lower case. */
async function head(port: number, path: string, encoding = "br, gzip"): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const request =
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  let text = "";
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(65_536);
  for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
    text += decoder.decode(buffer.subarray(0, n));
    if (text.includes("\r\n\r\n")) break;
  }
  return text.split("\r\n\r\n")[0]!.toLowerCase();
}

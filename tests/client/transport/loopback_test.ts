import { assert, assertEquals, assertRejects } from "@std/assert";
import { networkFailure, silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { Namespaces, Pods } from "../../../src/types/mod.ts";
import { CertificateAuthority } from "../../support/certificates.ts";

type Server = Deno.HttpServer<Deno.NetAddr>;

const serverOf = (handler: (request: Request, peer: string) => Response, tls = {}): Server =>
  Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...tls },
    (request, { remoteAddr }) => handler(request, String((remoteAddr as Deno.NetAddr).port)),
  ) as Server;

const clientOf = (server: Server, options = {}) =>
  new Client({ server: `http://127.0.0.1:${server.addr.port}`, logger: silentLogger, ...options });

Deno.test("Client reuses one TCP connection, also after failures and retries", async () => {
  const peers = new Set<string>();
  let count = 0;
  await using server = serverOf((_request, peer) => {
    peers.add(peer);
    count++;
    if (count === 2) return new Response("x".repeat(5000), { status: 404 });
    if (count === 3) return new Response("busy", { status: 429, headers: { "Retry-After": "0" } });
    return Response.json({ metadata: { name: "n" } });
  });
  await using client = clientOf(server);
  await client.get(Namespaces, "n");
  await client.get(Namespaces, "n").catch(() => {});
  await client.get(Namespaces, "n");
  await client.create(Namespaces, { metadata: { name: "n" } });
  assertEquals([count, peers.size], [5, 1]);
});

Deno.test("Client.watch() resolves when the head arrives, and leaving the loop closes the connection", async () => {
  let cancelled!: () => void;
  const left = new Promise<void>((resolve) => cancelled = resolve);
  let start!: (line: string) => void;
  await using server = serverOf(() =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          start = (line) => controller.enqueue(new TextEncoder().encode(line));
        },
        cancel: cancelled,
      }),
    )
  );
  await using client = clientOf(server);
  const watch = await client.watch(Pods);
  start('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
  for await (const event of watch) {
    assertEquals(event.type, "ADDED");
    break;
  }
  await left;
});

Deno.test("Client.close() and an abort end watches that are not iterated", async () => {
  let open = 0;
  let ended!: () => void;
  const allEnded = new Promise<void>((resolve) => ended = resolve);
  const body = () =>
    new ReadableStream({
      start: () => void open++,
      cancel: () => {
        if (--open === 0) ended();
      },
    });
  await using server = serverOf(() => new Response(body()));
  const stop = new AbortController();
  const client = clientOf(server);
  await client.watch(Pods, { signal: stop.signal });
  await client.watch(Pods);
  assertEquals(open, 2);
  stop.abort();
  await client.close();
  await allEnded;
});

Deno.test("Client.watch() distinguishes a failed connection from the end of a watch", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const line = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';
  const serving = (async () => {
    const connection = await listener.accept();
    await connection.read(new Uint8Array(4096));
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const chunk = `${line.length.toString(16)}\r\n${line}\r\n`;
    await connection.write(new TextEncoder().encode(head + chunk));
    connection.close();
  })();
  const { port } = listener.addr as Deno.NetAddr;
  await using client = new Client({ server: `http://127.0.0.1:${port}` });
  const seen: string[] = [];
  const error = await assertRejects(async () => {
    for await (const event of await client.watch(Pods)) seen.push(event.type);
  });
  assertEquals(seen, ["ADDED"]);
  assertEquals(networkFailure(error), "eof");
  await serving;
  listener.close();
});

Deno.test("Client reports a refused connection", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  await using client = new Client({ server: `http://127.0.0.1:${port}` });
  const error = await assertRejects(() => client.list(Pods), Error, "is the API server running");
  assertEquals(networkFailure(error), "refused");
});

Deno.test("Client connects by TLS with the configured CA", async () => {
  const authority = await CertificateAuthority.create();
  const issued = await authority.issue({ name: "CN=server", hosts: ["127.0.0.1"] });
  await using server = serverOf(
    (request) => Response.json({ metadata: { name: request.headers.get("authorization") } }),
    issued,
  );
  const url = { server: `https://127.0.0.1:${server.addr.port}`, token: "t" };
  await using trusting = clientOf(server, { ...url, caData: authority.cert });
  const { metadata } = await trusting.get(Namespaces, "n");
  assertEquals(metadata.name, "Bearer t");
  await using doubting = clientOf(server, url);
  const error = await assertRejects(() => doubting.get(Namespaces, "n"), Error);
  assert(error.message.includes("certificate authority given"), error.message);
});

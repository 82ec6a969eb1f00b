/** A served API server among hostile requests, as they are on the wire. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { silentLogger } from "../../src/base/mod.ts";
import { ConfigMaps, Secrets } from "../../src/types/mod.ts";
import { ApiServer, type ServedApi } from "../../src/testing/mod.ts";
import { type RawAnswer, RawConnection, rawRequest } from "../support/raw_http.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const MAP = JSON.stringify({ metadata: { name: "made-by-a-page" } });

/** A served API server with a Secret. */
class Served implements AsyncDisposable {
  readonly server: ApiServer;
  readonly api: ServedApi;

  private constructor(server: ApiServer, api: ServedApi) {
    this.server = server;
    this.api = api;
  }

  static async start(acceptHosts: string[] = []): Promise<Served> {
    const server = new ApiServer({ logger: silentLogger });
    await server.fetch("http://cluster/api/v1/namespaces/default/secrets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name: "s" }, stringData: { password: "hunter2" } }),
    });
    return new Served(server, await server.serve({ acceptHosts }));
  }

  request(line: string, headers: readonly string[], body = ""): Promise<RawAnswer> {
    const head = [`${line} HTTP/1.1`, ...headers, "Connection: close"];
    if (body !== "") head.push(`Content-Length: ${body.length}`);
    return rawRequest(this.api.port, `${head.join("\n")}\n\n${body}`);
  }

  /** Requires a Status of this code, without a Secret in it and without a change on the server. */
  refused(answer: RawAnswer, code: number, what: string): void {
    assertEquals(answer.status, code, `${what}: ${answer.head}`);
    const { kind, status, message, code: stated } = JSON.parse(answer.body);
    assertEquals({ kind, status, stated }, { kind: "Status", status: "Failure", stated: code });
    assert(message.length < 400, message);
    assert(!/access-control/.test(answer.head), answer.head);
    const names = this.server.objects(ConfigMaps, "default").map(({ metadata }) => metadata.name);
    assertEquals(names, [], what);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}

Deno.test("a server on a socket answers requests for its own hosts only", async () => {
  await using served = await Served.start(["Host.Docker.Internal", "2001:db8::1"]);
  const { port } = served.api;
  for (
    const host of [
      "localhost",
      `localhost:${port}`,
      "localhost:9",
      "LOCALHOST",
      "127.0.0.1",
      `127.0.0.1:${port}`,
      "[::1]",
      `[::1]:${port}`,
      "[0:0:0:0:0:0:0:1]",
      "host.docker.internal:8001",
      "[2001:DB8:0::1]",
    ]
  ) {
    assertEquals((await served.request("GET /readyz", [`Host: ${host}`])).status, 200, host);
  }
  for (
    const host of [
      "attacker.example",
      `attacker.example:${port}`,
      "localhost.attacker.example",
      "attacker.example.localhost",
      "x.localhost",
      "localhost.",
      "127.0.0.1.nip.io",
      "127.0.0.2",
      "0.0.0.0",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "[::ffff:127.0.0.1]",
      "[::]",
      "::1",
      "[::1",
      "[::1]x",
      "[::1%25lo]",
      "user@localhost",
      "localhost@attacker.example",
      "localhost/../secrets",
      "x/../secrets",
      "localhost?",
      "a?b",
      "localhost#",
      "localhost\\",
      "localhost:",
      "localhost:x",
      "localhost:99999",
      "localhost:80:80",
      "localhost,attacker.example",
      "localhost attacker.example",
      "%6cocalhost",
      "l\u00f6calhost",
      "kubernetes.default.svc",
      "",
    ]
  ) {
    const answer = await served.request("GET /api/v1/secrets", [`Host: ${host}`]);
    served.refused(answer, 403, host);
    assert(answer.body.includes("--accept-hosts"), answer.body);
  }
  const long = await served.request("GET /", [`Host: ${"x".repeat(5_000)}`]);
  served.refused(long, 403, "a long host");
  served.refused(await served.request("GET /", []), 400, "no host");
  const two = ["Host: localhost", "Host: localhost"];
  served.refused(await served.request("GET /", two), 400, "two hosts");
  const foreignSecond = ["Host: localhost", "Host: attacker.example"];
  served.refused(await served.request("GET /", foreignSecond), 400, "two hosts");
});

Deno.test("a server on a socket takes the path from the request line", async () => {
  await using served = await Served.start();
  const { port } = served.api;
  const hosts = [`Host: localhost:${port}`];
  const kind = async (target: string) => {
    const { status, body } = await served.request(`GET ${target}`, hosts);
    return status === 200 ? JSON.parse(body).kind : status;
  };
  assertEquals(await kind(MAPS), "ConfigMapList");
  assertEquals(await kind(`http://localhost:${port}${MAPS}`), "ConfigMapList");
  assertEquals(await kind(`HTTP://127.0.0.1${MAPS}?limit=1`), "ConfigMapList");
  assertEquals((await served.request("GET http://localhost?/api", hosts)).status, 200);
  for (
    const target of [
      `http://attacker.example${MAPS}`,
      `http://localhost@attacker.example${MAPS}`,
      `http://user:password@localhost${MAPS}`,
      `https://localhost.attacker.example${MAPS}`,
    ]
  ) assertEquals(await kind(target), 403, target);
  for (
    const target of [
      "/api/v1/namespaces/default/configmaps/../secrets",
      "/api/v1/./secrets",
      "/api/v1/configmaps/%2e%2E/secrets",
      "/api/v1/configmaps/.%2e/secrets/s",
      "/api/v1/namespaces/default/configmaps\\..\\secrets",
      "//attacker.example/api/v1/secrets",
      "/api/v1/secrets#",
    ]
  ) assertEquals(await kind(target), 404, target);
  assertEquals(await kind(`${MAPS}/..`), 400, "dots for a name");
});

Deno.test("a server on a socket refuses requests of foreign pages", async () => {
  await using served = await Served.start(["dev.example"]);
  const { port } = served.api;
  const host = `Host: localhost:${port}`;
  const own = `Origin: http://localhost:${port}`;
  for (
    const [why, ...headers] of [
      ["another site", "Origin: https://attacker.example"],
      ["a sandboxed page or a file", "Origin: null"],
      ["another port", `Origin: http://localhost:${port + 1}`],
      ["no port", "Origin: http://localhost"],
      ["another scheme", `Origin: https://localhost:${port}`],
      ["another name of this machine", `Origin: http://127.0.0.1:${port}`],
      ["another accepted name", `Origin: http://dev.example:${port}`],
      ["a longer name", `Origin: http://localhost:${port}.attacker.example`],
      ["two origins", own, "Origin: https://attacker.example"],
      ["an extension", "Origin: chrome-extension://abcdefgh"],
      ["nothing", "Origin:"],
      ["cross-site", "Sec-Fetch-Site: cross-site"],
      ["same-site", "Sec-Fetch-Site: same-site"],
      ["a new value", "Sec-Fetch-Site: elsewhere"],
      ["two sites", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"],
      ["own origin and cross-site", own, "Sec-Fetch-Site: cross-site"],
      ["a form", "Origin: null", "Content-Type: text/plain"],
    ] as const
  ) {
    const answers = [
      await served.request("GET /api/v1/secrets", [host, ...headers]),
      // A form or a Blob without a type sends no content type, which the server reads as JSON.
      await served.request(`POST ${MAPS}`, [host, ...headers], MAP),
      await served.request(`OPTIONS ${MAPS}`, [
        host,
        ...headers,
        "Access-Control-Request-Method: PUT",
      ]),
      await served.request(`DELETE /api/v1/namespaces/default/secrets/s`, [host, ...headers]),
      await served.request(`GET ${MAPS}?watch=1`, [
        host,
        ...headers,
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ]),
    ];
    for (const answer of answers) served.refused(answer, 403, why);
  }
  assertEquals(served.server.objects(Secrets, "default").length, 1);
  for (const headers of [[own], [own, "Sec-Fetch-Site: same-origin"], ["Sec-Fetch-Site: none"]]) {
    assertEquals((await served.request("GET /readyz", [host, ...headers])).status, 200);
  }
});

Deno.test("the guard of sockets does not concern fetch", async () => {
  await using server = new ApiServer();
  const headers = { origin: "https://attacker.example", "sec-fetch-site": "cross-site" };
  assertEquals((await server.fetch("http://cluster/readyz", { headers })).status, 200);
});

Deno.test("serve() rejects invalid hosts to accept", async () => {
  await using server = new ApiServer();
  for (const host of ["", "a:80", "[::1]:80", "http://a", "a/b", "*", "^localhost$", 1]) {
    await assertRejects(
      () => server.serve({ acceptHosts: [host as string] }),
      RangeError,
      `Cannot serve: ${JSON.stringify(host)} in "acceptHosts"`,
    );
  }
});

Deno.test("a server on a socket answers odd methods with 405", async () => {
  await using served = await Served.start();
  const host = "Host: localhost";
  for (
    const method of ["TRACE", "TRACK", "CONNECT", "FOO", "get", "PROPFIND", "OPTIONS", "M-SEARCH"]
  ) {
    const answer = await served.request(`${method} ${MAPS}`, [host]);
    served.refused(answer, 405, method);
    assertEquals(JSON.parse(answer.body).reason, "MethodNotAllowed");
  }
  assertEquals((await served.request(`HEAD ${MAPS}`, [host])).status, 405);
  served.refused(await served.request("TRACE /", ["Host: attacker.example"]), 403, "TRACE");
  served.refused(await served.request("CONNECT a:80", ["Host: a:80"]), 403, "CONNECT");
});

Deno.test("a server on a socket answers what is not HTTP with a Status", async () => {
  await using served = await Served.start();
  const { port } = served.api;
  for (
    const text of [
      "\u0016\u0003\u0001\u0002\n\n",
      "hello\n\n",
      "GET / HTTP/9.9\n\n",
      "GET /\n\n",
      "PRI * HTTP/2.0\n\nSM\n\n",
    ]
  ) {
    const { status } = await rawRequest(port, text);
    assert(status >= 400 && status < 500, `${JSON.stringify(text)}: ${status}`);
  }
  const huge = `GET / HTTP/1.1\nHost: localhost\nX: ${"x".repeat(2 * 1024 * 1024)}\n\n`;
  assert([431, 0].includes((await rawRequest(port, huge)).status));
  const large = `GET /readyz HTTP/1.1\nHost: localhost\nConnection: close\nX: ${
    "x".repeat(500_000)
  }\n\n`;
  assertEquals((await rawRequest(port, large)).status, 200);
  const smuggled =
    `POST ${MAPS} HTTP/1.1\nHost: localhost\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n`;
  assertEquals((await rawRequest(port, smuggled)).status, 400);
});

Deno.test("a server on a socket answers a request with invalid characters in a header", async () => {
  await using served = await Served.start();
  const odd = { "odd\u007ffield\u0001": 1, "日本": 1, "\u200b😀": 1 };
  const body = JSON.stringify(Object.assign({ metadata: { name: "a" } }, odd))
    .replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);
  const headers = ["Host: localhost", "Content-Type: application/json"];
  const answer = await served.request(`POST ${MAPS}`, headers, body);
  assertEquals(answer.status, 201);
  const warnings = Buffer.from(answer.head, "latin1").toString("utf8");
  for (const field of ["odd\\\\x7ffield\\\\x01", "日本", "\\\\u200b😀"]) {
    assert(warnings.includes(`299 - "unknown field \\"${field}\\""`), warnings);
  }
  const respond = served.server.faults.respond({ headers: { "x-odd": "a\u007fb\u0001c" } });
  const answered = await served.request("GET /", ["Host: localhost"]);
  respond.remove();
  assert(answered.head.includes("x-odd: a?b?c"), answered.head);
});

Deno.test("a server on a socket answers a body that is too long, and then closes", async () => {
  await using served = await Served.start();
  using connection = new RawConnection(served.api.port);
  connection.send(`POST ${MAPS} HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n`);
  const chunk = `10000\n${"x".repeat(65_536)}\n`;
  for (let i = 0; i < 80; i++) connection.send(chunk);
  await connection.received(/HTTP\/1\.1 413/);
});

Deno.test("a server on a socket closes connections with half a head; watches stay", async () => {
  await using served = await Served.start();
  const { port } = served.api;
  using watch = new RawConnection(port);
  watch.send(`GET ${MAPS}?watch=1 HTTP/1.1\nHost: localhost\n\n`);
  await watch.received(/\r\n\r\n/);
  using silent = new RawConnection(port);
  using half = new RawConnection(port);
  half.send("GET /readyz HTTP/1.1\nHost: loc");
  using second = new RawConnection(port);
  second.send("GET /readyz HTTP/1.1\nHost: localhost\n\nGET /readyz HT");
  await Promise.all([silent.closed, half.closed, second.closed]);
  await served.server.fetch(`http://cluster${MAPS}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "seen" } }),
  });
  await watch.received(/"name":"seen"/);
});

import { assertEquals } from "@std/assert";
import { listen, type Service, UnreadableRequest } from "../../src/serving/mod.ts";
import { acceptWebSocket, type ServedUpgrade } from "../../src/testing/api_server/http/mod.ts";
import { RawConnection } from "../support/raw_http.ts";
import { testOn } from "../support/kinds_of_tests.ts";

const HANDSHAKE = "Upgrade: websocket\nConnection: Upgrade\n";
/** The example of RFC 6455. */
const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n";
const VERSION = "Sec-WebSocket-Version: 13\n";

/** Serves upgrades, and nothing else. */
function serve(upgrade: (request: Request) => Promise<Response | ServedUpgrade>) {
  const service: Service = {
    urlOf: ({ target }) => {
      if (target === "/nowhere") throw new UnreadableRequest(405, "nowhere");
      return new URL(target, "http://a");
    },
    answer: () => Promise.resolve(new Response("no upgrade")),
    refuse: (error) => {
      const { code, message } = error as UnreadableRequest;
      return new Response(message, { status: code });
    },
    upgrade: async (request) => {
      const answer = await upgrade(request);
      return answer instanceof Response ? answer : await acceptWebSocket(request, answer);
    },
  };
  return listen(() => service, { port: 0, hostname: "127.0.0.1" });
}

/** Sends back what comes, until its peer ends. */
const echo = (protocol: string): ServedUpgrade => ({
  protocol,
  serve: async (socket) => {
    for (let part = await socket.read(); part !== undefined; part = await socket.read()) {
      await socket.write(part);
      if (part.at(-1) === "!".charCodeAt(0)) socket.end();
    }
  },
});

Deno.test("listen() gives an accepted connection away, with the bytes that came first", async () => {
  const signals: AbortSignal[] = [];
  const server = await serve((request) => {
    signals.push(request.signal);
    return Promise.resolve(echo(new URL(request.url).pathname.slice(1)));
  });
  for (const [protocol, header] of [["", ""], ["v5", "sec-websocket-protocol: v5\r\n"]] as const) {
    using connection = new RawConnection(server.port);
    connection.send(`GET /${protocol} HTTP/1.1\nHost: a\n${HANDSHAKE}${KEY}${VERSION}\nhel`);
    await connection.received(/hel$/);
    connection.send("lo!");
    await connection.received(/hello!$/);
    connection[Symbol.dispose]();
    const { status, head, body } = await connection.closed;
    assertEquals([status, body], [101, "hello!"]);
    const accept = "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n";
    assertEquals(
      `${head}\r\n`,
      `http/1.1 101 switching protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n${accept}${header}`,
    );
  }
  await server.close(0);
  assertEquals(signals.map(({ aborted }) => aborted), [false, false]);
});

testOn(
  ["deno"],
  "the server of Deno closes the connection",
  "listen() answers what it does not upgrade, and closes the connection",
  async () => {
    const server = await serve((request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/refused") {
        return Promise.resolve(new Response("no", { status: 403, headers: { "x-why": "rights" } }));
      }
      if (pathname === "/unreadable") return Promise.reject(new UnreadableRequest(413, "too long"));
      return pathname === "/fails" ? Promise.reject(new Error("oops")) : Promise.resolve(echo(""));
    });
    for (
      const [path, headers, status, body] of [
        [
          "/",
          `${KEY}${VERSION}`.replace("13", "12"),
          400,
          "The request is no WebSocket of version 13",
        ],
        ["/", KEY, 400, "The request is no WebSocket of version 13"],
        ["/", VERSION, 400, "The request is no WebSocket of version 13"],
        ["/refused", `${KEY}${VERSION}`, 403, "no"],
        ["/unreadable", `${KEY}${VERSION}`, 413, "too long"],
        ["/nowhere", `${KEY}${VERSION}`, 405, "nowhere"],
        // A connection whose upgrade fails is dropped.
        ["/fails", `${KEY}${VERSION}`, 0, ""],
      ] as const
    ) {
      using connection = new RawConnection(server.port);
      connection.send(`GET ${path} HTTP/1.1\nHost: a\n${HANDSHAKE}${headers}\n`);
      const answer = await connection.closed;
      assertEquals([answer.status, answer.body], [status, body], path);
      assertEquals(answer.head.endsWith("connection: close"), status !== 0, answer.head);
      assertEquals(answer.head.includes("x-why: rights\r\n"), path === "/refused");
    }
    await server.close(0);
  },
);

Deno.test("listen() aborts a request to upgrade whose connection is cut", async () => {
  const asked = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const server = await serve(async ({ signal }) => {
    signal.addEventListener("abort", () => aborted.resolve());
    asked.resolve();
    await aborted.promise;
    throw new Error("too late");
  });
  using connection = new RawConnection(server.port);
  connection.send(`GET / HTTP/1.1\nHost: a\n${HANDSHAKE}${KEY}${VERSION}\n`);
  await asked.promise;
  server.cut();
  await aborted.promise;
  await Promise.all([server.finished, server.close(0)]);
  assertEquals((await connection.closed).status, 0);
});

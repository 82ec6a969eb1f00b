/** A server with its maximum number of connections. */

import { assertEquals } from "@std/assert";
import {
  createCertificate,
  listen,
  type Listening,
  type ListenOptions,
  type Service,
} from "../../src/serving/mod.ts";
import { RawConnection } from "../support/raw_http.ts";
import { tlsFetch } from "./_https_client.ts";

const MAX = 4;

/** A server with a few connections, whose requests to `/slow` are answered when the test says so. */
class Served implements AsyncDisposable {
  readonly listening: Listening;
  readonly slow: PromiseWithResolvers<void>;
  /** Resolves when a slow request has come. */
  readonly entered: Promise<void>;

  private constructor(
    listening: Listening,
    slow: PromiseWithResolvers<void>,
    entered: Promise<void>,
  ) {
    this.listening = listening;
    this.slow = slow;
    this.entered = entered;
  }

  static async start(options: Partial<ListenOptions> = {}): Promise<Served> {
    const slow = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const service: Service = {
      urlOf: ({ target }) => new URL(target, "http://here"),
      refuse: () => new Response(null, { status: 400 }),
      answer: async (request) => {
        if (request.url.endsWith("/slow")) {
          entered.resolve();
          await slow.promise;
        }
        return new Response(await request.text());
      },
    };
    const limits = { maxConnections: MAX };
    const place = { port: 0, hostname: "127.0.0.1", limits, ...options };
    return new Served(await listen(() => service, place), slow, entered.promise);
  }

  connect(): RawConnection {
    return new RawConnection(this.listening.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.slow.resolve();
    this.listening.cut();
    await this.listening.finished;
  }
}

let asked = 0;

/** Gets an answer on an open connection: the server has accepted it, and it is idle now. */
async function ask(connection: RawConnection): Promise<void> {
  const body = `body-${++asked}.`;
  connection.send(`POST / HTTP/1.1\nHost: a\nContent-Length: ${body.length}\n\n${body}`);
  await connection.received(new RegExp(body));
}

Deno.test("a new connection replaces the connection that has been idle for the longest time", async () => {
  await using served = await Served.start();
  const [first, second, third, fourth] = Array.from({ length: MAX }, () => served.connect());
  for (const connection of [first!, second!, third!, fourth!]) await ask(connection);
  // The first one has been used again since.
  await ask(first!);
  using probe = served.connect();
  await ask(probe);
  assertEquals((await second!.closed).status, 200);
  await ask(first!);
  using other = served.connect();
  await ask(other);
  await third!.closed;
  for (const connection of [first!, fourth!]) connection[Symbol.dispose]();
});

Deno.test("a connection that has sent a part of a request is dropped, and one whose request is answered is not", async () => {
  await using served = await Served.start();
  using busy = served.connect();
  busy.send("GET /slow HTTP/1.1\nHost: a\n\n");
  using open = served.connect();
  open.send("POST / HTTP/1.1\nHost: a\nContent-Length: 10\n\n12345");
  using silent = served.connect();
  await ask(silent);
  using half = served.connect();
  await ask(half);
  half.send("GET / HTTP");
  using one = served.connect();
  await ask(one);
  await silent.closed;
  using two = served.connect();
  await ask(two);
  await half.closed;
  // Two are idle now. When they are busy, too, the body that does not come is the next.
  for (const connection of [one, two]) connection.send("GET /slow HTTP/1.1\nHost: a\n\n");
  using three = served.connect();
  await ask(three);
  await open.closed;
  three.send("GET /slow HTTP/1.1\nHost: a\n\n");
  // All are in use.
  using refused = served.connect();
  assertEquals((await refused.closed).status, 0);
  served.slow.resolve();
  await busy.received(/200 OK/);
});

Deno.test("connections without a handshake do not keep requests over TLS out", async () => {
  const at = { nowMs: Date.now(), validMs: 86_400_000 };
  const authority = await createCertificate({ ...at, commonName: "ca", authority: true });
  const hosts = ["hook.svc"];
  const tls = await createCertificate({ ...at, commonName: "a", hosts, issuer: authority });
  await using served = await Served.start({ tls });
  const idle = Array.from({ length: 3 * MAX }, () => served.connect());
  // All have come when there are no more than allowed.
  for (const connection of idle.slice(0, 2 * MAX)) await connection.closed;
  const trust = { ca: authority.cert, servername: "hook.svc" };
  for (let i = 0; i < 2 * MAX; i++) {
    assertEquals((await tlsFetch(served.listening.port, trust)).status, 200);
  }
  // A connection with a running answer stays.
  const answered = tlsFetch(served.listening.port, { ...trust, path: "/slow" });
  await served.entered;
  const more = Array.from({ length: 3 * MAX }, () => served.connect());
  for (const connection of more.slice(0, 2 * MAX)) await connection.closed;
  assertEquals((await tlsFetch(served.listening.port, trust)).status, 200);
  served.slow.resolve();
  assertEquals((await answered).status, 200);
  for (const connection of [...idle, ...more]) connection[Symbol.dispose]();
});

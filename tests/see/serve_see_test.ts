import { assertEquals } from "@std/assert";
import { serveSee } from "../../src/see/mod.ts";
import { serveHttp } from "../../src/serving/mod.ts";
import { RawConnection } from "../support/raw_http.ts";
import { slowTest } from "../support/kinds_of_tests.ts";
import { StubSource, TOKEN } from "./_stub_source.ts";

Deno.test("serveSee() listens on 127.0.0.1, and refuses what no browser may send", async () => {
  await using page = await serveSee(new StubSource(), { serve: serveHttp, token: TOKEN });
  assertEquals(page.url, `http://127.0.0.1:${page.port}/?token=${TOKEN}`);
  const authorization = `Authorization: Bearer ${TOKEN}\nConnection: close\n\n`;
  const status = async (text: string) => {
    using connection = new RawConnection(page.port);
    connection.send(text);
    return (await connection.closed).status;
  };
  const own = `Host: 127.0.0.1:${page.port}\n`;
  assertEquals(await status(`GET /see/keys HTTP/1.1\n${own}${authorization}`), 200);
  assertEquals(await status(`GET /see/keys HTTP/1.1\nHost: evil.example\n${authorization}`), 403);
  assertEquals(
    await status(`GET http://127.0.0.1/see/keys HTTP/1.1\nHost: evil.example\n${authorization}`),
    403,
  );
  assertEquals(await status(`GET /see/keys HTTP/1.1\n${own}${own}${authorization}`), 400);
  assertEquals(await status(`GET /see/keys HTTP/1.1\n${own}Connection: close\n\n`), 401);
  const long = "x".repeat(70_000);
  const post = `POST /see/act HTTP/1.1\n${own}Content-Type: application/json\n`;
  assertEquals(
    await status(`${post}Content-Length: ${long.length}\n${authorization}${long}`),
    413,
  );
});

Deno.test("serveSee() ends its streams with its signal, also of a reader that hangs", async () => {
  const source = new StubSource();
  const stop = new AbortController();
  const page = await serveSee(source, { serve: serveHttp, token: TOKEN, signal: stop.signal });
  using hanging = new RawConnection(page.port);
  hanging.send(
    `GET /see/events HTTP/1.1\nHost: localhost:${page.port}\nAuthorization: Bearer ${TOKEN}\n\n`,
  );
  await hanging.received(/event: state/);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { body } = await fetch(`http://127.0.0.1:${page.port}/see/events`, { headers });
  const reader = body!.getReader();
  await reader.read();
  assertEquals(source.listeners.size, 1);
  stop.abort();
  await page.finished;
  while (!(await reader.read().catch(() => ({ done: true }))).done);
  assertEquals(source.listeners.size, 0);
});

slowTest("serveSee() outlives a thousand connections that send nothing", async () => {
  await using page = await serveSee(new StubSource(), { serve: serveHttp, token: TOKEN });
  const connections = Array.from({ length: 1_000 }, () => new RawConnection(page.port));
  try {
    const headers = { authorization: `Bearer ${TOKEN}` };
    for (let i = 0; i < 20; i++) {
      const response = await fetch(`http://127.0.0.1:${page.port}/see/keys`, { headers });
      assertEquals(await response.json(), { keys: [], total: 0 });
    }
  } finally {
    for (const connection of connections) connection[Symbol.dispose]();
  }
});

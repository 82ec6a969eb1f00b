import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import { SeeHandler } from "../../src/see/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { StubSource, TOKEN } from "./_stub_source.ts";

const HOME = "http://127.0.0.1:4000";

function setUp() {
  const source = new StubSource();
  const logger = new RecordingLogger();
  const handler = new SeeHandler(source, { token: TOKEN, clock: new VirtualClock(), logger });
  /** Sends a request as the page does, unless `init` differs. */
  const send = (path: string, init: RequestInit = {}) =>
    handler.answer(
      new Request(path.startsWith("http") ? path : HOME + path, {
        ...init,
        headers: { authorization: `Bearer ${TOKEN}`, ...init.headers },
      }),
    );
  return { source, handler, send, logger };
}

function act(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
}

Deno.test("SeeHandler serves the page with a policy that permits nothing from elsewhere", async () => {
  const { send } = setUp();
  const response = await send(`/?token=${TOKEN}`, { headers: { authorization: "" } });
  assertEquals(response.status, 200);
  const policy = response.headers.get("content-security-policy") ?? "";
  assertMatch(policy, /^default-src 'none'; script-src 'sha256-[\w+/=]+'/);
  assert(!policy.includes("unsafe"), policy);
  assertEquals(
    ["cache-control", "referrer-policy", "x-frame-options", "x-content-type-options"]
      .map((name) => response.headers.get(name)),
    ["no-store", "no-referrer", "DENY", "nosniff"],
  );
  const html = await response.text();
  assertStringIncludes(html, '{"mode":"live"}');
  assert(!html.includes(TOKEN), "the token is in the page");
});

Deno.test("SeeHandler answers a wrong token with 401, and a page that is loaded again with its program", async () => {
  const { send, source } = setUp();
  for (const wrong of ["", "x", TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toLowerCase()]) {
    const page = await send(`/?token=${wrong}`);
    assertEquals([page.status, await page.text()], [
      401,
      "The token is wrong: open the URL that the program has printed\n",
    ]);
    for (const path of ["keys", "events", "stories", "versions", "export", "act", "nothing"]) {
      const response = await send(`/see/${path}?token=${TOKEN}`, {
        headers: { authorization: `Bearer ${wrong}` },
      });
      assertEquals(response.status, 401, path);
      assert(!(await response.text()).includes(TOKEN));
    }
  }
  const again = await send("/");
  assertEquals(again.status, 200);
  assertStringIncludes(await again.text(), '{"mode":"live"}');
  assertEquals([source.calls, source.states], [[], 0]);
});

Deno.test("SeeHandler refuses requests for other hosts, from other pages and from other sites", async () => {
  const { send, source } = setUp();
  const refused: [string, Record<string, string>][] = [
    ["http://evil.example/see/keys", {}],
    ["http://127.0.0.1.evil.example/see/keys", {}],
    ["http://localhost.evil.example:4000/see/keys", {}],
    ["http://10.0.0.1:4000/see/keys", {}],
    ["http://[::2]:4000/see/keys", {}],
    ["/see/keys", { origin: "http://evil.example" }],
    ["/see/keys", { origin: "null" }],
    ["/see/keys", { origin: "http://127.0.0.1:4001" }],
    ["/see/keys", { origin: "https://127.0.0.1:4000" }],
    ["/see/keys", { "sec-fetch-site": "cross-site" }],
    ["/see/keys", { "sec-fetch-site": "same-site" }],
  ];
  for (const [path, headers] of refused) {
    const response = await send(path, { headers });
    assertEquals(response.status, 403, `${path} ${JSON.stringify(headers)}`);
  }
  for (const host of ["evil.example", "127.0.0.1@evil.example", "localhost/evil", "a b", ""]) {
    const request = new Request(`${HOME}/see/keys`, {
      headers: { authorization: `Bearer ${TOKEN}`, host },
    });
    // Some runtimes drop the header of a request that is made here.
    if (request.headers.get("host") === null) continue;
    assertEquals((await setUp().handler.answer(request)).status, 403, host);
  }
  assertEquals(source.calls, []);
  const own = { origin: HOME, "sec-fetch-site": "same-origin" };
  assertEquals((await send("/see/keys", { headers: own })).status, 200);
  // A person follows a link, as in a terminal that is a web page.
  const followed = await send(`/?token=${TOKEN}`, { headers: { "sec-fetch-site": "cross-site" } });
  assertEquals(followed.status, 200);
  assertEquals((await send("http://localhost:4000/see/keys")).status, 200);
  assertEquals((await send("http://[::1]:4000/see/keys")).status, 200);
});

Deno.test("SeeHandler refuses other methods, paths, parameters and bodies, and names what it wants", async () => {
  const { send, source } = setUp();
  const ok = { name: "pause", controller: "c", key: "a/b" };
  const cases: [string, RequestInit, number][] = [
    ["/", { method: "POST" }, 405],
    ["/see/keys", { method: "DELETE" }, 405],
    ["/see/events", { method: "POST" }, 405],
    ["/see/act", {}, 405],
    ["/see/act/", act(ok), 404],
    ["/see", {}, 404],
    ["/see/../etc/passwd", {}, 404],
    ["/favicon.ico", {}, 404],
    [`/see/keys?text=${"x".repeat(5_000)}`, {}, 414],
    ["/see/keys?limit=-1", {}, 400],
    ["/see/keys?limit=1e9", {}, 400],
    ["/see/stories?controller=c", {}, 400],
    ["/see/export?controller=c&key=a/b&form=toString", {}, 400],
    ["/see/act", act(ok, { "content-type": "text/plain" }), 415],
    ["/see/act", act("{"), 400],
    ["/see/act", act("null"), 400],
    ["/see/act", act({ ...ok, name: "delete" }), 400],
    ["/see/act", act({ ...ok, key: 1 }), 400],
    ["/see/act", act({ ...ok, more: "x".repeat(9_000) }), 413],
  ];
  for (const [path, init, status] of cases) {
    const response = await send(path, init);
    assertEquals(response.status, status, path);
    const { error } = await response.json();
    assert(typeof error === "string" && error.length < 500, path);
  }
  assertEquals(source.calls, []);
});

Deno.test("SeeHandler passes queries and actions to its source, and bounds them", async () => {
  const { send, source } = setUp();
  await send("/see/keys?text=%3Cimg%20src%3Dx%3E&limit=999999");
  await send("/see/stories?controller=c&key=a%2Fb");
  assertEquals(await (await send("/see/versions?controller=c&key=a/b")).json(), {
    after: { kind: "Pod" },
  });
  // A browser would log another status as an error.
  const gone = await send("/see/versions?controller=c&key=a/gone");
  assertEquals([gone.status, await gone.json()], [200, null]);
  const file = await send("/see/export?controller=c&key=a/%22b%0d%0ax&form=workload");
  assertEquals(
    file.headers.get("content-disposition"),
    "attachment",
  );
  const done = await send("/see/act", act({ name: "reconcile", controller: "c", key: "a/b" }));
  assertEquals(await done.json(), { text: "done" });
  assertEquals(source.calls, [
    'keys {"text":"<img src=x>","limit":1000}',
    'stories {"controller":"c","key":"a/b"}',
    'versions {"controller":"c","key":"a/b"}',
    'versions {"controller":"c","key":"a/gone"}',
    'export {"controller":"c","key":"a/\\"b\\r\\nx","form":"workload"}',
    'act {"controller":"c","key":"a/b","name":"reconcile"}',
  ]);
});

Deno.test("SeeHandler answers with the message of a source that throws, on one line", async () => {
  const { logger, send, source } = setUp();
  source.failure = new Error("no such\ncontroller");
  for (const path of ["/see/keys", "/see/stories?controller=c&key=k"]) {
    const response = await send(path);
    assertEquals([response.status, (await response.json()).error], [
      500,
      "no such controller",
    ]);
  }
  assert(logger.lines.every((line) => !line.includes(TOKEN)), "the token is logged");
});

Deno.test("SeeHandler opens five streams, one less than the connections of a browser, and refuses others until one is closed", async () => {
  const { handler, send, source } = setUp();
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => send("/see/events")));
  const open = answers.filter(({ status }) => status === 200);
  assertEquals([open.length, handler.openPages, source.listeners.size], [5, 5, 1]);
  assertEquals(answers.filter(({ status }) => status === 503).length, 995);
  await open[0]!.body!.cancel();
  assertEquals(handler.openPages, 4);
  const next = await send("/see/events");
  assertEquals(next.status, 200);
  handler.close();
  assertEquals([handler.openPages, source.listeners.size], [0, 0]);
  await next.text();
  assertEquals((await send("/see/events")).status, 503);
});

Deno.test("SeeHandler needs a source and a token that cannot be guessed", () => {
  const source = new StubSource();
  assertThrows(() => new SeeHandler(source, { token: "short" }), RangeError, "token must have");
  assertThrows(() => new SeeHandler(source, { token: "a b c d e f g h i j" }), RangeError);
  assertThrows(() => new SeeHandler({} as StubSource, { token: TOKEN }), TypeError);
  const wrong = { token: TOKEN, prot: 1 };
  assertThrows(() => new SeeHandler(source, wrong), TypeError, "prot");
});

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { networkFailure } from "../../../src/base/mod.ts";
import { Cluster } from "./cluster.ts";

const MAPS = Cluster.path("configmaps");

Deno.test("fail() answers instead of the server, the given number of times", async () => {
  await using cluster = new Cluster();
  const fault = cluster.server.faults.fail(503, { times: 2, when: ({ verb }) => verb === "list" });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await cluster.get(MAPS)).status);
  assertEquals([statuses, fault.hits], [[503, 503, 200], 2]);
  cluster.server.faults.fail({ code: 409, reason: "Conflict", message: "no" });
  const refused = await cluster.configMap("a");
  assertEquals([refused.status, refused.json.message, refused.json.kind], [409, "no", "Status"]);
});

Deno.test("remove() and clear() remove faults", async () => {
  await using cluster = new Cluster();
  const fault = cluster.server.faults.fail(500);
  fault.remove();
  cluster.server.faults.fail(500);
  cluster.server.faults.clear();
  assertEquals((await cluster.get(MAPS)).status, 200);
});

Deno.test("drop() rejects like a failed connection, before or after the write", async () => {
  await using cluster = new Cluster();
  const { faults } = cluster.server;
  for (const how of ["refused", "reset"] as const) {
    faults.drop(how, { times: 1 });
    const error = await assertRejects(() => cluster.configMap(how), TypeError);
    assertEquals(networkFailure(error), how);
  }
  const list = await cluster.get(MAPS);
  assertEquals(list.json.items.map((item: { metadata: { name: string } }) => item.metadata.name), [
    "reset",
  ]);
});

Deno.test("delay() delays a request, which the caller can abort", async () => {
  await using cluster = new Cluster();
  cluster.server.faults.delay(5000);
  const startMs = cluster.clock.now();
  await cluster.get(MAPS);
  assertEquals(cluster.clock.now() - startMs, 5000);
  const abort = new AbortController();
  const reason = new Error("enough");
  const pending = cluster.fetch(MAPS, { signal: abort.signal });
  abort.abort(reason);
  assertEquals(await pending.catch((error) => error), reason);
  await cluster.clock.settle();
  assertEquals(cluster.clock.pendingTimers, 0);
});

Deno.test("throttle() answers 429 with Retry-After, as a Status or as plain text", async () => {
  await using cluster = new Cluster();
  const { faults } = cluster.server;
  faults.throttle(7, { times: 1 });
  const status = await cluster.get(MAPS);
  assertEquals([status.status, status.headers.get("retry-after")], [429, "7"]);
  assertEquals(status.json.details.retryAfterSeconds, 7);
  faults.throttle(1, { times: 1, plain: true });
  const plain = await cluster.get(MAPS);
  assertEquals([plain.status, plain.text], [
    429,
    "Too many requests, please try again later.\n",
  ]);
});

Deno.test("cut() breaks a watch in the middle of a line, truncate() ends it there", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b", "c"]) await cluster.configMap(name);
  const { faults } = cluster.server;
  for (const how of ["cut", "truncate"] as const) {
    faults[how]({ afterLines: 2, times: 1 });
    const response = await cluster.fetch(`${MAPS}?watch=1`);
    const decoder = new TextDecoder();
    let text = "";
    let broken = false;
    try {
      for await (const chunk of response.body!) text += decoder.decode(chunk);
    } catch (error) {
      broken = networkFailure(error) === "reset";
    }
    const lines = text.split("\n");
    assertEquals([lines.length, broken], [3, how === "cut"]);
    assertEquals(JSON.parse(lines[1]!).object.metadata.name, "b");
    assert(lines[2]!.startsWith('{"type":"ADDED"') && !lines[2]!.endsWith("}"), lines[2]);
    assertEquals(cluster.server.openWatches, 0);
  }
});

Deno.test("truncate() cuts a list after the given number of bytes", async () => {
  await using cluster = new Cluster();
  cluster.server.faults.truncate({ afterBytes: 10, times: 1 });
  assertEquals(await (await cluster.fetch(MAPS)).text(), '{"kind":"C');
});

Deno.test("expire() answers 410: a Status for lists, an event for watches, which may stay open", async () => {
  await using cluster = new Cluster();
  const { faults } = cluster.server;
  faults.expire({ times: 3 });
  assertEquals((await cluster.get(MAPS)).json.reason, "Expired");
  await using ended = await cluster.watch(MAPS);
  assertEquals([ended.lines[0]!.object.code, ended.ended], [410, "closed"]);
  faults.clear();
  faults.expire({ times: 1, asStatus: true });
  assertEquals((await cluster.get(`${MAPS}?watch=1`)).status, 410);
  faults.expire({ leaveOpen: true });
  await using open = await cluster.watch(MAPS);
  await cluster.clock.advance(10_000_000);
  assertEquals([open.lines[0]!.object.code, open.ended], [410, undefined]);
});

Deno.test("silence() keeps a watch open without events until the server closes", async () => {
  await using cluster = new Cluster();
  cluster.server.faults.silence();
  await using watch = await cluster.watch(`${MAPS}?timeoutSeconds=1`);
  await cluster.configMap("a");
  await cluster.clock.advance(10_000_000);
  assertEquals([watch.response.status, watch.lines, watch.ended], [200, [], undefined]);
  await cluster.server.close();
  await cluster.clock.settle();
  assertEquals(watch.ended, "closed");
});

Deno.test("watchText() and respond() send any text", async () => {
  await using cluster = new Cluster();
  const { faults } = cluster.server;
  faults.watchText("not json\n");
  assertEquals(await (await cluster.fetch(`${MAPS}?watch=1`)).text(), "not json\n");
  assertEquals((await cluster.get(MAPS)).status, 200);
  faults.respond({ status: 200, headers: { "content-type": "text/html" }, body: "<html>" });
  assertEquals((await cluster.get(MAPS)).text, "<html>");
});

Deno.test("silence() and watchText() count watches only, and numbers are checked", async () => {
  await using cluster = new Cluster();
  const { faults } = cluster.server;
  const fault = faults.watchText("{}\n", { times: 1 });
  await cluster.get(MAPS);
  assertEquals(fault.hits, 0);
  const watch = await cluster.server.fetch(`http://cluster${MAPS}?watch=1`);
  assertEquals([await watch.text(), fault.hits], ["{}\n", 1]);
  for (const times of [0, -1, 1.5, NaN]) {
    assertThrows(() => faults.fail(500, { times }), RangeError, "times must be");
  }
  assertThrows(() => faults.delay(NaN), RangeError, "delayMs");
});

Deno.test("faults wrap each other in the order in which they were set", async () => {
  await using cluster = new Cluster();
  cluster.server.faults.delay(1000);
  cluster.server.faults.fail(500);
  const startMs = cluster.clock.now();
  assertEquals((await cluster.get(MAPS)).status, 500);
  assertEquals(cluster.clock.now() - startMs, 1000);
});

Deno.test("fail() gives each code the reason that a real server has for it", async () => {
  await using cluster = new Cluster();
  const reasons: [number, string | undefined][] = [
    [400, "BadRequest"],
    [401, "Unauthorized"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [409, "Conflict"],
    [410, "Expired"],
    [429, "TooManyRequests"],
    [500, "InternalError"],
    [503, "ServiceUnavailable"],
    [504, "Timeout"],
    [418, ""],
  ];
  for (const [code, reason] of reasons) {
    const fault = cluster.server.faults.fail(code);
    const { status, json } = await cluster.get(MAPS);
    assertEquals([status, json.code, json.reason, json.message], [
      code,
      code,
      reason,
      `Injected failure ${code}`,
    ]);
    fault.remove();
  }
});

Deno.test("throttle() says when to come back, in the header and in the Status", async () => {
  await using cluster = new Cluster();
  cluster.server.faults.throttle(7, { times: 1 });
  const { headers, json } = await cluster.get(MAPS);
  assertEquals([headers.get("retry-after"), json.details.retryAfterSeconds], ["7", 7]);
  cluster.server.faults.throttle(8, { times: 1, plain: true });
  const plain = await cluster.get(MAPS);
  assertEquals([plain.status, plain.headers.get("retry-after"), plain.text], [
    429,
    "8",
    "Too many requests, please try again later.\n",
  ]);
});

Deno.test("a cut answer has no length", async () => {
  await using cluster = new Cluster();
  assert((await cluster.get(MAPS)).headers.has("content-length"));
  cluster.server.faults.truncate({ afterBytes: 5 });
  const cut = await cluster.clock.run(cluster.fetch(MAPS));
  assertEquals([cut.headers.has("content-length"), cut.status], [false, 200]);
  assertEquals((await cut.text()).length, 5);
});

Deno.test("a delayed request fails when the server closes, and leaves no timer", async () => {
  const cluster = new Cluster();
  cluster.server.faults.delay(5000);
  const pending = assertRejects(() => cluster.fetch(MAPS), TypeError);
  await cluster.clock.settle();
  const closed = cluster.server.close();
  await cluster.clock.run(pending);
  await cluster.clock.run(closed);
  assertEquals(cluster.clock.now() < 5000, true);
});

Deno.test("a watch that is kept open ends when its reader leaves or its signal aborts", async () => {
  await using cluster = new Cluster();
  const abort = new AbortController();
  cluster.server.faults.watchText("{}\n", { leaveOpen: true });
  await using left = await cluster.watch(MAPS);
  await using aborted = await cluster.watch(MAPS, abort.signal);
  assertEquals([left.lines, aborted.lines], [[{}], [{}]] as unknown as typeof left.lines[]);
  await left.stop();
  abort.abort(new Error("enough"));
  await cluster.clock.settle();
  assertEquals(aborted.ended, "broken");
});

Deno.test("observe() sees each request with its answer, also of other faults, and changes neither", async () => {
  await using cluster = new Cluster();
  const { faults } = cluster.server;
  const seen: string[] = [];
  const watching = faults.observe(({ resource, verb }, { status }) =>
    void seen.push(`${verb} ${resource} ${status}`)
  );
  faults.fail(503, { times: 1 });
  const statuses = [(await cluster.get(MAPS)).status, (await cluster.get(MAPS)).status];
  watching.remove();
  await cluster.get(MAPS);
  assertEquals(statuses, [503, 200]);
  assertEquals(seen, ["list configmaps 503", "list configmaps 200"]);
});

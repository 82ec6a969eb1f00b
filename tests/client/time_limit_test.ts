import { assertEquals, assertRejects } from "@std/assert";
import { Client, type ClientOptions, type Fetch } from "../../src/client/mod.ts";
import { Namespaces, Pods } from "../../src/types/mod.ts";
import { delay } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

/** Returns a client of a server with `pages` pages of one item. Each page takes `pageMs`. */
function setUp(pages: number, pageMs: number, options: ClientOptions = {}) {
  const clock = new VirtualClock();
  const urls: URL[] = [];
  const fetch: Fetch = async ({ url, signal }) => {
    urls.push(new URL(url));
    const page = Number(new URL(url).searchParams.get("continue") ?? 0);
    await delay(pageMs, { clock, signal });
    const token = page + 1 < pages ? { continue: `${page + 1}` } : {};
    return Response.json({ metadata: token, items: [{ metadata: { name: `o${page}` } }] });
  };
  return { clock, urls, client: new Client({ fetch, clock, ...options }) };
}

/** Returns the name and message of the error of a call. */
async function endOf(clock: VirtualClock, call: Promise<unknown>): Promise<string> {
  const error = await assertRejects(() => clock.run(call), DOMException);
  return `${error.name}: ${error.message}`;
}

const TIMED_OUT = "TimeoutError: GET /api/v1/pods timed out: it took longer than 1000 ms";

Deno.test("Client.list() with timeoutMs limits the time of all pages and tells the server the remaining time", async () => {
  const { clock, urls, client } = setUp(9, 700);
  assertEquals(await endOf(clock, client.list(Pods, { timeoutMs: 1000 })), TIMED_OUT);
  assertEquals([clock.now(), clock.pendingTimers], [1000, 0]);
  assertEquals(urls.map((url) => url.searchParams.get("timeout")), ["1s", "0.3s"]);
});

Deno.test("Client.eachListItem() with timeoutMs limits the time of all pages", async () => {
  const { clock, urls, client } = setUp(9, 400);
  const seen: unknown[] = [];
  const call = client.eachListItem(Pods, ({ metadata }) => void seen.push(metadata.name), {
    timeoutMs: 1000,
  });
  assertEquals(await endOf(clock, call), TIMED_OUT);
  assertEquals([clock.now(), clock.pendingTimers], [1000, 0]);
  assertEquals([seen, urls.length], [["o0", "o1"], 3]);
});

for (const how of ["timeoutMs", "signal"] as const) {
  Deno.test(`Client.eachListItem() with ${how} stops waiting for fn and does not call it again`, async () => {
    const clock = new VirtualClock();
    const items = ["a", "b", "c"].map((name) => ({ metadata: { name } }));
    const fetch: Fetch = () => Promise.resolve(Response.json({ metadata: {}, items }));
    const stop = new AbortController();
    clock.setTimer(() => stop.abort(new DOMException("enough", "AbortError")), 1000);
    const seen: unknown[] = [];
    const call = new Client({ fetch, clock }).eachListItem(Pods, async ({ metadata }) => {
      seen.push(metadata.name);
      await delay(600, { clock });
    }, how === "signal" ? { signal: stop.signal } : { timeoutMs: 1000 });
    assertEquals(await endOf(clock, call), how === "signal" ? "AbortError: enough" : TIMED_OUT);
    assertEquals(clock.now(), 1000);
    await clock.advance(10_000);
    assertEquals([seen, clock.pendingTimers], [["a", "b"], 0]);
  });
}

Deno.test("Client's timeoutMs limits the wait for the rate limiter", async () => {
  const { clock, urls, client } = setUp(1, 0, { qps: 1, burst: 1 });
  await clock.run(client.get(Namespaces, "n"));
  assertEquals(
    await endOf(clock, client.get(Namespaces, "n", { timeoutMs: 500 })),
    "TimeoutError: GET /api/v1/namespaces/n timed out: it took longer than 500 ms",
  );
  assertEquals([clock.now(), urls.length, clock.pendingTimers], [500, 1, 0]);
});

Deno.test("Client leaves no timer behind when all pages are read before timeoutMs", async () => {
  const { clock, client } = setUp(3, 100);
  const { items } = await clock.run(client.list(Pods, { timeoutMs: 1000 }));
  await clock.run(client.eachListItem(Pods, () => {}, { timeoutMs: 1000 }));
  assertEquals([items.length, clock.pendingTimers], [3, 0]);
});

Deno.test("Client sets no time limit if timeoutMs is Infinity", async () => {
  const { clock, urls, client } = setUp(2, 700);
  const { items } = await clock.run(client.list(Pods, { timeoutMs: Infinity }));
  assertEquals([items.length, urls.map(({ search }) => search)], [
    2,
    ["?limit=500", "?limit=500&continue=1"],
  ]);
});

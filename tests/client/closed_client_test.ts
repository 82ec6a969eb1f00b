import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger, TerminalError } from "../../src/base/mod.ts";
import { Client, type Fetch, retryOnConflict, retryOnError } from "../../src/client/mod.ts";
import { Namespaces, Pods, StatusError } from "../../src/types/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { CALLS } from "./_calls.ts";
import { bodyOf, ScriptedFetch, statusAnswer } from "./_scripted_fetch.ts";

const CLOSED = "Client is closed: make a new one";

/** A `fetch` that never answers and ignores its signal. */
const never: Fetch = () => new Promise(() => {});

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`Client.${name} of a closed client rejects with a TerminalError, without a request`, async () => {
    const script = new ScriptedFetch();
    const client = new Client({ fetch: script.fetch });
    await client.close();
    const error = await assertRejects(() => call(client), TerminalError, CLOSED);
    assert(TerminalError.is(error));
    assertEquals(script.requests.length, 0);
  });

  Deno.test(`Client.${name} rejects with a TerminalError when the client closes during the call`, async () => {
    const client = new Client({ fetch: never });
    const pending = assertRejects(() => call(client), TerminalError, CLOSED);
    await new VirtualClock().settle();
    await client.close();
    await pending;
  });
}

Deno.test("a watch throws a TerminalError when the client closes", async () => {
  const line = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';
  const answer = () => new Response(bodyOf([line], "open"));
  const client = new Client({ fetch: new ScriptedFetch(answer, answer, answer).fetch });
  const read = async (events: AsyncIterable<unknown>) => {
    for await (const _event of events);
  };
  const watches = [
    read(await client.watch(Pods)),
    read((await client.watch(Pods)).batches()),
  ].map((reading) => assertRejects(() => reading, TerminalError, CLOSED));
  const unread = await client.watch(Pods);
  await new VirtualClock().settle();
  await client.close();
  await Promise.all(watches);
  await assertRejects(() => read(unread), TerminalError, CLOSED);
});

Deno.test("Client.close() ends the waits for a retry and for the rate limiter", async () => {
  const clock = new VirtualClock();
  const busy = () => statusAnswer(429, "TooManyRequests", { "Retry-After": "60" });
  const { fetch } = new ScriptedFetch(busy);
  const client = new Client({ fetch, clock, qps: 0.001, burst: 1, logger: silentLogger });
  const retrying = assertRejects(() => client.get(Namespaces, "a"), TerminalError, CLOSED);
  const throttled = assertRejects(() => client.get(Namespaces, "b"), TerminalError, CLOSED);
  await clock.settle();
  await client.close();
  await Promise.all([retrying, throttled]);
  assertEquals([clock.now(), clock.pendingTimers], [0, 0]);
});

Deno.test("Client.close() ends a list between two pages, and eachListItem() while it waits for fn", async () => {
  const page = () => Response.json({ metadata: { continue: "t" }, items: [{ metadata: {} }] });
  const script = new ScriptedFetch(page, () => new Promise(() => {}), page, page);
  const listing = new Client({ fetch: script.fetch });
  const listed = assertRejects(() => listing.list(Pods), TerminalError, CLOSED);
  await new VirtualClock().settle();
  await listing.close();
  await listed;

  const client = new Client({
    fetch: () => Promise.resolve(Response.json({ metadata: {}, items: [{ metadata: {} }] })),
  });
  let calls = 0;
  const hanging = () => {
    calls++;
    return new Promise<void>(() => {});
  };
  const each = assertRejects(() => client.eachListItem(Pods, hanging), TerminalError, CLOSED);
  await new VirtualClock().settle();
  await client.close();
  await each;
  assertEquals(calls, 1);
});

Deno.test("retryOnConflict() and retryOnError() do not retry when the client is closed", async () => {
  const clock = new VirtualClock();
  const { fetch, requests } = new ScriptedFetch(() => statusAnswer(409, "Conflict"));
  const client = new Client({ fetch });
  let tries = 0;
  const write = async () => {
    tries++;
    try {
      return await client.update(Namespaces, { metadata: { name: "n" } });
    } catch (error) {
      if (StatusError.is(error)) await client.close();
      throw error;
    }
  };
  await assertRejects(() => clock.run(retryOnConflict(write, { clock })), TerminalError, CLOSED);
  assertEquals([tries, requests.length], [2, 1]);
  await assertRejects(() => clock.run(retryOnError(() => true, write, { clock })), TerminalError);
  assertEquals(tries, 3);
});

Deno.test("the error of a closed client names the call, so that a forgotten await is found", async () => {
  const namespace = "default";
  const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
    "GET /api/v1/namespaces/default/pods/web": (client) => client.get(Pods, "web", { namespace }),
    "GET /api/v1/pods": (client) => client.list(Pods, { labelSelector: "a=b" }),
    "POST /api/v1/namespaces/default/pods": (client) =>
      client.create(Pods, { metadata: { name: "web" }, spec: { containers: [] } }, { namespace }),
    "DELETE /api/v1/namespaces/n": (client) => client.delete(Namespaces, "n"),
    "resourceFor()": (client) => client.resourceFor("pods"),
  };
  for (const [what, call] of Object.entries(calls)) {
    const message = `${CLOSED}, or close it after its last call, here ${what}`;
    const closed = new Client({ fetch: never });
    await closed.close();
    assertEquals((await assertRejects(() => call(closed), TerminalError)).message, message);
    const client = new Client({ fetch: never });
    const pending = assertRejects(() => call(client), TerminalError);
    await new VirtualClock().settle();
    await client.close();
    assertEquals((await pending).message, message);
  }
});

Deno.test("Client.close() may be called more than once", async () => {
  const client = new Client({ fetch: never });
  await client.close();
  await client.close();
});

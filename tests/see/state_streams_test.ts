import { assertEquals } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import { SeeHandler } from "../../src/see/mod.ts";
import { StubSource, TOKEN } from "./_stub_source.ts";

/** Reads a stream of events, one chunk at a time. */
class Events {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly read: string[] = [];

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Reads one event: the number in its state, `beat`, or `end`. */
  async next(): Promise<string> {
    const { done, value } = await this.#reader.read();
    if (done) return "end";
    const text = new TextDecoder().decode(value);
    const [, data] = /^event: state\ndata: (.*)\n\n$/.exec(text) ?? [];
    return data === undefined ? text === ":\n\n" ? "beat" : text : JSON.parse(data).notes[0];
  }

  /** Reads until the stream ends. */
  async readAll(): Promise<void> {
    for (let text = ""; text !== "end";) this.read.push(text = await this.next());
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

function setUp() {
  const source = new StubSource();
  const clock = new VirtualClock();
  const handler = new SeeHandler(source, { token: TOKEN, clock });
  const open = async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const request = new Request("http://127.0.0.1/see/events", { headers });
    return new Events((await handler.answer(request)).body!);
  };
  return { source, clock, handler, open };
}

Deno.test("a stream has the present state first, and at most two states a second after it", async () => {
  const { clock, handler, open, source } = setUp();
  const events = await open();
  const reading = events.readAll();
  for (let i = 1; i <= 100; i++) {
    source.count = i;
    source.changed();
    await clock.advance(10);
  }
  await clock.advance(500);
  handler.close();
  await reading;
  assertEquals(events.read, ["0", "50", "100", "end"]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("a stream sends nothing while nothing changes, and a heartbeat every 15 seconds", async () => {
  const { clock, handler, open, source } = setUp();
  const events = await open();
  const reading = events.readAll();
  source.changed();
  for (let i = 0; i < 4; i++) {
    source.changed();
    await clock.advance(1_000);
  }
  await clock.advance(26_000);
  handler.close();
  await reading;
  assertEquals(events.read, ["0", "beat", "beat", "end"]);
});

Deno.test("times alone are sent every five seconds", async () => {
  const { clock, handler, open, source } = setUp();
  const events = await open();
  const reading = events.readAll();
  for (let i = 0; i < 12; i++) {
    source.at = `2026-01-01T00:00:${10 + i}.000Z`;
    source.changed();
    await clock.advance(1_000);
  }
  handler.close();
  await reading;
  assertEquals(events.read, ["0", "0", "0", "end"]);
});

Deno.test("a slow reader gets the newest state only, and does not delay others", async () => {
  const { clock, handler, open, source } = setUp();
  const slow = await open();
  const fast = await open();
  const reading = fast.readAll();
  assertEquals(await slow.next(), "0");
  for (let i = 1; i <= 10; i++) {
    source.count = i;
    source.changed();
    await clock.advance(600);
  }
  assertEquals(await slow.next(), "10");
  source.count = 11;
  source.changed();
  await clock.advance(600);
  assertEquals(await slow.next(), "11");
  handler.close();
  await reading;
  assertEquals(await slow.next(), "end");
  assertEquals(fast.read.at(-2), "11");
});

Deno.test("no state is made and no timer runs while no page is open", async () => {
  const { clock, open, source } = setUp();
  const events = await open();
  await events.next();
  await events.cancel();
  const before = source.states;
  source.changed();
  await clock.advance(60_000);
  assertEquals([source.states - before, source.listeners.size, clock.pendingTimers], [0, 0, 0]);
});

Deno.test("a stream outlives a state that cannot be made, and a clock that jumps back", async () => {
  const { clock, handler, open, source } = setUp();
  const events = await open();
  assertEquals(await events.next(), "0");
  source.failure = new Error("no");
  source.changed();
  await clock.advance(600);
  source.failure = undefined;
  source.count = 1;
  source.at = "1970-01-01T00:00:00.000Z";
  source.changed();
  await clock.advance(600);
  assertEquals(await events.next(), "1");
  handler.close();
  assertEquals(await events.next(), "end");
});

Deno.test("a source that cannot be subscribed to takes no stream, and is asked again by the next page", async () => {
  const source = new StubSource();
  const { subscribe } = source;
  source.subscribe = () => {
    throw new Error("not yet");
  };
  const handler = new SeeHandler(source, { token: TOKEN, clock: new VirtualClock() });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const ask = () => handler.answer(new Request("http://127.0.0.1/see/events", { headers }));
  assertEquals([(await ask()).status, handler.openPages], [500, 0]);
  source.subscribe = subscribe;
  const { body, status } = await ask();
  assertEquals([status, source.listeners.size], [200, 1]);
  await body!.cancel();
});

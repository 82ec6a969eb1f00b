import { assertEquals, assertRejects } from "@std/assert";
import { httpSource } from "../../../src/see/page/live/http_source.ts";
import type { Connection } from "../../../src/see/page/live/page_source.ts";

/** A timer that ends when the test says so. */
interface Timer {
  readonly ms: number;
  readonly end: () => void;
}

/** A process whose answers the test has written. */
class FakeProcess {
  readonly sent: { path: string; init: RequestInit }[] = [];
  readonly timers = new Set<Timer>();
  readonly connections: string[] = [];
  readonly states: unknown[] = [];
  readonly #answers: (() => Response)[];
  #changed = () => {};

  constructor(answers: readonly (() => Response)[]) {
    this.#answers = [...answers];
  }

  readonly source = httpSource({
    token: "t",
    send: (path, init) => {
      this.sent.push({ path, init });
      const answer = this.#answers.shift();
      this.#changed();
      if (answer === undefined) return Promise.reject(new TypeError("Failed to fetch"));
      return Promise.resolve(answer());
    },
    after: (ms, end) => {
      const timer = { ms, end };
      this.timers.add(timer);
      this.#changed();
      return () => void this.timers.delete(timer);
    },
  });

  watch(signal: AbortSignal): void {
    this.source.watch({
      connection: (connection: Connection) => {
        this.connections.push(
          "why" in connection ? `${connection.kind}: ${connection.why}` : connection.kind,
        );
        this.#changed();
      },
      state: (state) => {
        this.states.push(state);
        this.#changed();
      },
    }, signal);
  }

  /** Waits until a condition holds; it is looked at after each call of the source. */
  async until(is: () => boolean): Promise<void> {
    while (!is()) await new Promise<void>((resolve) => this.#changed = resolve);
  }

  /** Ends the delay before the next attempt, and returns it. */
  async endDelay(): Promise<number> {
    const delay = () => [...this.timers].find(({ ms }) => ms <= 10_000);
    await this.until(() => delay() !== undefined);
    const { end, ms } = delay()!;
    this.timers.clear();
    end();
    return ms;
  }
}

function stream(...states: unknown[]): Response {
  return new Response(
    states.map((state) => `event: state\ndata: ${JSON.stringify(state)}\n\n`).join(""),
  );
}

Deno.test("httpSource().watch() connects again after each failure, with longer delays", async () => {
  const process = new FakeProcess([
    () => stream({ n: 1 }, { n: 2 }),
    () => Response.json({ error: "The process is stopping." }, { status: 503 }),
    () => new Response("<html>", { status: 502 }),
    () => stream({ n: 3 }),
  ]);
  const stop = new AbortController();
  process.watch(stop.signal);
  const delays: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) delays.push(await process.endDelay());
  stop.abort();
  assertEquals(process.states, [{ n: 1 }, { n: 2 }, { n: 3 }]);
  assertEquals(delays, [500, 1_000, 2_000, 500, 1_000, 2_000, 4_000]);
  assertEquals([...new Set(process.connections)], [
    "connecting",
    "live",
    "lost: The process has closed the connection.",
    "lost: The process is stopping.",
    "lost: The process has answered with the status 502.",
    "lost: The process does not answer.",
  ]);
  for (const { init } of process.sent) {
    assertEquals(new Headers(init.headers).get("authorization"), "Bearer t");
  }
});

Deno.test("httpSource().watch() stops with a wrong token", async () => {
  const process = new FakeProcess([
    () => Response.json({ error: "The token is wrong." }, { status: 401 }),
  ]);
  process.watch(new AbortController().signal);
  await process.until(() => process.connections.length === 2);
  assertEquals(process.connections, ["connecting", "refused: The token is wrong."]);
  assertEquals(process.timers.size, 0);
});

Deno.test("httpSource().watch() ends a connection that is silent", async () => {
  let cancelled: unknown;
  const process = new FakeProcess([() => {
    const signal = process.sent[0]!.init.signal!;
    return new Response(
      new ReadableStream({
        start: (controller) =>
          signal.addEventListener("abort", () => {
            cancelled = signal.reason.message;
            controller.error(signal.reason);
          }),
      }),
    );
  }]);
  const stop = new AbortController();
  process.watch(stop.signal);
  const silence = () => [...process.timers].find(({ ms }) => ms === 45_000);
  await process.until(() => silence() !== undefined);
  silence()!.end();
  await process.until(() => process.connections.length === 3);
  stop.abort();
  assertEquals(process.connections, ["connecting", "live", "lost: The process is silent."]);
  assertEquals(cancelled, "The process is silent.");
});

Deno.test("httpSource() sends nothing after its watch was stopped", async () => {
  const process = new FakeProcess([]);
  const stop = new AbortController();
  process.watch(stop.signal);
  await process.until(() => process.timers.size > 0);
  stop.abort();
  await Promise.resolve();
  assertEquals(process.sent.length, 1);
  assertEquals(process.timers.size, 0);
});

Deno.test("httpSource() reads, acts and exports", async () => {
  const name = { controller: "widgets", key: "a/<b>&c" };
  const process = new FakeProcess([
    () => Response.json({ keys: [], total: 0 }),
    () => Response.json({ stories: [] }),
    () => Response.json(null),
    () => Response.json({ text: "Done." }),
    () => new Response("# Stories"),
    () => Response.json({ error: "The manager has stopped." }, { status: 500 }),
  ]);
  const { source } = process;
  assertEquals(await source.keys({ text: "a b", controller: undefined, limit: 5 }), {
    keys: [],
    total: 0,
  });
  assertEquals(await source.stories(name), []);
  assertEquals(await source.versions(name), undefined);
  assertEquals(await source.act({ ...name, name: "pause" }), "Done.");
  assertEquals(await source.export({ ...name, form: "markdown" }), "# Stories");
  await assertRejects(() => source.stories(name), Error, "The manager has stopped.");
  assertEquals(process.sent.map(({ init, path }) => `${init.method ?? "GET"} ${path}`), [
    "GET see/keys?text=a+b&limit=5",
    "GET see/stories?controller=widgets&key=a%2F%3Cb%3E%26c",
    "GET see/versions?controller=widgets&key=a%2F%3Cb%3E%26c",
    "POST see/act",
    "GET see/export?controller=widgets&key=a%2F%3Cb%3E%26c&form=markdown",
    "GET see/stories?controller=widgets&key=a%2F%3Cb%3E%26c",
  ]);
  assertEquals(process.sent[3]!.init.body, JSON.stringify({ ...name, name: "pause" }));
});

import { assertEquals, assertRejects } from "@std/assert";
import {
  type LiveEntry,
  Turns,
  WatchStream,
} from "../../../../src/testing/api_server/storage/mod.ts";
import { realRandom } from "../../../../src/base/mod.ts";
import { VirtualClock } from "../../../../src/testing/mod.ts";

type WatchStreamOptions = ConstructorParameters<typeof WatchStream>[0];

const STREAM_BUFFER_BYTES = 64 * 1024;

/** Counts the listeners of a signal, which outlives the watches of its client. */
function countedSignal(): { signal: AbortSignal; listeners: () => number } {
  const { signal } = new AbortController();
  const live = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  // deno-lint-ignore no-explicit-any
  signal.addEventListener = (type: string, listener: any, options?: any) => {
    live.add(listener);
    add(type, listener, options);
  };
  // deno-lint-ignore no-explicit-any
  signal.removeEventListener = (type: string, listener: any) => {
    live.delete(listener);
    remove(type, listener);
  };
  return { signal, listeners: () => live.size };
}

function open(
  clock: VirtualClock,
  signal: AbortSignal,
  ended: () => void,
  options: Partial<WatchStreamOptions> = {},
): WatchStream {
  const lines = new Map<number, Uint8Array>([[1, new Uint8Array([1])]]);
  return new WatchStream({
    clock,
    lane: new Turns(clock, realRandom).lane("watch"),
    encode: ({ revision }) => {
      if (revision === 2) throw new Error("no line");
      return lines.get(revision);
    },
    initial: [][Symbol.iterator](),
    timeoutMs: 60_000,
    backlogLimit: 10,
    signal,
    onEnd: ended,
    ...options,
  });
}

Deno.test("WatchStream leaves neither a timer nor a listener, however the watch ends", async () => {
  const ways: Record<string, (stream: WatchStream, clock: VirtualClock) => unknown> = {
    "the reader cancels": ({ body }) => body.cancel(),
    "the server ends it": (stream) => stream.end("closed"),
    "the server breaks it": (stream) => stream.end("broken"),
    "the reader is too far behind": (stream) => stream.drop(),
    "its time is over": (_stream, clock) => clock.advance(60_000),
    "an event cannot be encoded": (stream) => stream.onEntry({ revision: 2 } as LiveEntry),
  };
  for (const [how, end] of Object.entries(ways)) {
    const clock = new VirtualClock();
    const { signal, listeners } = countedSignal();
    let ends = 0;
    const stream = open(clock, signal, () => ends++);
    assertEquals([listeners(), clock.pendingTimers, ends], [1, 1, 0], how);
    await end(stream, clock);
    await clock.settle();
    assertEquals([listeners(), clock.pendingTimers, ends], [0, 0, 1], how);
  }
});

Deno.test("WatchStream fails with the reason of its client, and takes nothing after that", async () => {
  const clock = new VirtualClock();
  const client = new AbortController();
  let ends = 0;
  const stream = open(clock, client.signal, () => ends++);
  const failed = assertRejects(() => stream.body.getReader().read(), TypeError, "gone");
  client.abort(new TypeError("gone"));
  stream.onEntry({ revision: 1 } as LiveEntry);
  stream.end("closed");
  await clock.settle();
  await failed;
  assertEquals([ends, clock.pendingTimers], [1, 0]);
});

Deno.test("WatchStream sends a bookmark each minute, and a last one two seconds before its end", async () => {
  const cases: readonly (readonly [number, number[]])[] = [
    [150_000, [60_000, 120_000, 148_000]],
    [62_000, [60_000]],
    [2_001, [1]],
    [2_000, []],
  ];
  for (const [timeoutMs, expected] of cases) {
    const clock = new VirtualClock();
    const startMs = clock.now();
    const times: number[] = [];
    const bookmark = () => {
      times.push(clock.now() - startMs);
      return new Uint8Array([7]);
    };
    const stream = open(clock, new AbortController().signal, () => {}, { timeoutMs, bookmark });
    await clock.advance(timeoutMs);
    assertEquals(times, expected);
    const chunks = await Array.fromAsync(stream.body);
    assertEquals(chunks.length, expected.length);
  }
});

Deno.test("WatchStream keeps up to backlogLimit lines for a slow reader, and counts their bytes", async () => {
  for (const count of [12, 13]) {
    const clock = new VirtualClock();
    const changes: number[] = [];
    const stream = open(clock, new AbortController().signal, () => {}, {
      // Two lines fill the buffer of the stream.
      encode: () => new Uint8Array(STREAM_BUFFER_BYTES / 2),
      onBacklog: (_, bytes) => changes.push(bytes / (STREAM_BUFFER_BYTES / 2)),
    });
    for (let i = 0; i < count; i++) stream.onEntry({ revision: 1 } as LiveEntry);
    await clock.settle();
    assertEquals(stream.backlogBytes, count === 12 ? 5 * STREAM_BUFFER_BYTES : 0);
    assertEquals(changes.length, count - 2 + (count === 13 ? 1 : 0));
    stream.end("closed");
    await clock.settle();
    assertEquals((await Array.fromAsync(stream.body)).length, count === 12 ? 12 : 2);
    assertEquals([stream.backlogBytes, changes.reduce((sum, one) => sum + one)], [0, 0]);
  }
});

/** Connections to ports as kubectl opens them: SPDY in the messages of a WebSocket. */

import { assertEquals, assertThrows } from "@std/assert";
import { constants, deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { delay, silentLogger } from "../../../../src/base/mod.ts";
import {
  OpenStreams,
  serveTunnel,
  TUNNEL,
} from "../../../../src/testing/api_server/programs/mod.ts";
import { spdyDictionary } from "../../../../src/testing/api_server/programs/spdy_dictionary.ts";
import { SpdyReader, SpdyWriter } from "../../../../src/testing/api_server/programs/spdy_frames.ts";
import { type PodProgram, type PortStream, VirtualClock } from "../../../../src/testing/mod.ts";
import { bytePipe } from "../../../../src/websocket/byte_socket.ts";
import { MessageSocket } from "../../../../src/websocket/mod.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const dictionary = spdyDictionary();
const finishFlush = constants.Z_SYNC_FLUSH;

const inflate = (bytes: Uint8Array, { maxBytes }: { readonly maxBytes: number }) =>
  inflateSync(bytes, { dictionary, maxOutputLength: maxBytes, finishFlush });

function number(value: number, size = 4): number[] {
  return Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256);
}

function control(type: number, body: readonly number[], flags = 0): Uint8Array {
  return Uint8Array.of(0x80, 3, 0, type, flags, ...number(body.length, 3), ...body);
}

function data(stream: number, text: string, flags = 0): Uint8Array {
  const bytes = encoder.encode(text);
  const frame = new Uint8Array(8 + bytes.length);
  frame.set([...number(stream), flags, ...number(bytes.length, 3)]);
  frame.set(bytes, 8);
  return frame;
}

/** Returns a block of deflate that is not compressed. */
function stored(bytes: Uint8Array): number[] {
  const length = number(bytes.length, 2).reverse();
  return [0, ...length, ...length.map((one) => one ^ 0xff), ...bytes];
}

/** Compresses the headers of one connection, as one stream: the first with the dictionary, further ones in stored blocks. */
class Headers {
  #isFirst = true;

  open(stream: number, headers: Record<string, string>): Uint8Array {
    const text = (value: string) => [...number(value.length), ...encoder.encode(value)];
    const pairs = Object.entries(headers);
    const plain = Uint8Array.from([...number(pairs.length), ...pairs.flat().flatMap(text)]);
    const block = this.#isFirst
      ? deflateSync(plain, { dictionary, finishFlush })
      : [...stored(plain), ...stored(new Uint8Array())];
    this.#isFirst = false;
    return control(1, [...number(stream), ...number(0), 0, 0, ...block]);
  }

  /** The streams of a connection to a port. The data have the next number. */
  pair(stream: number, port: number): Uint8Array {
    const common = { port: String(port), requestid: String(stream) };
    return Uint8Array.of(
      ...this.open(stream, { ...common, streamtype: "error" }),
      ...data(stream, "", 1),
      ...this.open(stream + 2, { ...common, streamtype: "data" }),
    );
  }
}

/** A kubectl over a pipe. */
class Peer {
  readonly clock = new VirtualClock();
  readonly headers = new Headers();
  readonly errors: string[] = [];
  readonly messages: MessageSocket;
  readonly served: Promise<void>;
  deleted: () => void = () => {};

  constructor(...programs: PodProgram[]) {
    const [ours, theirs] = bytePipe();
    const { clock } = this;
    this.messages = new MessageSocket(ours, { role: "client", clock, protocol: TUNNEL });
    this.served = serveTunnel(theirs, TUNNEL, {
      programs,
      pod: { metadata: { name: "web", namespace: "default", uid: "u" } },
      onDeleted: (callback) => {
        this.deleted = callback;
        return () => {};
      },
      streams: new OpenStreams(),
      clock,
      logger: { ...silentLogger, error: (text: string) => void this.errors.push(text) },
    });
  }

  /** Returns the next frames, as many as `count`. */
  async read(count: number): Promise<string[]> {
    const frames: string[] = [];
    while (frames.length < count) {
      const message = await this.clock.run(this.messages.receive());
      if (message === undefined) return [...frames, "closed"];
      frames.push(describe(message));
    }
    return frames;
  }

  async end(): Promise<void> {
    await this.clock.run(this.messages.close());
    await this.clock.run(this.served);
  }
}

function describe(frame: Uint8Array): string {
  const view = new DataView(frame.buffer, frame.byteOffset);
  const first = view.getUint32(0);
  const last = frame[4] === 1 ? " last" : "";
  if (first < 0x8000_0000) return `${first}: ${decoder.decode(frame.subarray(8))}${last}`;
  const names: Record<number, string> = { 2: "reply", 3: "reset", 6: "ping" };
  return `${names[first & 0xffff]} ${view.getUint32(8)}`;
}

const echoPort = async ({ incoming, port, write }: PortStream) => {
  if (port === 99) throw new Error("refused");
  await write(`${port}:`);
  for await (const bytes of incoming) await write(bytes);
};
const echo: PodProgram = { ports: echoPort };

/** A program that reads nothing on port 1. */
const stalling: PodProgram = {
  ports: {
    1: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    80: echoPort,
  },
};

Deno.test("serveTunnel() serves several connections, one after another and at once, each by its own number", async () => {
  const peer = new Peer(echo);
  await peer.messages.send(peer.headers.pair(1, 80));
  assertEquals(await peer.read(3), ["reply 1", "reply 3", "3: 80:"]);
  await peer.messages.send(peer.headers.pair(5, 443));
  assertEquals(await peer.read(3), ["reply 5", "reply 7", "7: 443:"]);
  await peer.messages.send(data(3, "a"));
  await peer.messages.send(data(7, "b"));
  assertEquals((await peer.read(2)).sort(), ["3: a", "7: b"]);
  await peer.messages.send(
    peer.headers.open(7, { streamtype: "data", port: "80", requestid: "5" }),
  );
  assertEquals(await peer.read(1), ["reset 7"]);
  await peer.messages.send(data(7, "c", 1));
  assertEquals(await peer.read(3), ["7: c", "5:  last", "7:  last"]);
  await peer.messages.send(data(3, "", 1));
  assertEquals(await peer.read(2), ["1:  last", "3:  last"]);
  await peer.end();
  assertEquals(peer.errors, []);
});

Deno.test("serveTunnel() sends the error of a connection, answers pings, and refuses streams without a port", async () => {
  const peer = new Peer(echo);
  await peer.messages.send(peer.headers.pair(1, 99));
  const failure = "error forwarding port 99 to pod web, uid : refused";
  assertEquals(await peer.read(4), ["reply 1", "reply 3", `1: ${failure} last`, "3:  last"]);
  await peer.messages.send(control(6, number(7)));
  assertEquals(await peer.read(1), ["ping 7"]);
  await peer.messages.send(peer.headers.open(5, { streamtype: "data", port: "x", requestid: "1" }));
  await peer.messages.send(peer.headers.open(7, { streamtype: "data", port: "80" }));
  assertEquals(await peer.read(2), ["reset 5", "reset 7"]);
  // Frames that mean nothing here: settings, and data of an unknown stream.
  await peer.messages.send(Uint8Array.of(...control(4, number(0)), ...data(11, "x")));
  await peer.end();
  assertEquals(peer.errors, []);
});

Deno.test("serveTunnel() serves other streams and pings while a program does not read", async () => {
  const peer = new Peer(stalling);
  await peer.messages.send(peer.headers.pair(1, 1));
  await peer.messages.send(peer.headers.pair(5, 80));
  assertEquals(await peer.read(5), ["reply 1", "reply 3", "reply 5", "reply 7", "7: 80:"]);
  const part = "x".repeat(64 * 1024);
  for (let i = 0; i < 40; i++) await peer.messages.send(data(3, part));
  await peer.messages.send(data(7, "a"));
  await peer.messages.send(control(6, number(9)));
  assertEquals((await peer.read(2)).sort(), ["7: a", "ping 9"]);
  await peer.end();
  assertEquals(peer.errors, []);
});

Deno.test("serveTunnel() resets a stream for which it has waited 30 seconds, with 4 MiB of data", async () => {
  const peer = new Peer(stalling);
  await peer.messages.send(peer.headers.pair(1, 1));
  await peer.messages.send(peer.headers.pair(5, 80));
  await peer.read(5);
  const part = "x".repeat(1024 * 1024);
  const sending = (async () => {
    for (let i = 0; i < 6; i++) await peer.messages.send(data(3, part));
    await peer.messages.send(data(7, "a"));
  })();
  const started = peer.clock.now();
  assertEquals(await peer.read(2), ["reset 3", "7: a"]);
  assertEquals(peer.clock.now() - started, 30_000);
  await peer.clock.run(sending);
  await peer.end();
  assertEquals(peer.errors, []);
});

Deno.test("serveTunnel() loses nothing of what a slow program reads", async () => {
  let received = 0;
  const slow: PodProgram = {
    ports: async ({ incoming }) => {
      for await (const bytes of incoming) {
        received += bytes.length;
        await delay(20_000, { clock: peer.clock });
      }
    },
  };
  const peer = new Peer(slow);
  await peer.messages.send(peer.headers.pair(1, 80));
  await peer.read(2);
  const part = "x".repeat(1024 * 1024 - 1);
  const sending = (async () => {
    for (let i = 0; i < 10; i++) await peer.messages.send(data(3, part));
    await peer.messages.send(data(3, "", 1));
  })();
  assertEquals([await peer.read(2), received], [["1:  last", "3:  last"], 10 * part.length]);
  await peer.clock.run(sending);
  await peer.end();
});

Deno.test("serveTunnel() ends when the Pod is deleted, and when the client leaves", async () => {
  for (const isDeleted of [true, false]) {
    const peer = new Peer(echo);
    await peer.messages.send(peer.headers.pair(1, 80));
    await peer.read(3);
    if (isDeleted) peer.deleted();
    else void peer.messages.close();
    await peer.clock.run(peer.served);
    assertEquals(peer.errors, []);
    await peer.end();
  }
});

Deno.test("SpdyReader reads frames wherever their bytes are cut", () => {
  const headers = new Headers();
  const bytes = Uint8Array.of(
    ...headers.pair(1, 80),
    ...data(3, "GET / HTTP/1.1"),
    ...control(3, [...number(3), ...number(5)]),
    ...headers.pair(5, 8080),
  );
  const whole = new SpdyReader(inflate).read(bytes);
  assertEquals(whole.map(({ type }) => type), [
    "open",
    "data",
    "open",
    "data",
    "reset",
    "open",
    "data",
    "open",
  ]);
  assertEquals(whole.at(-1), {
    type: "open",
    stream: 7,
    headers: new Map([["port", "8080"], ["requestid", "5"], ["streamtype", "data"]]),
    isLast: false,
  });
  assertProperty(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }), (cuts) => {
      const reader = new SpdyReader(inflate);
      const ends = [...cuts.sort((a, b) => a - b), bytes.length];
      const frames = ends.flatMap((end, at) => reader.read(bytes.slice(ends[at - 1] ?? 0, end)));
      assertEquals(frames, whole);
    }),
    100,
  );
});

Deno.test("SpdyReader refuses what is too large or broken", () => {
  const read = (bytes: Uint8Array) => () => new SpdyReader(inflate).read(bytes);
  assertThrows(read(Uint8Array.of(0, 0, 0, 1, 0, 255, 255, 255)), RangeError, "is too large");
  assertThrows(read(control(1, number(1))), Error);
  assertThrows(read(control(3, [])), RangeError);
  const short = deflateSync(Uint8Array.from([...number(1), ...number(9), 1]), {
    dictionary,
    finishFlush,
  });
  assertThrows(read(control(1, [...number(1), ...number(0), 0, 0, ...short])), RangeError);
  const headers = new Headers();
  const reader = new SpdyReader(inflate);
  const random = Array.from(
    { length: 30_000 },
    (_, at) => String.fromCharCode(33 + (at * at) % 89),
  );
  assertThrows(
    () => {
      for (let i = 1; i < 1000; i++) reader.read(headers.open(i, { x: `${i}${random.join("")}` }));
    },
    Error,
  );
});

Deno.test("SpdyWriter accepts streams with headers that inflate to an empty list", () => {
  const writer = new SpdyWriter();
  const blocks = [1, 3, 5].map((stream) => writer.reply(stream).subarray(12));
  const all = Uint8Array.from(blocks.flatMap((block) => [...block]));
  assertEquals([...inflate(all, { maxBytes: 100 })], [...number(0), ...number(0), ...number(0)]);
});

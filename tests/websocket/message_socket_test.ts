import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { delay } from "../../src/base/mod.ts";
import {
  bytePipe,
  type ByteSocket,
  encodeFrame,
  MessageSocket,
  OPCODES,
} from "../../src/websocket/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { isPending } from "./_is_pending.ts";

/** The limit of bytes that a socket buffers for its reader, and the size that is added for each message. */
const QUEUE_BYTES = 256 * 1024;
const COST = 64;
/** As much as a pipe takes from a writer that has no reader. */
const PIPE_BYTES = 64 * 1024;

function pair(clock = new VirtualClock()) {
  const [near, far] = bytePipe();
  const client = new MessageSocket(near, { role: "client", clock, protocol: "" });
  const server = new MessageSocket(far, { role: "server", clock, protocol: "" });
  return { client, server, clock };
}

/** A socket, and the bytes at its other end. */
function raw(role: "client" | "server" = "client") {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  return { socket: new MessageSocket(near, { role, clock, protocol: "p" }), far, clock };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (message: Uint8Array | undefined) => new TextDecoder().decode(message);

Deno.test("MessageSocket carries messages in both directions, and closes", async () => {
  const { client, server } = pair();
  await client.send(bytes("a"));
  await client.send(new Uint8Array(0));
  await server.send(bytes("b"));
  assertEquals(text(await server.receive()), "a");
  assertEquals(await server.receive(), new Uint8Array(0));
  assertEquals(text(await client.receive()), "b");
  await Promise.all([client.close(), server.receive()]);
  await server.closed;
  assertEquals(await server.receive(), undefined);
  await assertRejects(() => server.send(bytes("c")), Error, "WebSocket is closed");
});

Deno.test("MessageSocket still delivers what came before the close", async () => {
  const { client, server } = pair();
  await client.send(bytes("a"));
  await client.close();
  assertEquals(text(await server.receive()), "a");
  assertEquals(await server.receive(), undefined);
});

Deno.test("MessageSocket waits for a peer that does not read", async () => {
  const { client, server } = pair();
  const message = new Uint8Array(64 * 1024);
  let sent = 0;
  const sending = (async () => {
    for (; sent < 100; sent++) await client.send(message);
  })();
  for (let turn = 0; turn < 50; turn++) await delay(0);
  const ahead = sent;
  assertEquals(ahead < 10, true, `${ahead} messages were sent to a peer that reads none`);
  for (let received = 0; received < 100; received++) await server.receive();
  await sending;
  await client.close();
});

Deno.test("MessageSocket joins the parts of a message, and answers a ping between them", async () => {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, { role: "client", clock, protocol: "" });
  await far.write(encodeFrame(OPCODES.binary, bytes("a"), { final: false }));
  await far.write(encodeFrame(OPCODES.ping, bytes("p")));
  await far.write(encodeFrame(OPCODES.continuation, bytes("b")));
  assertEquals(text(await socket.receive()), "ab");
  const pong = (await far.read())!;
  assertEquals([pong[0], pong[1]], [0x80 | OPCODES.pong, 0x81]);
  await far.write(encodeFrame(OPCODES.continuation, bytes("b")));
  await assertRejects(() => socket.receive(), Error, "in disorder");
});

Deno.test("MessageSocket ends with the status code and the reason of its peer", async () => {
  const { client, server } = pair();
  server.close(1011, "out of memory");
  await assertRejects(
    () => client.receive(),
    Error,
    "closed the WebSocket with 1011: out of memory",
  );
  await server.closed;
});

Deno.test("MessageSocket pings, and ends when nothing has come for a minute", async () => {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, { role: "client", clock, protocol: "" });
  const message = assertRejects(() => socket.receive(), Error, "answered no ping for 60 s");
  await clock.advance(60_000);
  await message;
  assertEquals((await far.read())?.[0], 0x80 | OPCODES.ping);
  await socket.closed;
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("MessageSocket lives on while its peer answers pings", async () => {
  const { client, server, clock } = pair();
  await clock.advance(600_000);
  await client.send(bytes("a"));
  assertEquals(text(await server.receive()), "a");
  await client.close();
});

Deno.test("MessageSocket gives a peer more time after messages were sent to it", async () => {
  const clock = new VirtualClock();
  const [near] = bytePipe();
  const socket = new MessageSocket(near, { role: "client", clock, protocol: "" });
  await socket.send(bytes("input that the program has not read"));
  const receiving = assertRejects(() => socket.receive(), Error, "answered no ping for 900 s");
  await clock.advance(900_000);
  await receiving;
});

Deno.test("MessageSocket ends when the connection is lost, with an error that says so", async () => {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, { role: "client", clock, protocol: "" });
  far.end();
  await assertRejects(() => socket.receive(), Error, "closed without a goodbye");
  await assertRejects(() => socket.send(bytes("a")), Error, "closed without a goodbye");
});

Deno.test("MessageSocket sends nothing more once it is closing, whatever its peer answers", async () => {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, { role: "server", clock, protocol: "" });
  const closed = socket.close(1000);
  await assertRejects(() => socket.send(bytes("a")), Error, "The WebSocket is closed");
  assertEquals([...(await far.read())!], [0x80 | OPCODES.close, 2, 3, 0xe8]);
  // 1011 is a failure, but no caller waits for the outcome any more.
  const mask = Uint8Array.of(1, 2, 3, 4);
  await far.write(encodeFrame(OPCODES.close, Uint8Array.of(3, 0xf3), { mask }));
  await closed;
  assertEquals(await socket.receive(), undefined);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("MessageSocket answers the goodbye of its peer with the same code", async () => {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, { role: "server", clock, protocol: "" });
  const mask = Uint8Array.of(1, 2, 3, 4);
  await far.write(encodeFrame(OPCODES.close, Uint8Array.of(3, 0xe9, 0x78), { mask }));
  assertEquals(await socket.receive(), undefined);
  assertEquals([...(await far.read())!], [0x80 | OPCODES.close, 2, 3, 0xe9]);
  await socket.closed;
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("MessageSocket tells its peer of a broken protocol, but not of a lost connection", async () => {
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, {
    role: "server",
    clock: new VirtualClock(),
    protocol: "",
  });
  await far.write(encodeFrame(OPCODES.binary, bytes("not masked")));
  await assertRejects(() => socket.receive(), Error, "not masked");
  assertEquals([...(await far.read())!], [0x80 | OPCODES.close, 2, 3, 0xea]);

  const clock = new VirtualClock();
  const [lost, other] = bytePipe();
  const silent = new MessageSocket(lost, { role: "server", clock, protocol: "" });
  const message = assertRejects(() => silent.receive(), Error, "answered no ping");
  await clock.advance(60_000);
  await message;
  const heard: number[] = [];
  try {
    for (let chunk = await other.read(); chunk !== undefined; chunk = await other.read()) {
      heard.push(chunk[0]! & 0x0f);
    }
  } catch {
    // The connection has ended.
  }
  assertEquals([...new Set(heard)], [OPCODES.ping]);
});

Deno.test("MessageSocket.close() does not wait for a peer that is silent", async () => {
  const clock = new VirtualClock();
  const [near] = bytePipe();
  const socket = new MessageSocket(near, { role: "client", clock, protocol: "" });
  const closing = socket.close();
  await clock.advance(1_999);
  assertEquals(await isPending(closing), true);
  await clock.advance(1);
  await closing;
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("MessageSocket reads no more than it may from a peer that sends empty messages", async () => {
  const clock = new VirtualClock();
  const [near, far] = bytePipe();
  const socket = new MessageSocket(near, { role: "client", clock, protocol: "" });
  const many = new Uint8Array(64 * 1024).map((_, at) => at % 2 === 0 ? 0x82 : 0);
  let written = 0;
  const writing = (async () => {
    for (; written < 20; written++) await far.write(many);
  })();
  for (let turn = 0; turn < 50; turn++) await delay(0);
  assertEquals(written < 5, true, `${written} parts of empty messages were read`);
  socket.destroy(new Error("enough"));
  await assertRejects(() => writing);
});

Deno.test("MessageSocket reads no more from 256 KiB on, and again below that", async () => {
  for (const [missing, isFull] of [[1, false], [0, true]] as const) {
    const { socket, far } = raw();
    const large = encodeFrame(OPCODES.binary, new Uint8Array(QUEUE_BYTES - COST - missing));
    const both = new Uint8Array(2 + large.length);
    both.set(encodeFrame(OPCODES.binary, new Uint8Array(0)));
    both.set(large, 2);
    await far.write(both);
    const part = () => far.write(large.subarray(0, PIPE_BYTES));
    assertEquals(await isPending(part()), true);
    // The empty message makes room for itself only.
    await socket.receive();
    assertEquals(await isPending(part()), isFull);
    await socket.receive();
    assertEquals(await isPending(part()), false);
    socket.destroy(new Error("enough"));
  }
  // One message alone.
  for (const [missing, isFull] of [[1, false], [0, true]] as const) {
    const { socket, far } = raw();
    const large = encodeFrame(OPCODES.binary, new Uint8Array(QUEUE_BYTES - COST - missing));
    await far.write(large);
    assertEquals(await isPending(far.write(large.subarray(0, PIPE_BYTES))), isFull);
    socket.destroy(new Error("enough"));
  }
});

Deno.test("MessageSocket notices that its peer is gone, also while messages wait for their reader", async () => {
  for (
    const [death, message] of [
      [(far) => far.end(), "closed without a goodbye"],
      [(far) => far.destroy(new Error("killed")), "closed by the other end"],
      [() => {}, "answered no ping for 60 s"],
    ] as readonly (readonly [(far: ByteSocket) => void, string])[]
  ) {
    const { socket, far, clock } = raw();
    await far.write(encodeFrame(OPCODES.binary, new Uint8Array(QUEUE_BYTES)));
    death(far);
    await clock.advance(9_999);
    assertEquals(await isPending(socket.closed), true);
    await clock.advance(70_001);
    await socket.closed;
    // Earlier messages are not lost.
    assertEquals((await socket.receive())?.length, QUEUE_BYTES);
    await assertRejects(() => socket.receive(), Error, message);
    assertEquals(clock.pendingTimers, 0);
  }
});

Deno.test("MessageSocket keeps no more than 8 MiB for a reader that pauses, and its peer may live on", async () => {
  const { socket, far, clock } = raw();
  const frame = encodeFrame(OPCODES.binary, new Uint8Array(QUEUE_BYTES - COST));
  let written = 0;
  const writing = (async () => {
    for (; written < 60; written++) await far.write(frame);
  })();
  await clock.advance(9_999);
  assertEquals(written < 4, true);
  await clock.advance(1);
  const ahead = written;
  assertEquals([ahead >= 32, ahead < 36], [true, true], `${ahead} messages were read`);
  // The peer takes pings, and answers none, because its answers would not be read.
  const pings = (async () => {
    for (let count = 0;; count++) {
      try {
        await far.read();
      } catch {
        return count;
      }
    }
  })();
  await clock.advance(24 * 3_600_000);
  assertEquals(written, ahead);
  for (let received = 0; received < 60; received++) {
    assertEquals((await socket.receive())?.length, QUEUE_BYTES - COST);
  }
  await writing;
  socket.destroy(new Error("enough"));
  assertEquals(await pings, 24 * 360);
});

Deno.test("MessageSocket closes an unread flood when its peer takes no more pings", async () => {
  const { socket, far, clock } = raw();
  const flood = encodeFrame(OPCODES.binary, new Uint8Array(QUEUE_BYTES));
  const writing = (async () => {
    while (true) await far.write(flood);
  })();
  await clock.advance(100_000);
  assertEquals(await isPending(socket.closed), true);
  far.destroy(new Error("killed"));
  await assertRejects(() => writing, Error, "killed");
  await clock.advance(10_000);
  await socket.closed;
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("MessageSocket answers only the newest of the pings that its peer has sent meanwhile", async () => {
  const clock = new VirtualClock();
  const written: Uint8Array[] = [];
  let room = Promise.withResolvers<void>();
  const incoming = Array.from(
    { length: 1000 },
    (_, ping) => encodeFrame(OPCODES.ping, bytes(`${ping}`)),
  );
  const silence = new Promise<undefined>(() => {});
  const socket = new MessageSocket({
    read: () => incoming.length === 0 ? silence : Promise.resolve(incoming.shift()),
    write: (part) => {
      written.push(part);
      return room.promise;
    },
    end: () => {},
    destroy: () => {},
  }, { role: "client", clock, protocol: "" });
  await clock.settle();
  assertEquals(written.length, 1);
  room.resolve();
  room = Promise.withResolvers();
  await clock.settle();
  const answered = written.map((frame) =>
    text(frame.subarray(6).map((byte, at) => byte ^ frame[2 + at % 4]!))
  );
  assertEquals(answered, ["0", "999"]);
  room.reject(new Error("reset"));
  await clock.settle();
  socket.destroy(new Error("enough"));
});

Deno.test("MessageSocket gives a peer that has closed and reads nothing two seconds", async () => {
  const { socket, far, clock } = raw();
  // The peer reads nothing, so that the goodbye cannot be sent.
  const sending = socket.send(new Uint8Array(PIPE_BYTES)).catch((error) => error.message);
  await far.write(encodeFrame(OPCODES.close, Uint8Array.of(3, 0xe8)));
  assertEquals(await socket.receive(), undefined);
  await clock.advance(1_999);
  assertEquals(await isPending(socket.closed), true);
  await clock.advance(1);
  await socket.closed;
  assertEquals(await sending, "The WebSocket is closed");
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("MessageSocket.destroy() drops what was not received", async () => {
  const { socket, far } = raw();
  await far.write(encodeFrame(OPCODES.binary, bytes("a")));
  await far.write(encodeFrame(OPCODES.binary, bytes("b")));
  assertEquals(text(await socket.receive()), "a");
  socket.destroy(new Error("enough"));
  await assertRejects(() => socket.receive(), Error, "enough");
});

Deno.test("MessageSocket.receive() refuses a second call while one waits", async () => {
  const { socket, far } = raw();
  const first = socket.receive();
  await assertRejects(() => socket.receive(), Error, "another receive() waits");
  await far.write(encodeFrame(OPCODES.binary, bytes("a")));
  assertEquals(text(await first), "a");
  socket.destroy(new Error("enough"));
});

Deno.test("MessageSocket checks its options", () => {
  const clock = new VirtualClock();
  for (
    const [options, message] of [
      [undefined, "MessageSocket takes an object with options"],
      [{ role: "peer", clock, protocol: "" }, 'role must be one of "client", "server"'],
      [{ role: "client", clock: {}, protocol: "" }, "a clock"],
      [{ role: "client", clock, protocol: 5 }, "protocol must be a text"],
      [{ rol: "client", clock, protocol: "" }, 'did you mean "role"'],
    ] as const
  ) {
    const [near] = bytePipe();
    assertThrows(() => new MessageSocket(near, options as never), TypeError, message);
  }
});

Deno.test("MessageSocket pings every ten seconds", async () => {
  const { far, socket, clock } = raw("server");
  const read = far.read();
  await clock.advance(9_999);
  assertEquals(await isPending(read), true);
  await clock.advance(1);
  assertEquals([...(await read)!], [0x80 | OPCODES.ping, 0]);
  socket.destroy(new Error("enough"));
});

Deno.test("MessageSocket gives a peer no more time once it was heard after the messages", async () => {
  const { socket, far, clock } = raw();
  await socket.send(bytes("a"));
  await far.write(encodeFrame(OPCODES.pong, new Uint8Array(0)));
  const receiving = assertRejects(() => socket.receive(), Error, "answered no ping for 60 s");
  await clock.advance(60_000);
  await receiving;
});

Deno.test("MessageSocket takes messages of 16 MiB, and no longer ones, in one part or in several", async () => {
  const longest = 16 * 1024 * 1024;
  const { socket, far } = raw();
  const frame = encodeFrame(OPCODES.binary, new Uint8Array(longest));
  await far.write(frame);
  assertEquals((await socket.receive())?.length, longest);
  frame[0] = OPCODES.binary;
  await far.write(frame);
  await far.write(encodeFrame(OPCODES.continuation, new Uint8Array(1)));
  await assertRejects(() => socket.receive(), Error, `message of more than ${longest} bytes`);
  const goodbye = (await far.read())!;
  assertEquals([goodbye[0], goodbye[1]], [0x80 | OPCODES.close, 0x82]);
  assertEquals([goodbye[6]! ^ goodbye[2]!, goodbye[7]! ^ goodbye[3]!], [3, 0xf1]);

  const other = raw();
  frame[9] = 1;
  await other.far.write(frame.subarray(0, 10));
  await assertRejects(() => other.socket.receive(), Error, `frame of ${longest + 1} bytes`);
});

Deno.test("MessageSocket refuses a message within another", async () => {
  const { socket, far } = raw();
  await far.write(encodeFrame(OPCODES.binary, bytes("a"), { final: false }));
  await far.write(encodeFrame(OPCODES.binary, bytes("b")));
  await assertRejects(() => socket.receive(), Error, "in disorder");
});

Deno.test("MessageSocket tells a good end from a bad one by the code of its peer", async () => {
  const prefix = "The peer closed the WebSocket with ";
  for (
    const [payload, problem] of [
      [[], undefined],
      // Half of a code is none.
      [[3], undefined],
      [[3, 0xe8], undefined],
      [[3, 0xe9], undefined],
      [[3, 0xea], `${prefix}1002`],
      [[3, 0xea, 0x78], `${prefix}1002: x`],
    ] as const
  ) {
    const { socket, far, clock } = raw();
    const received = socket.receive().catch((error) => error.message);
    await far.write(encodeFrame(OPCODES.close, Uint8Array.from(payload)));
    assertEquals(await received, problem);
    await socket.closed;
    await assertRejects(() => far.write(new Uint8Array(1)), Error, "closed by the other end");
    assertEquals(clock.pendingTimers, 0);
    // Frames after the end change nothing.
    socket.destroy(new Error("too late"));
    await assertRejects(() => socket.send(bytes("a")), Error, problem ?? "WebSocket is closed");
  }
});

Deno.test("MessageSocket.close() drops unread messages, and waits for the answer of the peer", async () => {
  const { socket, far } = raw("server");
  const mask = Uint8Array.of(1, 2, 3, 4);
  await far.write(encodeFrame(OPCODES.binary, new Uint8Array(QUEUE_BYTES), { mask }));
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  const closed = socket.close();
  assertEquals(socket.close(1011), closed);
  const received = socket.receive();
  await far.write(encodeFrame(OPCODES.ping, new Uint8Array(0), { mask }));
  await far.write(encodeFrame(OPCODES.binary, bytes("a"), { mask }));
  assertEquals(await isPending(received), true);
  await far.write(encodeFrame(OPCODES.close, Uint8Array.of(3, 0xe8), { mask }));
  await closed;
  assertEquals(await received, undefined);
  assertEquals([...(await far.read())!], [0x80 | OPCODES.close, 2, 3, 0xe8]);
  // The ping got no answer.
  await assertRejects(() => far.read(), Error, "closed by the other end");
});

Deno.test("MessageSocket.close() ends well when the connection is lost before the peer answers", async () => {
  for (const isReset of [false, true]) {
    const { socket, far, clock } = raw();
    const closed = socket.close(1000, "x".repeat(200));
    const goodbye = (await far.read())!;
    assertEquals([goodbye.length, goodbye[1]], [2 + 4 + 125, 0x80 | 125]);
    if (isReset) far.destroy(new Error("reset"));
    else far.end();
    await closed;
    assertEquals(clock.pendingTimers, 0);
    for (const call of [() => socket.receive(), () => socket.send(bytes("a"))]) {
      await assertRejects(call, Error, "The WebSocket is closed");
    }
  }
});

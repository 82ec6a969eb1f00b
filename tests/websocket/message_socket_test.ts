import { assertEquals, assertRejects } from "@std/assert";
import { delay } from "../../src/base/mod.ts";
import { bytePipe, encodeFrame, MessageSocket, OPCODES } from "../../src/websocket/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

function pair(clock = new VirtualClock()) {
  const [near, far] = bytePipe();
  const client = new MessageSocket(near, { role: "client", clock, protocol: "" });
  const server = new MessageSocket(far, { role: "server", clock, protocol: "" });
  return { client, server, clock };
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

Deno.test("MessageSocket gives a peer that was sent messages more time than one that was not", async () => {
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
  // 1011 is a failure, but nobody waits for the outcome any more.
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
  await clock.advance(2_000);
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

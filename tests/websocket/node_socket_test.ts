import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { assertEquals, assertRejects } from "@std/assert";
import { byteSocketOf } from "../../src/websocket/mod.ts";

/** A socket that records its calls. */
class FakeSocket extends EventEmitter {
  readonly written: number[] = [];
  paused = false;
  destroyed = false;
  writableEnded = false;
  hasRoom = true;
  setNoDelay(): void {}
  setKeepAlive(): void {}
  setTimeout(): void {}
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  write(bytes: Uint8Array): boolean {
    this.written.push(...bytes);
    return this.hasRoom;
  }
  end(): void {
    this.writableEnded = true;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function setUp(first?: Uint8Array) {
  const fake = new FakeSocket();
  return { fake, socket: byteSocketOf(fake as unknown as Socket, first) };
}

const bytes = (...values: number[]) => Uint8Array.from(values);

Deno.test("byteSocketOf() returns the first bytes, and reads the socket only on demand", async () => {
  const { fake, socket } = setUp(bytes(1));
  assertEquals(fake.paused, true);
  assertEquals(await socket.read(), bytes(1));
  assertEquals(fake.paused, true);
  const next = socket.read();
  assertEquals(fake.paused, false);
  fake.emit("data", bytes(2));
  assertEquals([await next, fake.paused], [bytes(2), true]);
  // A socket may have more on the way when it is paused.
  fake.emit("data", bytes(3));
  fake.emit("data", bytes(4));
  fake.emit("end");
  assertEquals([await socket.read(), await socket.read()], [bytes(3), bytes(4)]);
  assertEquals(await socket.read(), undefined);
  const empty = setUp(new Uint8Array(0));
  const waiting = empty.socket.read();
  empty.fake.emit("end");
  assertEquals(await waiting, undefined);
});

Deno.test("byteSocketOf() lets a writer wait until its socket has room", async () => {
  const { fake, socket } = setUp();
  await socket.write(bytes(1));
  fake.hasRoom = false;
  let done = false;
  const waiting = socket.write(bytes(2)).then(() => done = true);
  for (let i = 0; i < 5; i++) await Promise.resolve();
  assertEquals([done, fake.written], [false, [1, 2]]);
  fake.emit("drain");
  await waiting;
  socket.end();
  await assertRejects(() => socket.write(bytes(3)), Error, "the connection is closed");
  assertEquals(fake.written, [1, 2]);
});

Deno.test("byteSocketOf() fails reads and writes with what has ended the connection", async () => {
  const ways: Record<string, [(fake: FakeSocket) => void, string]> = {
    "an error": [(fake) => void fake.emit("error", new Error("reset")), "reset"],
    "a close": [(fake) => fake.destroy(), "The connection was closed"],
  };
  for (const [how, [end, message]] of Object.entries(ways)) {
    const { fake, socket } = setUp();
    fake.hasRoom = false;
    const write = assertRejects(() => socket.write(bytes(1)), Error, message, how);
    end(fake);
    await write;
    await assertRejects(() => socket.read(), Error, message, how);
    await assertRejects(() => socket.write(bytes(2)), Error, message, how);
  }
  const { fake, socket } = setUp();
  const read = assertRejects(() => socket.read(), Error, "enough");
  socket.destroy(new Error("enough"));
  await read;
  assertEquals(fake.destroyed, true);
  await assertRejects(() => socket.read(), Error, "enough");
});

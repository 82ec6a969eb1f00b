import { assertEquals, assertRejects } from "@std/assert";
import { bytePipe } from "../../src/websocket/mod.ts";
import { isPending } from "./_is_pending.ts";

const KIB = 1024;
const bytes = (...values: number[]) => Uint8Array.from(values);

Deno.test("bytePipe() carries bytes in order, to readers that wait and to later ones, until the end", async () => {
  const [near, far] = bytePipe();
  const waiting = [far.read(), far.read(), far.read()];
  await near.write(bytes(1));
  await near.write(bytes(2));
  assertEquals(await Promise.all(waiting.slice(0, 2)), [bytes(1), bytes(2)]);
  near.end();
  assertEquals(await waiting[2], undefined);
  await assertRejects(() => near.write(bytes(3)), Error, "this direction has ended");
  // The other direction stays open.
  await far.write(bytes(4));
  await far.write(bytes(5));
  far.end();
  assertEquals([await near.read(), await near.read()], [bytes(4), bytes(5)]);
  assertEquals([await near.read(), await isPending(near.read())], [undefined, false]);
});

Deno.test("bytePipe() lets writers wait from 64 KiB on, until less than that waits for its reader", async () => {
  const [near, far] = bytePipe();
  await near.write(new Uint8Array(64 * KIB - 1));
  const full = near.write(bytes(1));
  const more = near.write(new Uint8Array(64 * KIB - 1));
  assertEquals([await isPending(full), await isPending(more)], [true, true]);
  await far.read();
  // 64 KiB are still there.
  assertEquals([await isPending(full), await isPending(more)], [true, true]);
  await far.read();
  assertEquals([await isPending(full), await isPending(more)], [false, false]);
  await far.read();
  // A reader that waits takes the bytes at once, however many.
  const reader = far.read();
  await near.write(new Uint8Array(100 * KIB));
  assertEquals((await reader)?.length, 100 * KIB);
  await near.write(bytes(1));
});

Deno.test("bytePipe() fails reads and writes at both ends when one is destroyed, after what was written", async () => {
  const [near, far] = bytePipe();
  await far.write(bytes(1));
  await near.write(bytes(2));
  await near.read();
  const byOther = "The connection was closed by the other end";
  const read = assertRejects(() => near.read(), Error, "enough");
  const write = assertRejects(() => near.write(new Uint8Array(64 * KIB)), Error, "enough");
  near.destroy(new Error("enough"));
  await Promise.all([read, write]);
  near.destroy(new Error("again"));
  far.destroy(new Error("too late"));
  await assertRejects(() => near.read(), Error, "enough");
  await assertRejects(() => near.write(bytes(4)), Error, "enough");
  assertEquals(await far.read(), bytes(2));
  assertEquals((await far.read())?.length, 64 * KIB);
  await assertRejects(() => far.read(), Error, byOther);
  await assertRejects(() => far.write(bytes(5)), Error, byOther);
  const [one, other] = bytePipe();
  const waiting = assertRejects(() => other.write(new Uint8Array(64 * KIB)), Error, byOther);
  one.destroy(new Error("enough"));
  await waiting;
});

import { assertEquals, assertRejects } from "@std/assert";
import { OutputChannel } from "../../../src/client/streams/output_channel.ts";

const LIMIT = 256 * 1024;

/** Reports whether a promise is still pending after everything that waits for no timer has run. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  promise.then(() => pending = false);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return pending;
}

Deno.test("OutputChannel makes its writer wait from 256 KiB on, until there is room", async () => {
  const channel = new OutputChannel(new Promise(() => {}));
  const reader = channel.stream.getReader();
  assertEquals(await isPending(channel.push(new Uint8Array(LIMIT - 1))), false);
  assertEquals(await isPending(channel.push(new Uint8Array(0))), false);
  const full = channel.push(new Uint8Array(1));
  assertEquals(await isPending(full), true);
  assertEquals((await reader.read()).value?.length, LIMIT - 1);
  await full;
  // An empty chunk is none.
  assertEquals((await reader.read()).value?.length, 1);
  await channel.push(new Uint8Array(2));
  channel.close();
  channel.close();
  await channel.push(new Uint8Array(LIMIT));
  assertEquals((await reader.read()).value?.length, 2);
  assertEquals((await reader.read()).done, true);
});

Deno.test("OutputChannel drops what comes after its reader has left", async () => {
  const channel = new OutputChannel(new Promise(() => {}));
  const full = channel.push(new Uint8Array(LIMIT));
  assertEquals(await isPending(full), true);
  await channel.stream.cancel();
  await full;
  assertEquals(await isPending(channel.push(new Uint8Array(LIMIT))), false);
  channel.close();
  channel.fail(new Error("too late"));
});

Deno.test("OutputChannel releases its waiters when it fails", async () => {
  const channel = new OutputChannel(new Promise(() => {}));
  const full = channel.push(new Uint8Array(LIMIT));
  assertEquals(await isPending(full), true);
  channel.fail(new Error("reset"));
  await full;
  channel.fail(new Error("again"));
  channel.close();
  assertEquals(await isPending(channel.push(new Uint8Array(LIMIT))), false);
  await assertRejects(() => channel.stream.getReader().read(), Error, "reset");
});

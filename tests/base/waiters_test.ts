import { assertEquals, assertRejects } from "@std/assert";
import { Waiters } from "../../src/base/waiters.ts";
import { isPending } from "../cache/_support.ts";

Deno.test("Waiters.wakeAll() wakes and forgets all callers that wait now", async () => {
  const waiters = new Waiters();
  const waiting = [waiters.wait(), waiters.wait(new AbortController().signal)];
  assertEquals(await isPending(Promise.race(waiting)), true);
  assertEquals(waiters.size, 2);
  waiters.wakeAll();
  assertEquals(waiters.size, 0);
  await Promise.all(waiting);
  assertEquals(await isPending(waiters.wait()), true);
});

Deno.test("Waiters.wait() rejects with the reason of its signal and forgets the caller", async () => {
  const waiters = new Waiters();
  const stopping = new AbortController();
  const waiting = waiters.wait(stopping.signal);
  stopping.abort(new Error("Stop"));
  await assertRejects(() => waiting, Error, "Stop");
  assertEquals(waiters.size, 0);
  await assertRejects(() => waiters.wait(stopping.signal), Error, "Stop");
});

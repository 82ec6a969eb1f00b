import { assertEquals } from "@std/assert";
import { ExpirationCache } from "../../src/extras/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { type Thing, thing, thingKey } from "../cache/_support.ts";

function make(ttlMs: number) {
  const clock = new VirtualClock();
  return { clock, cache: new ExpirationCache<Thing>(thingKey, { ttlMs, clock }) };
}

Deno.test("ExpirationCache expires objects that are older than the time to live, not those exactly as old", async () => {
  const { clock, cache } = make(100);
  cache.add(thing("a", 1));
  await clock.advance(100);
  assertEquals(cache.getByKey("a"), thing("a", 1));
  assertEquals(cache.get(thing("a")), thing("a", 1));
  assertEquals(cache.list(), [thing("a", 1)]);
  await clock.advance(1);
  assertEquals(cache.getByKey("a"), undefined);
  assertEquals(cache.size, 0);
});

Deno.test("ExpirationCache removes expired objects when they are read, but not in listKeys()", async () => {
  for (const read of ["get", "getByKey", "list"] as const) {
    const { clock, cache } = make(100);
    cache.add(thing("a", 1));
    await clock.advance(101);
    assertEquals(cache.listKeys(), ["a"]);
    assertEquals(cache.size, 1);
    if (read === "get") assertEquals(cache.get(thing("a")), undefined);
    if (read === "getByKey") assertEquals(cache.getByKey("a"), undefined);
    if (read === "list") assertEquals(cache.list(), []);
    assertEquals(cache.listKeys(), [], read);
  }
});

Deno.test("ExpirationCache resets the age of an object with each write", async () => {
  const { clock, cache } = make(100);
  cache.replace([thing("a"), thing("b"), thing("c")], "1");
  await clock.advance(60);
  cache.update(thing("a", 2));
  cache.add(thing("b", 2));
  await clock.advance(60);
  assertEquals(cache.list(), [thing("a", 2), thing("b", 2)]);
  cache.replace([thing("b", 3)], "2");
  await clock.advance(60);
  assertEquals(cache.list(), [thing("b", 3)]);
});

Deno.test("ExpirationCache with a time to live of 0 or less never expires objects", async () => {
  for (const ttlMs of [0, -1]) {
    const { clock, cache } = make(ttlMs);
    cache.add(thing("a"));
    await clock.advance(1e12);
    assertEquals(cache.list(), [thing("a")]);
  }
});

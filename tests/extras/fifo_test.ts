import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { deferred } from "../../src/base/mod.ts";
import { DeletedFinalStateUnknown, FIFOClosedError, KeyError } from "../../src/cache/mod.ts";
import { FIFO } from "../../src/extras/mod.ts";
import { drainFIFO, isPending, type Thing, thing, thingKey } from "../cache/_support.ts";

const make = () => new FIFO<Thing>(thingKey);

Deno.test("FIFO gives out the latest object of each key, in the order the keys came", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 2));
  queue.update(thing("a", 3));
  assertEquals(queue.length, 2);
  assertEquals(drainFIFO(queue), ["a=3", "b=2"]);
});

Deno.test("FIFO.delete() drops an object silently; added again, its key is where it was", () => {
  const queue = make();
  for (const id of ["a", "b", "c"]) queue.add(thing(id, 1));
  queue.delete(thing("a"));
  queue.delete(new DeletedFinalStateUnknown("c"));
  queue.delete(thing("missing"));
  assertEquals(queue.length, 1);
  queue.add(thing("a", 2));
  assertEquals(queue.length, 2);
  assertEquals(drainFIFO(queue), ["a=2", "b=1"]);
  queue.delete(thing("a"));
  assertEquals(queue.length, 0);
});

Deno.test("FIFO.replace() makes the list the whole queue", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 1));
  queue.replace([thing("c", 2), thing("b", 2), thing("c", 3)], "0");
  assertEquals(queue.length, 2);
  queue.resync();
  assertEquals(drainFIFO(queue), ["c=3", "b=2"]);
});

Deno.test("FIFO refuses objects without a key, and changes nothing", () => {
  const queue = new FIFO<Thing>((obj) => {
    if (obj.id === "") throw new Error("No id");
    return obj.id;
  });
  queue.add(thing("a"));
  for (
    const operation of [
      () => queue.add(thing("")),
      () => queue.update(thing("")),
      () => queue.delete(thing("")),
      () => queue.replace([thing("b"), thing("")], "0"),
    ]
  ) assert(KeyError.is(assertThrows(operation, Error, "No id")));
  assertEquals(drainFIFO(queue), ["a"]);
});

Deno.test("FIFO.hasSynced() turns true when the last of the first list was processed, even if that failed", () => {
  const queue = make();
  queue.replace([thing("a"), thing("b")], "1");
  const synced: boolean[] = [];
  queue.tryPop(() => synced.push(queue.hasSynced()));
  assertThrows(() =>
    queue.tryPop(() => {
      synced.push(queue.hasSynced());
      throw new Error("No");
    })
  );
  assertEquals(synced, [false, false]);
  assertEquals(queue.hasSynced(), true);
});

Deno.test("FIFO.pop() waits for an asynchronous process function, and only then counts as synced", async () => {
  const queue = make();
  queue.replace([thing("a")], "1");
  const slow = deferred();
  const popped = queue.pop(() => slow.promise);
  assert(await isPending(popped));
  assertEquals(queue.hasSynced(), false);
  slow.reject(new Error("No"));
  await assertRejects(() => popped, Error, "No");
  assertEquals(queue.hasSynced(), true);
});

Deno.test("FIFO.hasSynced() is true once the first list was taken, or something else came first", async () => {
  const added = make();
  assertEquals(added.hasSynced(), false);
  added.add(thing("a"));
  assertEquals(added.hasSynced(), true);

  const empty = make();
  empty.replace([], "0");
  assertEquals(empty.hasSynced(), true);

  const queue = make();
  const synced = queue.whenSynced();
  queue.replace([thing("a"), thing("b"), thing("c")], "0");
  queue.add(thing("d"));
  const initial: boolean[] = [];
  queue.delete(thing("b"));
  for (let i = 0; i < 2; i++) queue.tryPop((_, isInInitialList) => initial.push(isInInitialList));
  assertEquals(queue.hasSynced(), true, "what was deleted is not waited for");
  await synced;
  queue.tryPop((_, isInInitialList) => initial.push(isInInitialList));
  assertEquals(initial, [true, true, false]);
});

Deno.test("FIFO.tryPop() lets what the process function throws through, and the object is gone", () => {
  const queue = make();
  queue.add(thing("a"));
  assertThrows(
    () =>
      queue.tryPop(() => {
        throw new Error("Failed");
      }),
    Error,
    "Failed",
  );
  assertEquals(queue.length, 0);
});

Deno.test("FIFO.pop() waits, and ends with the queue or its signal", async () => {
  const queue = make();
  const popped = queue.pop(() => {});
  assert(await isPending(popped));
  queue.add(thing("a", 1));
  assertEquals(await popped, thing("a", 1));

  const stopping = new AbortController();
  const stopped = queue.pop(() => {}, { signal: stopping.signal });
  stopping.abort(new Error("Stop"));
  await assertRejects(() => stopped, Error, "Stop");

  const last = queue.pop(() => {});
  queue.close();
  queue.add(thing("b"));
  assertEquals(await last, thing("b"), "what came before the waiter ran is still taken");
  await assertRejects(() => queue.pop(() => {}), FIFOClosedError);
  assert(queue.isClosed);
});

Deno.test("FIFO does as a list of keys and a map of objects would", () => {
  type Op = ["add" | "delete", string, number] | ["pop"] | ["replace", string[], number];
  const id = fc.constantFrom("a", "b", "c", "d");
  const op = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constantFrom("add", "delete"), id, fc.nat(9)) },
    { weight: 3, arbitrary: fc.constant(["pop"]) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("replace"), fc.array(id), fc.nat(9)) },
  ) as fc.Arbitrary<Op>;
  fc.assert(
    fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
      const queue = make();
      let order: string[] = [];
      const objects = new Map<string, Thing>();
      const popModel = () => {
        while (order.length > 0) {
          const key = order.shift()!;
          const object = objects.get(key);
          objects.delete(key);
          if (object !== undefined) return object;
        }
        return undefined;
      };
      for (const op of ops) {
        if (op[0] === "add") {
          queue.add(thing(op[1], op[2]));
          if (!order.includes(op[1])) order.push(op[1]);
          objects.set(op[1], thing(op[1], op[2]));
        } else if (op[0] === "delete") {
          queue.delete(thing(op[1]));
          objects.delete(op[1]);
        } else if (op[0] === "replace") {
          queue.replace(op[1].map((key) => thing(key, op[2])), "0");
          order = [...new Set(op[1])];
          objects.clear();
          for (const key of order) objects.set(key, thing(key, op[2]));
        } else {
          let popped: Thing | undefined;
          queue.tryPop((obj) => popped = obj);
          assertEquals(popped, popModel());
        }
        assertEquals(queue.length, objects.size);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});

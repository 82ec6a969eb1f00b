import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { DeletedFinalStateUnknown, FIFOClosedError, KeyError } from "../../src/cache/mod.ts";
import { FIFO } from "../../src/extras/mod.ts";
import { drainFIFO, isPending, type Thing, thing, thingKey } from "../cache/_support.ts";
import { assertProperty } from "../support/seeded_runs.ts";

const make = () => new FIFO<Thing>(thingKey);

Deno.test("FIFO pops the latest object of each key, in the order in which the keys were added", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 2));
  queue.update(thing("a", 3));
  assertEquals(queue.length, 2);
  assertEquals(drainFIFO(queue), ["a=3", "b=2"]);
});

Deno.test("FIFO.delete() removes an object, and keeps the place of its key", () => {
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

Deno.test("FIFO.replace() replaces the whole content of the queue", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 1));
  queue.replace([thing("c", 2), thing("b", 2), thing("c", 3)], "0");
  assertEquals(queue.length, 2);
  queue.resync();
  assertEquals(drainFIFO(queue), ["c=3", "b=2"]);
});

Deno.test("FIFO rejects objects without a key, and changes nothing", () => {
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

Deno.test("FIFO.hasSynced() turns true after the last object of the first list, even if its processing failed", () => {
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

Deno.test("FIFO.pop() awaits an asynchronous process function before it counts as synced", async () => {
  const queue = make();
  queue.replace([thing("a")], "1");
  const slow = Promise.withResolvers<void>();
  const popped = queue.pop(() => slow.promise);
  assert(await isPending(popped));
  assertEquals(queue.hasSynced(), false);
  slow.reject(new Error("No"));
  await assertRejects(() => popped, Error, "No");
  assertEquals(queue.hasSynced(), true);
});

Deno.test("FIFO.hasSynced() is true after the first list was popped, or if another operation came first", async () => {
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
  assertEquals(queue.hasSynced(), true, "deleted objects are not waited for");
  await synced;
  queue.tryPop((_, isInInitialList) => initial.push(isInInitialList));
  assertEquals(initial, [true, true, false]);
});

Deno.test("FIFO.tryPop() throws the error of the process function, and removes the object", () => {
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

Deno.test("FIFO.pop() waits until the queue is closed or its signal aborts", async () => {
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
  assertEquals(
    await last,
    thing("b"),
    "an object that was added before the waiter ran is still popped",
  );
  await assertRejects(() => queue.pop(() => {}), FIFOClosedError);
  assert(queue.isClosed());
});

Deno.test("FIFO behaves like a list of keys and a map of objects", () => {
  type Op = ["add" | "delete", string, number] | ["pop"] | ["replace", string[], number];
  const id = fc.constantFrom("a", "b", "c", "d");
  const op = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constantFrom("add", "delete"), id, fc.nat(9)) },
    { weight: 3, arbitrary: fc.constant(["pop"]) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("replace"), fc.array(id), fc.nat(9)) },
  ) as fc.Arbitrary<Op>;
  assertProperty(
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
    300,
  );
});

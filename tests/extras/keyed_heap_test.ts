import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { FIFOClosedError, KeyError } from "../../src/cache/mod.ts";
import { KeyedHeap } from "../../src/extras/mod.ts";
import { isPending } from "../cache/_support.ts";
import { assertProperty } from "../support/seeded_runs.ts";

interface Job {
  readonly name: string;
  readonly priority: number;
}

const job = (name: string, priority: number): Job => ({ name, priority });
const make = () =>
  new KeyedHeap<Job>({
    keyFunc: (obj) => {
      if (obj.name === "") throw new Error("No name");
      return obj.name;
    },
    lessFunc: (a, b) => a.priority < b.priority,
  });
function drain(heap: KeyedHeap<Job>): string[] {
  const names: string[] = [];
  for (let next = heap.tryPop(); next !== undefined; next = heap.tryPop()) names.push(next.name);
  return names;
}

Deno.test("KeyedHeap pops the least object first", () => {
  const heap = make();
  heap.bulkAdd([job("c", 3), job("a", 1), job("d", 4), job("b", 2)]);
  assertEquals(heap.length, 4);
  assertEquals(drain(heap), ["a", "b", "c", "d"]);
});

Deno.test("KeyedHeap.add() replaces an object and restores the order", () => {
  const heap = make();
  heap.bulkAdd([job("a", 1), job("b", 2), job("c", 3)]);
  heap.add(job("a", 9));
  heap.update(job("c", 0));
  assertEquals(heap.length, 3);
  assertEquals(heap.getByKey("a"), job("a", 9));
  assertEquals(drain(heap), ["c", "b", "a"]);
});

Deno.test("KeyedHeap.addIfNotPresent() keeps the present object", () => {
  const heap = make();
  heap.add(job("a", 1));
  heap.addIfNotPresent(job("a", 9));
  heap.addIfNotPresent(job("b", 0));
  assertEquals(heap.get(job("a", 5)), job("a", 1));
  assertEquals(drain(heap), ["b", "a"]);
});

Deno.test("KeyedHeap.delete() removes an object from any position, and rejects an unknown one", () => {
  const heap = make();
  heap.bulkAdd([job("a", 1), job("b", 2), job("c", 3), job("d", 4)]);
  heap.delete(job("b", 0));
  assertThrows(() => heap.delete(job("b", 0)), RangeError, "object not found");
  assertEquals(heap.listKeys().sort(), ["a", "c", "d"]);
  assertEquals(heap.list().length, 3);
  assertEquals(drain(heap), ["a", "c", "d"]);
  assertEquals(heap.getByKey("a"), undefined);
});

Deno.test("KeyedHeap rejects objects without a key", () => {
  const heap = make();
  for (const method of ["add", "update", "addIfNotPresent", "delete", "get"] as const) {
    assert(KeyError.is(assertThrows(() => heap[method](job("", 1)), Error, "No name")));
  }
  assertEquals(heap.length, 0);
});

Deno.test("KeyedHeap.pop() waits for an object, for close(), or for its signal", async () => {
  const heap = make();
  const popped = heap.pop();
  const second = heap.pop();
  assert(await isPending(popped));
  heap.add(job("a", 1));
  assertEquals(await popped, job("a", 1));
  assert(await isPending(second));

  const stopping = new AbortController();
  const stopped = heap.pop({ signal: stopping.signal });
  stopping.abort(new Error("Stop"));
  await assertRejects(() => stopped, Error, "Stop");

  heap.close();
  await assertRejects(() => second, FIFOClosedError);
});

Deno.test("KeyedHeap.close() rejects new objects, but the remaining ones can be popped", async () => {
  const heap = make();
  heap.add(job("a", 1));
  heap.close();
  assert(heap.isClosed());
  for (
    const add of [
      () => heap.add(job("b", 1)),
      () => heap.addIfNotPresent(job("b", 1)),
      () => heap.bulkAdd([job("b", 1)]),
      () => heap.bulkAdd([]),
    ]
  ) assert(FIFOClosedError.is(assertThrows(add, Error, "heap is closed")));
  assertEquals(await heap.pop(), job("a", 1));
  await assertRejects(() => heap.pop(), FIFOClosedError, "heap is closed");
});

Deno.test("KeyedHeap behaves like a sorted map", () => {
  const op = fc.tuple(
    fc.constantFrom("add", "addIfNotPresent", "delete", "pop"),
    fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
    fc.nat(1000),
  );
  assertProperty(
    fc.property(fc.array(op, { maxLength: 80 }), (ops) => {
      const heap = make();
      const model = new Map<string, Job>();
      ops.forEach(([kind, name, random], i) => {
        // Distinct priorities, since the order of equal objects is unspecified.
        const obj = job(name, random * 1000 + i);
        if (kind === "add") {
          heap.add(obj);
          model.set(name, obj);
        } else if (kind === "addIfNotPresent") {
          heap.addIfNotPresent(obj);
          if (!model.has(name)) model.set(name, obj);
        } else if (kind === "delete") {
          if (model.delete(name)) heap.delete(obj);
          else assertThrows(() => heap.delete(obj), RangeError);
        } else {
          const [least] = [...model.values()].sort((a, b) => a.priority - b.priority);
          if (least !== undefined) model.delete(least.name);
          assertEquals(heap.tryPop(), least);
        }
        assertEquals(heap.length, model.size);
      });
    }),
    200,
  );
});

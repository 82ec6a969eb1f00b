import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Heap, type HeapItem } from "../../src/base/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

interface Entry extends HeapItem {
  value: number;
}

const entry = (value: number): Entry => ({ value, heapIndex: -1 });
const byValue = () => new Heap<Entry>((a, b) => a.value < b.value);

Deno.test("Heap returns its items in order after any sequence of operations", () => {
  assertProperty(fc.property(
    fc.array(fc.tuple(fc.constantFrom("push", "pop", "fix", "remove"), fc.nat(99), fc.nat(99))),
    (steps) => {
      const heap = byValue();
      const model: Entry[] = [];
      for (const [step, pick, value] of steps) {
        const chosen = model[pick % Math.max(1, model.length)];
        if (step === "push") {
          const added = entry(value);
          model.push(added);
          heap.push(added);
        } else if (step === "pop") {
          const popped = heap.pop();
          assertEquals(
            popped?.value,
            model.length ? Math.min(...model.map((m) => m.value)) : undefined,
          );
          if (popped !== undefined) model.splice(model.indexOf(popped), 1);
        } else if (chosen !== undefined && step === "fix") {
          chosen.value = value;
          heap.fix(chosen);
        } else if (chosen !== undefined) {
          heap.remove(chosen);
          model.splice(model.indexOf(chosen), 1);
        }
        assertEquals(heap.length, model.length);
      }
      const drained: number[] = [];
      for (let item = heap.pop(); item !== undefined; item = heap.pop()) drained.push(item.value);
      assertEquals(drained, model.map((m) => m.value).sort((a, b) => a - b));
    },
  ));
});

Deno.test("Heap.remove() throws for an item that is not in the heap", () => {
  const heap = byValue();
  const item = entry(1);
  heap.push(item);
  heap.pop();
  assertThrows(() => heap.remove(item), Error, "Heap.remove()");
  assertEquals(item.heapIndex, -1);
});

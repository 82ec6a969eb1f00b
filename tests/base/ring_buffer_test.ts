import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { RingBuffer } from "../../src/base/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

Deno.test("RingBuffer behaves like an array with push and shift", () => {
  assertProperty(
    fc.property(fc.array(fc.option(fc.nat(), { nil: undefined }), { maxLength: 300 }), (steps) => {
      const buffer = new RingBuffer<number>();
      const model: number[] = [];
      for (const step of steps) {
        if (step === undefined) assertEquals(buffer.shift(), model.shift());
        else {
          buffer.push(step);
          model.push(step);
        }
        assertEquals(buffer.length, model.length);
        assertEquals(buffer.peek(), model[0]);
      }
      assertEquals([...buffer], model);
    }),
  );
});

Deno.test("RingBuffer keeps its order while it grows, shrinks and wraps around", () => {
  const buffer = new RingBuffer<number>();
  let next = 0;
  let expected = 0;
  for (let round = 0; round < 50; round++) {
    for (let i = 0; i < 97; i++) buffer.push(next++);
    for (let i = 0; i < 89; i++) assertEquals(buffer.shift(), expected++);
  }
  while (buffer.length > 0) assertEquals(buffer.shift(), expected++);
  assertEquals(expected, next);
});

Deno.test("RingBuffer.clear() removes all elements", () => {
  const buffer = new RingBuffer<number>();
  buffer.push(1);
  buffer.clear();
  assertEquals([buffer.length, buffer.shift(), buffer.peek()], [0, undefined, undefined]);
});

import { assertEquals } from "@std/assert";
import { sumOf } from "./nightly.ts";

Deno.test("sumOf() adds up inputs and faults, and counts the tests that tried inputs", () => {
  assertEquals(sumOf(""), { inputs: 0, faults: 0, tests: 0 });
  assertEquals(sumOf('{"inputs":3}\n{"faults":2}\n{"inputs":4,"faults":5}\n'), {
    inputs: 7,
    faults: 7,
    tests: 2,
  });
});

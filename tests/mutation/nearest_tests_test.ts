import { assertEquals } from "@std/assert";
import { nearestTests } from "./nearest_tests.ts";

Deno.test("nearestTests() returns the tests that load a file: its folder, its name, its words, then the fewest imports", () => {
  const imports = new Map([
    ["tests/cache/queue/other_test.ts", ["src/cache/queue/fifo.ts"]],
    ["tests/cache/queue/fifo_test.ts", ["src/cache/mod.ts"]],
    ["tests/cache/far_test.ts", ["src/cache/mod.ts"]],
    ["tests/cache/near_test.ts", ["src/cache/queue/mod.ts"]],
    ["tests/client/client_test.ts", ["src/cache/queue/fifo.ts"]],
    ["tests/cache/queue/unrelated_test.ts", ["src/base/mod.ts"]],
    ["tests/cache/queue/long_fifo_test.ts", ["src/cache/mod.ts"]],
    ["src/cache/mod.ts", ["src/cache/queue/mod.ts"]],
    ["src/cache/queue/mod.ts", ["src/cache/queue/fifo.ts", "src/base/mod.ts"]],
  ]);
  const tests = [...imports.keys()].filter((name) => name.endsWith("_test.ts"));
  assertEquals(nearestTests("src/cache/queue/fifo.ts", tests, imports), [
    "tests/cache/queue/fifo_test.ts",
    "tests/cache/queue/long_fifo_test.ts",
    "tests/cache/queue/other_test.ts",
    "tests/cache/near_test.ts",
    "tests/cache/far_test.ts",
    "tests/client/client_test.ts",
  ]);
  assertEquals(nearestTests("src/base/mod.ts", ["tests/cache/far_test.ts"], imports), [
    "tests/cache/far_test.ts",
  ]);
  assertEquals(nearestTests("src/pager/mod.ts", tests, imports), []);
});

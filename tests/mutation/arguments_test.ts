import { assertEquals, assertThrows } from "@std/assert";
import { parseArguments } from "./arguments.ts";

Deno.test("parseArguments() reads paths and flags", () => {
  assertEquals(parseArguments(["src/cache/", "src/a.ts"]), {
    paths: ["src/cache", "src/a.ts"],
    count: 50,
    seed: 1,
    tests: 50,
    seconds: 120,
    list: false,
  });
  const flags = ["--count", "7", "--seed=0", "--tests", "3", "--seconds", "9", "--list"];
  assertEquals(parseArguments(["src", ...flags]), {
    paths: ["src"],
    count: 7,
    seed: 0,
    tests: 3,
    seconds: 9,
    list: true,
  });
});

Deno.test("parseArguments() rejects unknown arguments", () => {
  assertThrows(() => parseArguments([]), TypeError, "Name files");
  assertThrows(() => parseArguments(["src", "--fast"]), TypeError, "Unknown flag --fast");
  for (const value of ["0", "1.5", "x", "-1", ""]) {
    assertThrows(() => parseArguments(["src", `--count=${value}`]), RangeError, "--count");
  }
});

import { assertEquals, assertThrows } from "@std/assert";
import { parseArguments } from "./arguments.ts";

Deno.test("parseArguments() reads the flags of both forms", () => {
  const nothing = { plans: undefined, seed: undefined, minutes: undefined, workers: 1, see: false };
  assertEquals(parseArguments(["--self"]), { ...nothing, self: true, file: undefined });
  assertEquals(
    parseArguments(["--self", "--plans", "7", "--seed", "0", "--workers", "2", "--minutes", "0.5"]),
    { ...nothing, self: true, file: undefined, plans: 7, seed: 0, workers: 2, minutes: 0.5 },
  );
  assertEquals(parseArguments(["a.ts", "--plans=3", "--workers=2", "--see"]), {
    ...nothing,
    self: false,
    file: "a.ts",
    see: true,
    plans: 3,
    workers: 2,
  });
});

Deno.test("parseArguments() refuses what it does not understand", () => {
  for (
    const args of [
      [],
      ["a.ts", "b.ts"],
      ["--self", "a.ts"],
      ["--sefl"],
      ["a.ts", "--seed", "1"],
      ["--self", "--see"],
    ]
  ) {
    assertThrows(() => parseArguments(args), TypeError);
  }
  for (
    const flag of [
      "--plans=0",
      "--plans=x",
      "--plans=1.5",
      "--seed=-1",
      "--workers=0",
      "--minutes=",
    ]
  ) {
    assertThrows(() => parseArguments(["--self", flag]), RangeError, flag.split("=")[0]!);
  }
});

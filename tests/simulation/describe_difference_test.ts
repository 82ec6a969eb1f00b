import { assertEquals, assertStringIncludes } from "@std/assert";
import { describeDifference } from "../package/_traces.ts";

const named = (name: string, ...lines: string[]) => ({ name, lines });

Deno.test("describeDifference() shows the first line that differs, with the lines before it", () => {
  const text = describeDifference(
    named("deno", "0 a", "1 b", `2 ${"x".repeat(1000)}yes`, "3"),
    named("bun", "0 a", "1 b", `2 ${"x".repeat(1000)}no`, "4"),
  );
  const lines = text.split("\n");
  assertEquals(lines[0], "The first difference is in line 3, from character 1003 on:");
  assertEquals(lines.slice(1, 3), ["    0 a", "    1 b"]);
  assertEquals(lines.slice(3).map((line) => line.replace(/x+/, "x")), [
    "  deno: …xyes",
    "  bun: …xno",
  ]);
});

Deno.test("describeDifference() tells a trace that ends early, and traces that do not differ", () => {
  assertStringIncludes(describeDifference(named("a", "0", "1"), named("b", "0")), "has ended");
  assertStringIncludes(describeDifference(named("a", "0"), named("b", "0")), "not repeatable");
});

import { assertEquals, assertNotEquals } from "@std/assert";
import { mutantsOf } from "./mutants.ts";
import { sampleOf } from "./sample.ts";

const TEXT = `${"f(1, 2, 3);\n".repeat(50)}${"if (a) {}\n".repeat(50)}`;
const ALL = mutantsOf("a.ts", TEXT);

Deno.test("sampleOf() draws the same mutants with the same seed, and others with another", () => {
  assertEquals(sampleOf(ALL, 20, 7), sampleOf(ALL, 20, 7));
  assertNotEquals(sampleOf(ALL, 20, 7), sampleOf(ALL, 20, 8));
});

Deno.test("sampleOf() draws each mutant at most once, and all of them in the end", () => {
  const drawn = sampleOf(ALL, 1000, 1);
  assertEquals([drawn.length, new Set(drawn).size], [ALL.length, ALL.length]);
});

Deno.test("sampleOf() gives each operator the same chance", () => {
  const counts = Map.groupBy(sampleOf(ALL, 60, 1), ({ operator }) => operator);
  assertEquals([...counts.values()].every(({ length }) => length > 10 && length < 30), true);
});

import { assertEquals } from "@std/assert";
import {
  fieldPath,
  invalidValue,
  requiredValue,
  unsupportedValue,
  wrongType,
} from "../../src/crd/field_error.ts";
import { loadPatterns } from "../../src/crd/linear_patterns.ts";
import { patternTrouble } from "../../src/crd/patterns.ts";

Deno.test("patternTrouble() finds only constructs that RE2 does not support", () => {
  const [backreference, empty] = ["has a backreference", "has an empty class, [] or [^]"];
  const around = "has a lookahead or a lookbehind";
  for (
    const [pattern, trouble] of [
      ["(a)\\1", backreference],
      ["(?<n>a)\\k<n>", backreference],
      ["\\u0041", "has a \\u escape: write \\x{…}"],
      ["[\\u0041]", "has a \\u escape: write \\x{…}"],
      ["\\cA", "has a \\c escape"],
      ["a[]", empty],
      ["a[^]", empty],
      ["(?=a)", around],
      ["[a](?=b)", around],
      ["a(?!b)", around],
      ["(?<=a)b", around],
      ["(?<!a)b", around],
      ["", undefined],
      ["^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", undefined],
      ["(?:a)(?<name>b)\\d\\.\\\\1", undefined],
      ["[(?=]", undefined],
      ["[\\]]\\[]", undefined],
      ["[[]a]", undefined],
      ["\\(?=a", undefined],
      ["a\\", undefined],
    ] as const
  ) assertEquals(patternTrouble(pattern), trouble, pattern);
});

Deno.test("loadPatterns() matches like RE2, and leaves invalid patterns to the server", async () => {
  const matches = await loadPatterns();
  for (
    const [text, pattern, expected] of [
      ["abc", "^b", false],
      ["abc", "b", true],
      ["-", "^\\-$", true],
      ["A", "^\\p{Lu}$", true],
      ["a", "^\\p{Lu}$", false],
      // Syntax that JavaScript does not have or interprets differently.
      ["a\nb", "(?s)a.b", true],
      ["a\n", "a$", false],
      ["\u00a0", "^\\s$", false],
      ["ABC", "(?i)^abc$", true],
      ["x", "^\\x{78}\\z", true],
      ["😀", "^.$", true],
      ["a-b", "^[[:alpha:]]-[[:alpha:]]$", true],
      ["a", "(", undefined],
      ["a", "(?=a)", undefined],
    ] as const
  ) assertEquals(matches(text, pattern), expected, pattern);
});

Deno.test("loadPatterns() bounds the steps for one value", async () => {
  const matches = await loadPatterns();
  const text = "a".repeat(100_000);
  let decided = 0;
  while (matches(text, "^([a-z]+)+$") !== undefined) decided++;
  assertEquals(decided > 1 && decided < 1_000, true, String(decided));
  assertEquals(matches(text, "a"), undefined);
  assertEquals((await loadPatterns())(text, "a"), true);
});

Deno.test("the errors of fields have the words of the API server", () => {
  assertEquals(invalidValue("a", "x", "why"), {
    field: "a",
    reason: "FieldValueInvalid",
    message: 'Invalid value: "x": why',
  });
  for (
    const [value, shown] of [[{}, "an object"], [[], "an array"], [
      9007199254740993n,
      "9007199254740993",
    ]] as const
  ) {
    assertEquals(invalidValue("a", value, "why").message, `Invalid value: ${shown}: why`);
  }
  const long = (length: number) => invalidValue("a", "x".repeat(length), "y").message;
  // The quotes count, too.
  assertEquals(long(198), `Invalid value: "${"x".repeat(198)}": y`);
  assertEquals(long(199), `Invalid value: "${"x".repeat(199)}…: y`);
  assertEquals(requiredValue("a"), {
    field: "a",
    reason: "FieldValueRequired",
    message: "Required value",
  });
  assertEquals(requiredValue("a", "why").message, "Required value: why");
  assertEquals(unsupportedValue("a", 3, [1, "2"]), {
    field: "a",
    reason: "FieldValueNotSupported",
    message: 'Unsupported value: 3: supported values: 1, "2"',
  });
  for (
    const [value, type] of [[null, "null"], [[], "array"], [{}, "object"], [1, "number"]] as const
  ) {
    assertEquals(wrongType("a", value as never, "string"), {
      field: "a",
      reason: "FieldValueTypeInvalid",
      message: `Invalid value: "${type}": must be of type string`,
    });
  }
});

Deno.test("fieldPath() separates names by dots, and writes other names in brackets", () => {
  for (
    const [path, name, whole] of [
      ["", "spec", "spec"],
      ["spec", "a-b_$1", "spec.a-b_$1"],
      ["spec", "a.b/c", "spec[a.b/c]"],
      ["spec", "1a", "spec[1a]"],
      ["spec", "", "spec[]"],
      ["spec.list", 0, "spec.list[0]"],
      ["", 0, "[0]"],
    ] as const
  ) assertEquals(fieldPath(path, name), whole);
});

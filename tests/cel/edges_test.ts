/** Functions and literals at the edges of what they take. */

import { assertEquals } from "@std/assert";
import { compileExpression, Program } from "../../src/cel/mod.ts";

/** Returns the value of an expression without variables, or its error. */
function result(source: string): unknown {
  const compiled = compileExpression(source, new Map());
  if ("issues" in compiled) return compiled.issues.split("\n")[0];
  const unknown = (name: string) => {
    throw new Error(`No variable ${name}`);
  };
  const outcome = new Program(compiled.checked).run(unknown);
  return "error" in outcome ? outcome.error.message : outcome.value;
}

Deno.test("CEL evaluates functions and literals at the edges of what they take", () => {
  const notInteger = 'strconv.Atoi: parsing "": invalid syntax';
  const leapDay = "timestamp('2024-02-29T00:00:00Z')";
  const cases: readonly (readonly [string, unknown])[] = [
    ["[[1], [2]].flatten(0) == [[1], [2]]", true],
    ["[[1], [2]].flatten(1) == dyn([1, 2])", true],
    ["[[1], [2]].flatten(-1)", "level must be non-negative"],
    ["[1, 2].slice(0, 2) == [1, 2]", true],
    ["[1, 2].slice(2, 2) == []", true],
    ["[1, 2].slice(0, 3)", "cannot slice(0, 3), list is length 2"],
    [
      "[1, 2].slice(2, 1)",
      "cannot slice(2, 1), start index must be less than or equal to end index",
    ],
    ["[1, 2].slice(-1, 1)", "cannot slice(-1, 1), negative indexes not supported"],
    [`${leapDay}.getHours(':30')`, notInteger],
    [`${leapDay}.getHours('02:')`, notInteger],
    [`${leapDay}.getMinutes('00:00')`, 0n],
    ["timestamp('1969-12-31T23:59:59.999Z').getMilliseconds()", 999n],
    ["timestamp('1970-01-01T00:00:00Z').getSeconds()", 0n],
    ["'' == \"\"", true],
    ["'''''' == ''", true],
    ["'''a''b''' == \"a''b\"", true],
    ['"""a""" == "a"', true],
    ["r'\\n' == '\\\\n'", true],
  ];
  for (const [source, expected] of cases) assertEquals(result(source), expected, source);
});

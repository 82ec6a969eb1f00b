import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type LabelSelector,
  labelSelectorAsSelector,
  parseSelector,
  Selector,
} from "../../src/types/mod.ts";

Deno.test("parseSelector() understands every operator", () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ["", {}, true],
    ["  ", { a: "b" }, true],
    ["a=b", { a: "b" }, true],
    ["a=b", { a: "c" }, false],
    ["a=b", {}, false],
    ["a==b", { a: "b" }, true],
    ["a=", { a: "" }, true],
    ["a=", {}, false],
    ["a!=b", { a: "c" }, true],
    ["a!=b", {}, true],
    ["a!=b", { a: "b" }, false],
    ["a in (b, c)", { a: "c" }, true],
    ["a in (b,c)", { a: "d" }, false],
    ["a in (b,)", { a: "" }, true],
    ["a notin (b,c)", { a: "c" }, false],
    ["a notin (b,c)", {}, true],
    ["a", { a: "" }, true],
    ["a", {}, false],
    ["!a", {}, true],
    ["! a", { a: "x" }, false],
    ["a>3", { a: "10" }, true],
    ["a>10", { a: "10" }, false],
    ["a<3", { a: "-1" }, true],
    ["a<3", { a: "x" }, false],
    ["a<3", {}, false],
    ["a>9223372036854775806", { a: "9223372036854775807" }, true],
    // No whole number of 64 bits, as for apimachinery.
    ["a>5", { a: "9223372036854775808" }, false],
    ["a<5", { a: "-9223372036854775809" }, false],
    ["a=b,c!=d", { a: "b" }, true],
    ["a=b,c!=d", { a: "b", c: "d" }, false],
    ["a in (b),!c,x.example.com/y=1", { a: "b", "x.example.com/y": "1" }, true],
    ["in in (in)", { in: "in" }, true],
    ["toString", {}, false],
  ];
  for (const [text, labels, expected] of cases) {
    assertEquals(
      parseSelector(text).matches(labels),
      expected,
      `${text} on ${JSON.stringify(labels)}`,
    );
  }
  assert(!parseSelector("a").matches(undefined));
});

Deno.test("parseSelector() rejects text that is not a selector, and names the position", () => {
  for (
    const text of [
      ",",
      "a,",
      "a=b=c",
      "a in b",
      "a in (b",
      "a in",
      "a in ()x",
      "=b",
      "a b",
      "!",
      "a>",
      "a>x",
      "a>9223372036854775808",
      // Only ASCII has spaces.
      "a\u00a0in (b)",
      "a in (b,\u2003c)",
      "a=b\u3000",
      "a=b c",
      "-a",
      "a=-b",
      "a/b/c",
      "UPPER/x=1",
      `${"a".repeat(64)}=1`,
      `a=${"b".repeat(64)}`,
      "a=b;c",
    ]
  ) {
    const error = assertThrows(() => parseSelector(text), SyntaxError, text.slice(0, 60));
    assert(error.message.startsWith("Cannot read label selector "), error.message);
  }
});

Deno.test("labelSelectorAsSelector() matches nothing without a selector and everything with an empty one", () => {
  assert(labelSelectorAsSelector(undefined).matchesNothing);
  assert(labelSelectorAsSelector(null).matchesNothing);
  assert(!labelSelectorAsSelector(undefined).matches({ a: "b" }));
  assert(labelSelectorAsSelector({}).isEmpty());
  assert(labelSelectorAsSelector({}).matches(undefined));
  assertThrows(() => Selector.nothing.toString(), RangeError);
});

Deno.test("labelSelectorAsSelector() requires all labels and expressions", () => {
  const selector = labelSelectorAsSelector({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "NotIn", values: ["db", "cache"] },
      { key: "zone", operator: "Exists" },
      { key: "canary", operator: "DoesNotExist" },
    ],
  });
  assert(selector.matches({ app: "web", zone: "z" }));
  assert(!selector.matches({ app: "web", zone: "z", tier: "db" }));
  assert(!selector.matches({ app: "web" }));
  assert(!selector.matches({ app: "web", zone: "z", canary: "" }));
  assertEquals(selector.toString(), "app=web,!canary,tier notin (cache,db),zone");
});

Deno.test("labelSelectorAsSelector() rejects what the API rejects", () => {
  const bad: [LabelSelector, string][] = [
    [
      { matchExpressions: [{ key: "a", operator: "Gt" as "In", values: ["1"] }] },
      'Operator Gt of label "a" is not one of a LabelSelector',
    ],
    [{ matchExpressions: [{ key: "a", operator: "Lt" as "In", values: ["1"] }] }, "Operator Lt"],
    [{ matchExpressions: [{ key: "a", operator: "In" }] }, "at least one value"],
    [{ matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] }, "takes no values"],
    [{ matchExpressions: [{ key: "a", operator: "Like" as "In", values: ["b"] }] }, "unknown"],
    [{ matchLabels: { "a b": "c" } }, "Label key"],
    [{ matchLabels: { a: "b,c" } }, `Value "b,c"`],
  ];
  for (const [selector, message] of bad) {
    assertThrows(() => labelSelectorAsSelector(selector), TypeError, message);
  }
});

Deno.test("Selector.toString() returns an equivalent text", () => {
  for (const text of ["a=b,c!=d", "a in (b,c),d notin (e,f)", "!a,b", "a<9,b>3", ""]) {
    assertEquals(parseSelector(text).toString(), text);
  }
});

import { assertEquals } from "@std/assert";
import { visibleText } from "../../src/base/mod.ts";

for (
  const [text, visible] of [
    ["plain words, ünïcode and 日本", "plain words, ünïcode and 日本"],
    ["a\nWARN forged\r\n", "a\\nWARN forged\\r\\n"],
    ["\x1b[2J\x07\x00\x7f\x9b", "\\u001b[2J\\u0007\\u0000\\u007f\\u009b"],
    [
      "\u202eevil\u2066 \u2028 \u2029 \ufeff\u200b",
      "\\u202eevil\\u2066 \\u2028 \\u2029 \\ufeff\\u200b",
    ],
    ["half \ud800 pair, whole 😀", "half \\ud800 pair, whole 😀"],
    ["", ""],
  ] as const
) {
  Deno.test(`visibleText() writes ${JSON.stringify(text)} on one line`, () => {
    assertEquals(visibleText(text, 100), visible);
  });
}

Deno.test("visibleText() cuts long text and says how much is missing", () => {
  assertEquals(visibleText("x".repeat(10_000_000), 3), "xxx… (9999997 more characters)");
  assertEquals(visibleText("xxx", 3), "xxx");
});

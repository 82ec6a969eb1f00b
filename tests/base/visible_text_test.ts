import { assertEquals } from "@std/assert";
import { visibleJson, visibleText } from "../../src/base/mod.ts";

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
    ["tag \u{e0041}, \u00adsoft, joined \u2060", "tag \\udb40\\udc41, \\u00adsoft, joined \\u2060"],
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

Deno.test("visibleText() bounds what it returns, whatever the characters take when they are visible", () => {
  for (const unit of ["\u0000", "\n", "\u{e0041}", "\ud800", "x\u0000", "😀", "x"]) {
    for (const maxLength of [0, 1, 2, 5, 6, 7, 100, 10_000]) {
      const text = unit.repeat(20_000);
      const shown = visibleText(text, maxLength);
      const [start = "", rest = ""] = shown.split("… (");
      assertEquals(start.length <= maxLength && start.length > maxLength - 13, true, shown);
      // Nothing is cut in half, and the remark says how much is missing.
      const missing = Number(/^\d+(?= more characters\)$)/.exec(rest)?.[0]);
      assertEquals(visibleText(text.slice(0, text.length - missing), Infinity), start);
    }
  }
});

Deno.test("visibleJson() means the same as the JSON, and has nothing that a terminal acts on", () => {
  const value = { "\u009b\u202e": ["\u001b[2J", "a\nb\tc", "\u{e0041}", "日本 😀", "\ud800"] };
  const json = visibleJson(JSON.stringify(value, undefined, 2));
  assertEquals(JSON.parse(json), value);
  assertEquals(/[^\n\x20-\x7e日本😀]/u.test(json), false, json);
});

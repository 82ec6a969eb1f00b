import { assertEquals } from "@std/assert";
import { oneLine, stripEnd } from "../../src/base/mod.ts";

Deno.test("oneLine() replaces line breaks, and the blanks around them, with one space", () => {
  for (
    const [text, line] of [
      ["", ""],
      [" \n ", ""],
      ["a  b", "a  b"],
      [" a \r\n\t b\n\n\nc\r", "a b c"],
    ]
  ) {
    assertEquals(oneLine(text!), line);
  }
});

Deno.test("stripEnd() removes one character at the end only, however often", () => {
  assertEquals([stripEnd("/a//", "/"), stripEnd("//", "/"), stripEnd("", "/")], ["/a", "", ""]);
  assertEquals(stripEnd(`${"=".repeat(1_000_000)}a`, "=").length, 1_000_001);
});

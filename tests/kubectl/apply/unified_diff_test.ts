import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { unifiedDiff } from "../../../src/kubectl/apply/unified_diff.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

Deno.test("unifiedDiff() shows the changed lines with three lines around them", () => {
  const before = "abcdefghijklmnopqrst".split("").join("\n") + "\n";
  const after = before.replace("b\n", "B\n").replace("r\n", "");
  assertEquals(
    unifiedDiff(before, after),
    "@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -15,6 +15,5 @@\n o\n p\n q\n-r\n s\n t\n",
  );
  assertEquals(unifiedDiff(before, before), "");
  assertEquals(unifiedDiff("", "x\n"), "@@ -0,0 +1 @@\n+x\n");
  assertEquals(unifiedDiff("x\n", ""), "@@ -1 +0,0 @@\n-x\n");
});

Deno.test("The hunks of unifiedDiff() turn one text into the other", async () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
  await assertProperty(fc.property(text, text, (before, after) => {
    const [one, other] = [before, after].map((lines) =>
      lines.map((line) =>
        `${line}
`
      ).join("")
    );
    assertEquals(patched(before, unifiedDiff(one!, other!)), after);
  }));
});

Deno.test("Texts that have nothing in common are replaced", () => {
  const texts = ["a", "b"].map((letter) =>
    Array.from({ length: 3000 }, (_, i) => `${letter}${i}\n`).join("")
  );
  const lines = unifiedDiff(texts[0]!, texts[1]!).split("\n");
  assertEquals([lines[0], lines.length], ["@@ -1,3000 +1,3000 @@", 6002]);
});

/** Applies hunks as `patch` does. */
function patched(before: readonly string[], diff: string): string[] {
  const lines = [...before];
  let offset = 0;
  for (const hunk of diff.split(/^(?=@@)/m).filter((one) => one !== "")) {
    const [head = "", ...body] = hunk.replace(/\n$/, "").split("\n");
    const [, from = "", count = "1"] = /^@@ -(\d+)(?:,(\d+))?/.exec(head) ?? [];
    const at = Number(from) - (count === "0" ? 0 : 1) + offset;
    const old = body.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    const now = body.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    assertEquals(lines.splice(at, Number(count), ...now), old);
    offset += now.length - old.length;
  }
  return lines;
}

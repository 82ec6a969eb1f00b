import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { unifiedDiff } from "../../../src/kubectl/apply/unified_diff.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { nightlyTest, slowTest } from "../../support/kinds_of_tests.ts";

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
  // Changes with six lines between them are one hunk, with seven they are two.
  const [six, seven] = ["bcdefg", "bcdefgh"].map((between) => {
    const text = (end: string) => [...`${end}${between}${end}`].join("\n");
    return unifiedDiff(text("x"), text("y")).match(/^@@/gm)?.length;
  });
  assertEquals([six, seven], [1, 2]);
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

nightlyTest("unifiedDiff() of long texts shows what has changed, in any number of places", () => {
  const text = (lineOf: (at: number) => string) =>
    Array.from({ length: 150_000 }, (_, at) => `${lineOf(at)}\n`).join("");
  const before = text((at) => `line ${at}`);
  for (const [every, changed] of [[160, 938], [100, 1_500], [20, 7_500], [2, 75_000]] as const) {
    const diff = unifiedDiff(before, text((at) => at % every === 0 ? `other ${at}` : `line ${at}`));
    assertEquals(diff.match(/^-/gm)?.length, changed);
    assertEquals(diff.match(/^\+/gm)?.length, changed);
  }
  const moved = unifiedDiff(before, text((at) => `line ${(at + 50_000) % 150_000}`));
  assertEquals(moved.match(/^[-+]/gm)?.length, 100_000);
  // Lines that tell nothing apart.
  const same = unifiedDiff(text(() => "a"), `${text(() => "a")}${"a\n".repeat(5_000)}`);
  assertEquals(same.match(/^[-+]/gm)?.length, 5_000);
  const mixed = unifiedDiff(text((at) => `${at * 7919 % 13}`), text((at) => `${at * 104729 % 17}`));
  assertEquals(mixed.startsWith("@@ -1,"), true);
});

slowTest(
  "unifiedDiff() of long texts that are compared in parts turns one into the other",
  async () => {
    // More edits than are searched at once, between lines that both texts have.
    const line = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }));
    await assertProperty(
      fc.property(fc.array(line, { minLength: 20, maxLength: 30 }), (changes) => {
        const before: string[] = [];
        const after: string[] = [];
        changes.forEach(([removed, added], at) => {
          before.push(`anchor ${at}`);
          after.push(`anchor ${at}`);
          for (let count = 0; count < removed * 40; count++) before.push(`a${count % 7}`);
          for (let count = 0; count < added * 40; count++) after.push(`b${count % 5}`);
        });
        const diff = unifiedDiff(`${before.join("\n")}\n`, `${after.join("\n")}\n`);
        assertEquals(patched(before, diff), after);
        assertEquals(/^[-+]anchor/m.test(diff), false);
      }),
    );
  },
);

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

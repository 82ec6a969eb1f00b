import { assert, assertEquals } from "@std/assert";
import stories from "./stories.json" with { type: "json" };
import { linesOf, RUNS } from "./_stories.ts";

for (const [title, explore] of Object.entries(RUNS)) {
  Deno.test(`the report of ${title} is that of stories.json`, async () => {
    const [finding] = (await explore()).findings;
    assert(finding !== undefined, "nothing was found");
    const expected = (stories as Record<string, string[]>)[title];
    assertEquals(linesOf(finding), expected, "if the new text is better: deno task stories");
  });
}

import { assertEquals } from "@std/assert";
import { checkedPromises } from "./promises.ts";

Deno.test("each promise points at the line of its test", async () => {
  const { corrected, page, wrong } = await checkedPromises();
  assertEquals(wrong, []);
  assertEquals(page, corrected, "run tests/checks/promises.ts --write");
});

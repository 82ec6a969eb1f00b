import { assertEquals } from "@std/assert";
import { readPage, withTable } from "./kinds_doc.ts";

Deno.test("docs/kinds.md lists the API server's support of each kind", async () => {
  const page = await readPage();
  assertEquals(page, withTable(page), "see kinds_doc.ts");
});

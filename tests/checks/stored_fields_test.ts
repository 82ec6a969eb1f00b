import { assertEquals } from "@std/assert";
import { readFile, withTables } from "./stored_fields.ts";

Deno.test("stored_fields.ts says how the fields of built-in kinds are stored", async () => {
  const file = await readFile();
  assertEquals(file, withTables(file), "see tests/checks/stored_fields.ts");
});

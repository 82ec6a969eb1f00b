import { assertEquals } from "@std/assert";
import { sha256 } from "../../src/base/mod.ts";

Deno.test("sha256() is that of Web Crypto", async () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const text = "ä".repeat(length % 3) + "x".repeat(length);
    const bytes = new TextEncoder().encode(text);
    const expected = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    assertEquals(sha256(text), expected, String(length));
  }
});

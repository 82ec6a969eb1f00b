import { assertEquals } from "@std/assert";
import { hasFormat } from "../../src/structural/mod.ts";

Deno.test("hasFormat() takes host names of one label with a dash in one place only", () => {
  const hosts: readonly (readonly [string, boolean])[] = [
    ["a", true],
    ["a-b", true],
    ["a--b", false],
    ["ab-c", false],
    ["a.b", false],
    ["a.bc", true],
    ["a-b-c.de", true],
    ["-a.de", false],
    ["a-.de", false],
    ["a.d3", false],
    ["é.example", true],
    [`${"a".repeat(63)}.de`, true],
    [`${"a".repeat(64)}.de`, false],
    [`${"a".repeat(50)}.`.repeat(5) + "de", false],
    ["", false],
    ["a..de", false],
  ];
  for (const [host, fits] of hosts) assertEquals(hasFormat(host, "hostname"), fits, host);
});

Deno.test("hasFormat() finds a duration in a text, in time that is linear in its length", () => {
  const durations: readonly (readonly [string, boolean])[] = [
    ["3 days", true],
    ["days", false],
    ["3", false],
    ["1h", true],
    ["take 2   Weeks please", true],
    ["2 fortnights", false],
    ["5 secondary", true],
    ["5x 3ms", true],
    ["1 ".repeat(100_000), false],
    [`${"1".repeat(100_000)}x`, false],
    [`${" ".repeat(100_000)}s`, false],
  ];
  for (const [text, fits] of durations) {
    assertEquals(hasFormat(text, "duration"), fits, text.slice(0, 30));
  }
});

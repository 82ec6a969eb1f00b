import { assertEquals, assertMatch } from "@std/assert";
import { EventNames, isSubdomain } from "../../src/events/event_names.ts";
import { fittingText } from "../../src/events/event_report.ts";
import { SimilarNotes } from "../../src/events/similar_notes.ts";
import { SpamFilter } from "../../src/events/spam_filter.ts";
import { SeededRandom, VirtualClock } from "../../src/testing/mod.ts";

Deno.test("EventNames gives increasing names of at most 253 characters, and otherwise random names", () => {
  const clock = new VirtualClock();
  const names = new EventNames(clock, new SeededRandom(1));
  const nanosOf = (name: string) => BigInt(`0x${name.split(".").at(-1)}`);
  let last = 0n;
  for (let i = 0; i < 100; i++) {
    const nanos = nanosOf(names.next("web"));
    assertEquals(nanos > last, true);
    last = nanos;
  }
  // The first is within the millisecond of the clock, and each of the others is at most one later.
  assertEquals(last / 1_000_000n - BigInt(clock.wallNow()) <= 1n, true);
  const suffix = names.next("web").length - "web".length;
  const longest = "a".repeat(253 - suffix);
  assertEquals(names.next(longest).startsWith(`${longest}.`), true);
  for (const name of [`${longest}a`, "system:node"]) {
    assertMatch(names.next(name), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  }
});

Deno.test("isSubdomain() accepts labels of letters, digits and inner dashes", () => {
  for (const name of ["a", "a-b.c0", "0", "a".repeat(253)]) assertEquals(isSubdomain(name), true);
  for (const name of ["", "a.", ".a", "a..b", "-a", "a-", "A", "a_b", "a".repeat(254)]) {
    assertEquals(isSubdomain(name), false, name);
  }
});

Deno.test("fittingText() cuts long text after whole characters", () => {
  for (
    const [text, maxBytes, expected] of [
      ["abcdef", 6, "abcdef"],
      ["abcdefg", 6, "abc…"],
      ["ääb", 5, "ääb"],
      ["äää", 6, "äää"],
      ["äääb", 6, "ä…"],
      ["a\u0007b", 8, "a\\u0007b"],
      ["a\u0007b", 7, "a\\u0…"],
    ] as const
  ) assertEquals(fittingText(text, maxBytes), expected);
});

Deno.test("SimilarNotes and SpamFilter keep 4,096 groups and objects", () => {
  const clock = new VirtualClock();
  const notes = new SimilarNotes(clock);
  const filter = new SpamFilter(clock);
  const spend = () => {
    for (let i = 0; i < 10; i++) notes.combines("0", `note ${i}`);
    for (let i = 0; i < 25; i++) assertEquals(filter.allows("0"), true);
  };
  spend();
  for (let i = 1; i < 4096; i++) {
    notes.combines(`${i}`, "note");
    filter.allows(`${i}`);
  }
  assertEquals([notes.combines("0", "new"), filter.allows("0")], [true, false]);
  for (let i = 1; i <= 4096; i++) {
    notes.combines(`other ${i}`, "note");
    filter.allows(`other ${i}`);
  }
  assertEquals([notes.combines("0", "new"), filter.allows("0")], [false, true]);
});

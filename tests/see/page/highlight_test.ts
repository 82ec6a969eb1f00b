import { assertEquals } from "@std/assert";
import type { AttentionKind } from "../../../src/see/mod.ts";
import { fieldsOf, highlightOf } from "../../../src/see/page/kit/highlight.ts";
import { waitsOf } from "../../../src/see/page/kit/waits.ts";
import { FAULTS, FixtureSource } from "./_fixture_source.ts";

Deno.test("highlightOf() finds the cause of each seeded fault", () => {
  const source = new FixtureSource();
  for (const fault of FAULTS) {
    const stories = source.stories({ controller: "widgets", key: fault.key! });
    const place = highlightOf(fault, stories)!;
    const { causes, error, requests, waits } = stories[place.story]!;
    const shown = {
      cause: causes[place.index],
      request: requests[place.index],
      error,
      waits,
      story: "",
    };
    const words = JSON.stringify(shown[place.part]);
    const cause = fault.kind === "gate_timeout" ? '"gateMs":5000' : fault.cause;
    assertEquals(words.includes(cause), true, `${fault.kind}: ${words}`);
  }
});

Deno.test("highlightOf() marks nothing in stories that do not show the cause", () => {
  const stories = new FixtureSource().stories({ controller: "widgets", key: "team-0/web-0" });
  const kinds: AttentionKind[] = [
    "backoff",
    "gate_timeout",
    "right_missing",
    "paused",
    "watch_failing",
  ];
  for (const kind of kinds) assertEquals(highlightOf({ kind, text: "" }, stories), undefined, kind);
  assertEquals(highlightOf({ kind: "backoff", text: "" }, []), undefined);
});

Deno.test("fieldsOf() returns the fields that a hot loop writes", () => {
  const [loop] = FAULTS;
  const stories = new FixtureSource().stories({ controller: "widgets", key: loop!.key! });
  assertEquals(fieldsOf(loop!, stories), ["status.seen"]);
});

Deno.test("waitsOf() returns the waits in their order, and the delay that was asked for", () => {
  const source = new FixtureSource();
  const [, second] = source.stories({ controller: "widgets", key: "default/broken" });
  assertEquals(waitsOf(second!, undefined), [
    { kind: "backoff", ms: 2_000 },
    { kind: "queue", ms: 2 },
    { kind: "run", ms: 12 },
  ]);
  const requeued = {
    ...second!,
    waits: undefined,
    causes: [{ why: "requeue", count: 1, waitedMs: 0 } as const],
  };
  assertEquals(waitsOf(requeued, { ...second!, requeueAfterMs: 5_000 }), [
    { kind: "delay", ms: 5_000 },
    { kind: "queue", ms: 3 },
    { kind: "run", ms: 12 },
  ]);
});

import { assertEquals } from "@std/assert";
import { describeFlip, PendingCauses, StoryBook } from "../../../src/operator/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

type Update = { changed: Record<string, unknown>; by: string } | undefined;

/** Reconciles an object after each update, and returns what flips, in words. */
function flipAfter(updates: readonly Update[]): string | undefined {
  const clock = new VirtualClock();
  const pending = new PendingCauses(clock);
  const book = new StoryBook({ clock });
  let object = { metadata: { name: "web", managedFields: [{}] }, spec: {}, status: {} };
  updates.forEach((update, i) => {
    if (update === undefined) pending.add("default/web", { why: "requeue" });
    else {
      const before = object;
      const metadata = { name: "web", managedFields: [{ manager: update.by, time: `${i}` }] };
      object = { ...object, ...update.changed, metadata };
      const event = { resource: "widgets.acme.io", object: "default/web", before, after: object };
      pending.add("default/web", { why: "updated", ...event });
    }
    const taken = pending.take("default/web");
    book.begin({ controller: "widgets", key: "default/web", taken }).end({ result: "success" });
  });
  const flip = book.flip("widgets", "default/web");
  return flip && describeFlip(flip);
}

const widget = "of widgets.acme.io default/web";

Deno.test("StoryBook.flip() finds the field that changes each time, and who writes it", () => {
  const checked = Array.from({ length: 20 }, (_, i) => ({
    changed: { status: { lastChecked: i } },
    by: "widgets",
  }));
  assertEquals(
    flipAfter(checked),
    `status.lastChecked ${widget} changes each time, written by widgets`,
  );
});

Deno.test("StoryBook.flip() names two writers that undo each other's writes", () => {
  const fight = Array.from({ length: 20 }, (_, i) => ({
    changed: { spec: { replicas: i % 2 } },
    by: i % 2 === 0 ? "widgets" : "autoscaler",
  }));
  assertEquals(
    flipAfter([undefined, ...fight, undefined]),
    `spec.replicas ${widget} changes each time, written in turns by widgets and autoscaler`,
  );
});

Deno.test("StoryBook.flip() finds nothing in a life with various updates", () => {
  const life = Array.from({ length: 20 }, (_, i) => ({
    changed: { spec: { [`f${i}`]: i } },
    by: "user",
  }));
  assertEquals(flipAfter(life), undefined);
  assertEquals(flipAfter(life.slice(0, 2)), undefined);
  assertEquals(flipAfter([undefined, undefined, undefined]), undefined);
});

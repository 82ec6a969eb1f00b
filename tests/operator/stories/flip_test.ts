import { assertEquals } from "@std/assert";
import {
  type Cause,
  describeFlip,
  flipOf,
  PendingCauses,
  type Story,
  StoryBook,
} from "../../../src/operator/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

type Update = { changed: Record<string, unknown>; by: string } | undefined;

/** Reconciles an object after each update, and describes the flip. */
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

Deno.test("StoryBook.flip() finds the field that changes each time, and its writer", () => {
  const checked = Array.from({ length: 20 }, (_, i) => ({
    changed: { status: { lastChecked: i } },
    by: "widgets",
  }));
  assertEquals(
    flipAfter(checked),
    `status.lastChecked ${widget} changes each time, written by widgets`,
  );
});

Deno.test("StoryBook.flip() names two writers that overwrite each other", () => {
  const fight = Array.from({ length: 20 }, (_, i) => ({
    changed: { spec: { replicas: i % 2 } },
    by: i % 2 === 0 ? "widgets" : "autoscaler",
  }));
  assertEquals(
    flipAfter([undefined, ...fight, undefined]),
    `spec.replicas ${widget} changes each time, written in turns by widgets and autoscaler`,
  );
});

Deno.test("StoryBook.flip() is undefined for updates of various fields", () => {
  const life = Array.from({ length: 20 }, (_, i) => ({
    changed: { spec: { [`f${i}`]: i } },
    by: "user",
  }));
  assertEquals(flipAfter(life), undefined);
  assertEquals(flipAfter(life.slice(0, 2)), undefined);
  assertEquals(flipAfter([undefined, undefined, undefined]), undefined);
});

Deno.test("flipOf() needs three updates of one field, and half of the reconciles", () => {
  const cause = (changed: readonly string[] | undefined, more: Partial<Cause> = {}): Cause => ({
    why: "updated",
    resource: "widgets.acme.io",
    object: "default/web",
    count: 1,
    waitedMs: 0,
    ...(changed === undefined ? {} : { changed }),
    ...more,
  });
  const words = (...causes: readonly Cause[][]) => {
    const flip = flipOf(causes.map((of) => ({ causes: of }) as unknown as Story));
    return flip && describeFlip(flip);
  };
  const times = (count: number, ...of: Cause[]) => new Array<Cause[]>(count).fill(of);
  const field = cause(["status.a"]);
  assertEquals(words(...times(2, field)), undefined);
  assertEquals(words(...times(3, field)), `status.a ${widget} changes each time`);
  const other = times(1, cause(["b"])).concat(times(1, cause(["c"])), times(1, cause(["d"])));
  assertEquals(words(...times(3, field), ...other), `status.a ${widget} changes 3 times of 6`);
  assertEquals(words(...times(3, field), ...other, ...times(1, cause(["e"]))), undefined);
  // Updates without known changes do not count.
  const unknown = [...times(5, cause([])), ...times(5, cause(undefined))];
  assertEquals(words(...times(3, field), ...unknown), `status.a ${widget} changes each time`);
  assertEquals(words(...times(3, cause(["…"]))), undefined);
  assertEquals(
    words(...times(3, cause(["metadata.labels", "status.a"]))),
    `status.a ${widget} changes each time`,
  );
  assertEquals(
    words(...times(3, cause(["status.a", "metadata.labels"]))),
    `status.a ${widget} changes each time`,
  );
  const by = (...names: string[]) => names.map((name) => [cause(["status.a"], { by: name })]);
  assertEquals(
    words(...by("a", "b", "c", "d")),
    `status.a ${widget} changes each time, written in turns by a and b and c`,
  );
  assertEquals(
    words(...by("a", "a", "a")),
    `status.a ${widget} changes each time, written by a`,
  );
});

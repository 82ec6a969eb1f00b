import { assertEquals } from "@std/assert";
import { Timeline } from "../../../../src/testing/api_server/lag/timeline.ts";
import { VirtualClock } from "../../../../src/testing/mod.ts";

Deno.test("Timeline tells the revision at a time, and the time of a revision", async () => {
  const clock = new VirtualClock();
  const start = clock.now();
  const timeline = new Timeline(clock, 5, 1000);
  const at = (ms: number) => timeline.revisionAt(start + ms);
  const timeOf = (revision: number) => timeline.timeOf(revision) - start;
  assertEquals([at(-1), at(0), timeOf(5), timeOf(6)], [5, 5, -Infinity, 0]);
  await clock.advance(100);
  timeline.record(6);
  timeline.record(7);
  await clock.advance(100);
  timeline.record(9);
  assertEquals([99, 100, 199, 200, 500].map(at), [5, 7, 7, 9, 9]);
  assertEquals([5, 6, 7, 8, 9].map(timeOf), [-Infinity, 100, 100, 200, 200]);
  await clock.advance(50);
  assertEquals(timeOf(10), 250);
});

Deno.test("Timeline drops moments that are no longer needed", async () => {
  const clock = new VirtualClock();
  const start = clock.now();
  const timeline = new Timeline(clock, 0, 1000);
  for (const revision of [1, 2, 3]) {
    await clock.advance(500);
    timeline.record(revision);
  }
  // Written at 500, 1,000 and 1,500: the first one is a second old, and is kept.
  assertEquals(timeline.timeOf(1), start + 500);
  await clock.advance(1);
  timeline.record(4);
  assertEquals([timeline.timeOf(1), timeline.timeOf(2)], [-Infinity, start + 1000]);
  assertEquals([timeline.revisionAt(start), timeline.revisionAt(start + 999)], [1, 1]);
});

import { assertEquals, assertRejects } from "@std/assert";
import { atMost } from "./_at_most.ts";

Deno.test("atMost() runs jobs in order, at most the given number at a time", async () => {
  const run = atMost(2);
  const log: string[] = [];
  const ends = ["a", "b", "c"].map(() => Promise.withResolvers<void>());
  const jobs = ends.map(({ promise }, index) =>
    run(async () => {
      log.push(`start ${index}`);
      await promise;
      log.push(`end ${index}`);
      return index;
    })
  );
  ends[1]!.resolve();
  assertEquals(await jobs[1], 1);
  ends[2]!.resolve();
  assertEquals(await jobs[2], 2);
  ends[0]!.resolve();
  await jobs[0];
  assertEquals(log, ["start 0", "start 1", "end 1", "start 2", "end 2", "end 0"]);
});

Deno.test("atMost() runs the next job after a failure", async () => {
  const run = atMost(1);
  const failed = run(() => Promise.reject(new Error("no")));
  const next = run(() => Promise.resolve("yes"));
  await assertRejects(() => failed, Error, "no");
  assertEquals(await next, "yes");
});

import { assertEquals } from "@std/assert";
import type { Cached, Pod } from "../../../../mod.ts";
import { nextBackoff, NO_FAILURES } from "../../../../src/testing/actors/workloads/job_backoff.ts";

function ended(second: number): Cached<Pod> {
  const finishedAt = new Date(1000 * second).toISOString();
  const status = {
    containerStatuses: [{
      name: "c",
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode: 1, finishedAt } },
    }],
  };
  return {
    metadata: { name: `p${second}`, uid: `${second}`, resourceVersion: "1" },
    status,
  } as Cached<Pod>;
}

Deno.test("nextBackoff() counts the failures since the last success", () => {
  const first = nextBackoff(NO_FAILURES, [], [ended(1), ended(2)]);
  assertEquals(first, { failures: 2, lastFailureMs: 2000 });
  assertEquals(nextBackoff(first, [], [ended(5)]), { failures: 3, lastFailureMs: 5000 });
  assertEquals(NO_FAILURES, { failures: 0, lastFailureMs: 0 });
  assertEquals(nextBackoff(first, [ended(4)], [ended(3)]), NO_FAILURES);
  assertEquals(nextBackoff(first, [ended(4)], [ended(4)]), NO_FAILURES);
  assertEquals(nextBackoff(first, [ended(4)], [ended(3), ended(6)]), {
    failures: 1,
    lastFailureMs: 6000,
  });
});

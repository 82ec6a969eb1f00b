import { assertEquals } from "@std/assert";
import { RunPace } from "../../../src/client/credentials/run_pace.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

/** A pace, and a plugin that has run `inVain` times for nothing. */
function setUp(inVain: number) {
  const clock = new VirtualClock();
  const pace = new RunPace(clock);
  pace.begin("useless");
  pace.end();
  for (let run = 0; run < inVain; run++) {
    pace.begin("refused");
    pace.end();
  }
  return { clock, pace };
}

Deno.test("RunPace lets a plugin run at once at first, and after one run", () => {
  const fresh = new RunPace(new VirtualClock());
  for (const cause of ["expired", "refused", "useless"] as const) {
    assertEquals([fresh.allows(cause), setUp(0).pace.allows(cause)], [true, true]);
  }
});

Deno.test("RunPace replaces credentials that are refused once more at once, and then waits longer each time", async () => {
  for (
    const [inVain, cause, delayMs] of [
      [1, "refused", 0],
      [1, "useless", 1_000],
      [1, "expired", 1_000],
      [2, "refused", 2_000],
      [2, "useless", 2_000],
      // Credentials that have lasted for a second were good, however many were not.
      [2, "expired", 1_000],
      [3, "refused", 4_000],
      [6, "refused", 32_000],
      [7, "refused", 60_000],
      [20, "useless", 60_000],
    ] as const
  ) {
    const { clock, pace } = setUp(inVain);
    if (delayMs > 0) {
      await clock.advance(delayMs - 1);
      assertEquals(pace.allows(cause), false, `${inVain} ${cause}`);
      await clock.advance(1);
    }
    assertEquals(pace.allows(cause), true, `${inVain} ${cause}`);
  }
});

Deno.test("RunPace forgets unusable runs after good credentials", async () => {
  for (
    const [cause, goodMs] of [["refused", 120_000], ["useless", 120_000], [
      "expired",
      1_000,
    ]] as const
  ) {
    for (const [afterMs, isGood] of [[goodMs - 1, false], [goodMs, true]] as const) {
      const { clock, pace } = setUp(8);
      await clock.advance(afterMs);
      pace.begin(cause);
      pace.end();
      assertEquals(pace.allows("useless"), isGood, `${cause} after ${afterMs} ms`);
    }
  }
});

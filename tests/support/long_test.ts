import { seededRuns } from "./seeded_runs.ts";

/**
 * Registers a test that takes minutes on a small machine. It runs in long mode, as in `deno task nightly`; otherwise it is
 * listed as ignored, and its name says why.
 */
export function longTest(name: string, body: (t: Deno.TestContext) => Promise<void>): void {
  const ignore = seededRuns.factor <= 1;
  Deno.test({
    name: ignore ? `${name} (takes minutes: only in long mode)` : name,
    ignore,
    fn: body,
  });
}

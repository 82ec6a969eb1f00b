/**
 * Whatever a malicious server answers, an informer makes at most ten requests in ten seconds, says that something is
 * wrong, follows the server once it is honest again, and stops when its signal aborts.
 */

import { assert } from "@std/assert";
import { BEHAVIOURS } from "./behaviours.ts";
import type { Behaviour } from "./malicious_server.ts";
import { longTest } from "../support/long_test.ts";
import { isInShare } from "../support/seeded_runs.ts";
import { MINUTE_MS, Victim } from "./victim.ts";

const MODES = (["parsed", "bytes"] as const).flatMap((keeps) =>
  [false, true].map((streaming) => ({ keeps, streaming }))
);

for (const [i, { keeps, streaming }] of MODES.entries()) {
  const how = `${keeps}, ${streaming ? "streaming" : "plain"} lists`;
  for (const [j, [what, make]] of Object.entries(BEHAVIOURS).entries()) {
    // Runtimes share the behaviours. Each day, a behaviour is met in one mode.
    if (!isInShare(j)) continue;
    const test = (i + j) % MODES.length === 0 ? Deno.test : longTest;

    test(`an informer (${how}) outlives ${what}`, async () => {
      const victim = new Victim(keeps, streaming);
      await victim.start();
      const before = victim.server.times.length;
      victim.server.behave(make());
      victim.server.cut(true);
      await victim.change();
      await victim.server.clock.advance(10 * MINUTE_MS);
      // It neither sleeps nor gives up.
      assert(victim.server.times.length - before >= 3, "requests while the server is malicious");
      victim.server.behave(undefined);
      await victim.server.clock.advance(15 * MINUTE_MS);
      await victim.assertEqual();
      victim.assertPaced();
      victim.assertLines();
      await victim.assertStops();
    });

    test(`an informer (${how}) outlives one answer of ${what}`, async () => {
      const victim = new Victim(keeps, streaming);
      await victim.start();
      victim.server.behave(once(make()));
      await victim.change();
      victim.server.cut(false);
      await victim.change();
      await victim.server.clock.advance(15 * MINUTE_MS);
      await victim.assertEqual();
      victim.assertPaced();
      await victim.assertStops();
    });
  }
}

/** Behaves for the first request that the behaviour answers. */
function once(behaviour: Behaviour): Behaviour {
  let isDone = false;
  return (asked) => {
    const answer = isDone ? undefined : behaviour(asked);
    isDone ||= answer !== undefined;
    return answer;
  };
}

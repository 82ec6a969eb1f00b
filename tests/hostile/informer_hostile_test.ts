/**
 * Whatever a malicious server answers, an informer makes at most ten requests in ten seconds, says that something is
 * wrong, follows the server once it is honest again, and stops when its signal aborts.
 */

import { assert } from "@std/assert";
import { BEHAVIOURS } from "./behaviours.ts";
import type { Behaviour } from "./malicious_server.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";
import { isInShare } from "../support/seeded_runs.ts";
import { MINUTE_MS, Victim } from "./victim.ts";

const MODES = (["parsed", "bytes"] as const).flatMap((keeps) =>
  [false, true].map((streaming) => ({ keeps, streaming }))
);

for (const [i, { keeps, streaming }] of MODES.entries()) {
  const how = `${keeps}, ${streaming ? "streaming" : "plain"} lists`;
  const behaviours = Object.entries(BEHAVIOURS);
  for (const [j, [what, make]] of behaviours.entries()) {
    // Runtimes share the behaviours. Each day, a behaviour is met in one mode.
    if (!isInShare(j) || (i + j) % MODES.length !== 0) continue;
    Deno.test(`an informer (${how}) outlives ${what}`, () => outlive(keeps, streaming, make));
  }
  nightlyTest(`an informer (${how}) outlives every behaviour`, async (t) => {
    for (const [what, make] of behaviours) {
      await t.step(what, () => outlive(keeps, streaming, make));
    }
  });
}

/** Lets an informer meet a behaviour for twenty minutes, and another one meet it once. */
async function outlive(
  keeps: "parsed" | "bytes",
  streaming: boolean,
  make: () => Behaviour,
): Promise<void> {
  await outliveAlways(new Victim(keeps, streaming), make());
  await outliveOnce(new Victim(keeps, streaming), make());
}

async function outliveAlways(victim: Victim, behaviour: Behaviour): Promise<void> {
  await victim.start();
  const before = victim.server.times.length;
  victim.server.behave(behaviour);
  victim.server.cut(true);
  await victim.change();
  await victim.server.clock.advance(20 * MINUTE_MS);
  // It neither sleeps nor gives up.
  assert(victim.server.times.length - before >= 3, "requests while the server is malicious");
  victim.server.behave(undefined);
  await victim.server.clock.advance(15 * MINUTE_MS);
  await victim.assertEqual();
  victim.assertPaced();
  victim.assertLines();
  await victim.assertStops();
}

async function outliveOnce(victim: Victim, behaviour: Behaviour): Promise<void> {
  await victim.start();
  victim.server.behave(once(behaviour));
  await victim.change();
  victim.server.cut(false);
  await victim.change();
  await victim.server.clock.advance(15 * MINUTE_MS);
  await victim.assertEqual();
  victim.assertPaced();
  await victim.assertStops();
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

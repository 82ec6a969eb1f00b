/**
 * A server whose answers have random fields replaced by random values: nothing crashes or loops hot, and after the next
 * list from the honest server the cache equals it.
 */

import type { CacheKind } from "../../src/cache/mod.ts";
import type { SeededRandom } from "../../src/testing/mod.ts";
import { forEachSeed } from "../support/seeded_runs.ts";
import { ANYTHING, changed, type Json } from "./behaviours.ts";
import { MINUTE_MS, Victim } from "./victim.ts";

for (const cache of ["plain", "compact"] as const) {
  for (const streaming of [false, true]) {
    const how = `${cache}, ${streaming ? "streaming" : "plain"} lists`;
    Deno.test(`an informer (${how}) outlives answers with random values`, async () => {
      await forEachSeed(12, (random) => outliveSpoiledAnswers(cache, streaming, random));
    });
  }
}

async function outliveSpoiledAnswers(
  cache: CacheKind,
  streaming: boolean,
  random: SeededRandom,
): Promise<void> {
  const victim = new Victim(cache, streaming);
  await victim.start();
  const rate = random.next();
  victim.server.behave((asked) =>
    changed(asked, (parsed) => random.next() < rate ? spoil(parsed, random) : parsed)
  );
  victim.server.expire();
  for (let round = 0; round < 5; round++) {
    await victim.change();
    await victim.server.clock.advance(random.next() * 5 * MINUTE_MS);
    if (random.next() < 0.5) victim.server.cut(random.next() < 0.5);
  }
  victim.server.behave(undefined);
  victim.server.expire();
  await victim.server.clock.advance(30 * MINUTE_MS);
  await victim.assertEqual();
  victim.assertPaced();
  victim.assertLines();
  await victim.assertStops();
}

/** Replaces one random field of `parsed`, at any depth. */
function spoil(parsed: Json, random: SeededRandom): Json {
  let holder: Json = { parsed };
  const root = holder;
  let key = "parsed";
  while (random.next() < 0.75) {
    const next = holder[key];
    if (typeof next !== "object" || next === null) break;
    const keys = Object.keys(next);
    if (keys.length === 0) break;
    holder = next;
    key = keys[Math.floor(random.next() * keys.length)]!;
  }
  const value = ANYTHING[Math.floor(random.next() * ANYTHING.length)];
  if (random.next() < 0.2) delete holder[key];
  else holder[key] = value;
  return root.parsed ?? null;
}

/**
 * A server whose answers have random fields replaced by random values: nothing crashes or loops hot, and after the next
 * list from the honest server the cache equals it.
 */

import { SeededRandom } from "../../src/testing/mod.ts";
import { ANYTHING, changed, type Json } from "./behaviours.ts";
import { MINUTE_MS, Victim } from "./victim.ts";

const SEEDS = 25;

for (const cache of ["plain", "compact"] as const) {
  for (let seed = 1; seed <= SEEDS; seed++) {
    Deno.test(`an informer (${cache}) outlives answers with random values, seed ${seed}`, async () => {
      const random = new SeededRandom(seed);
      const victim = new Victim(cache, seed % 2 === 0);
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
    });
  }
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

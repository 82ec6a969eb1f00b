/** The wall clock jumps: a machine was asleep, or its time was set. An informer measures with a clock that does not. */

import { MINUTE_MS, Victim } from "./victim.ts";

const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

/** Where the wall clock is each time that it is read. */
const JUMPS: Readonly<Record<string, () => () => number>> = {
  "goes back by years": () => {
    let wallMs = 50 * YEAR_MS;
    return () => wallMs -= YEAR_MS;
  },
  "goes ahead by years": () => {
    let wallMs = 50 * YEAR_MS;
    return () => wallMs += YEAR_MS;
  },
  "jumps back and forth": () => {
    let reads = 0;
    return () => reads++ % 2 * 100 * YEAR_MS;
  },
  "stands still": () => () => 0,
  "is before 1970": () => () => -YEAR_MS,
};

for (const keeps of ["parsed", "bytes"] as const) {
  for (const [what, wallNow] of Object.entries(JUMPS)) {
    Deno.test(`an informer (${keeps}) does not mind a wall clock that ${what}`, async () => {
      const victim = new Victim(keeps, true, wallNow());
      await victim.start();
      for (const broken of [true, false]) {
        victim.server.cut(broken);
        await victim.change();
        await victim.server.clock.advance(10 * MINUTE_MS);
        await victim.assertEqual();
      }
      victim.server.behave(() => new Response("no", { status: 500 }));
      victim.server.expire();
      await victim.server.clock.advance(10 * MINUTE_MS);
      victim.server.behave(undefined);
      await victim.server.clock.advance(10 * MINUTE_MS);
      await victim.assertEqual();
      victim.assertPaced();
      await victim.assertStops();
    });
  }
}

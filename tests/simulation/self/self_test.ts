import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { exploreSelf } from "./explore_self.ts";
import { drawPlan } from "./plan.ts";
import { runSeed } from "./self_run.ts";
import { scaled, seededRuns } from "../../support/seeded_runs.ts";

/** The gate runs thousands: `deno task simulate --self`. */
const PLANS = 40;

Deno.test("random plans find nothing wrong with informers, controllers and queues", async () => {
  const { seed } = seededRuns;
  const plans = scaled(PLANS);
  const tally = await exploreSelf({ seed, plans });
  assertEquals(
    tally.failure,
    undefined,
    `Replay this with: deno task simulate --self --seed ${tally.failure?.seed}`,
  );
  assertEquals(tally.plans, plans);
});

Deno.test("a seed gives the same run each time, and another one another run", async () => {
  const [first, again, told, other] = [
    await runSeed(17),
    await runSeed(17),
    await runSeed(17, { tells: true }),
    await runSeed(18),
  ];
  assertEquals(again, first);
  assertEquals({ ...told, story: [] }, first);
  assert(told.story.length > 10);
  assertNotEquals(other.trace, first.trace);
});

Deno.test("any number of threads has the same result", async () => {
  const alone = await exploreSelf({ seed: 5, plans: 16 });
  assertEquals(await exploreSelf({ seed: 5, plans: 16, workers: 2 }), alone);
  assertEquals(alone.plans, 16);
});

Deno.test("an exploration ends when its signal aborts", async () => {
  const stop = new AbortController();
  const { plans } = await exploreSelf({
    plans: 1_000_000,
    workers: 2,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  assert(plans >= 50 && plans < 1_000, `${plans} plans`);
});

Deno.test("plans use every fault and every option", () => {
  const actions = new Map<string, number>();
  const options = new Map<string, Set<unknown>>();
  const note = (what: string, parts: object) => {
    for (const [name, value] of Object.entries(parts)) {
      const key = `${what}.${name}`;
      options.set(key, (options.get(key) ?? new Set()).add(JSON.stringify(value)));
    }
  };
  for (let seed = 1; seed <= 1_000; seed++) {
    const { actions: timed, controller, drill, informers, server } = drawPlan(seed);
    for (const { action } of timed) actions.set(action.do, (actions.get(action.do) ?? 0) + 1);
    note("server", server);
    for (const informer of informers) note("informer", informer);
    if (controller !== undefined) note("controller", controller);
    if (drill !== undefined) note("drill", drill);
  }
  assertEquals(actions.size, 20);
  for (const [name, times] of actions) assert(times >= 20, `${name} comes ${times} times`);
  const always = new Set(["informer.labelSelector"]);
  for (const [name, values] of options) {
    if (!always.has(name)) assert(values.size > 1, `${name} never changes`);
  }
});

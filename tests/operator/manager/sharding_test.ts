import { delay } from "@kubeloop/controller/base";
import { assert, assertEquals } from "@std/assert";
import { namespace, Widgets, widgetWorld, type World } from "../_world.ts";

/** Records the owner of each key, and concurrent reconciles of one key. */
class Referee {
  readonly owners = new Map<string, string>();
  readonly last = new Map<string, string>();
  readonly mistakes: string[] = [];

  managerOf(world: World, identity: string) {
    const manager = world.manager({ sharding: { name: "widgets", namespace, identity } });
    manager.controller(Widgets, { workers: 60 }).reconcile(async ({ key, signal }) => {
      const other = this.owners.get(key);
      if (other !== undefined) this.mistakes.push(`${key}: ${other} and ${identity}`);
      this.owners.set(key, identity);
      this.last.set(key, identity);
      // Longer than the pause between two looks at the Leases: the shard is handed over only after it.
      await delay(4_000, { clock: world.clock, signal }).catch(() => {});
      this.owners.delete(key);
      return { requeueAfterMs: 500 };
    });
    return manager;
  }

  /** The number of keys of each replica that reconciled them last. */
  get shares(): Record<string, number> {
    const shares: Record<string, number> = {};
    for (const identity of this.last.values()) shares[identity] = (shares[identity] ?? 0) + 1;
    return shares;
  }
}

Deno.test("Sharding spreads the keys over managers, which come and go, and no key has two owners", async () => {
  await using world = await widgetWorld();
  const referee = new Referee();
  for (let i = 0; i < 60; i++) await world.widget(`w${i}`);
  const stops = new Map<string, AbortController>();
  const runs: Promise<void>[] = [];
  const join = (identity: string) => {
    const stop = new AbortController();
    stops.set(identity, stop);
    runs.push(referee.managerOf(world, identity).run({ signal: stop.signal }));
  };
  join("a");
  await world.pass(20_000);
  assertEquals(referee.shares, { a: 60 });
  join("b");
  join("c");
  await world.pass(60_000);
  referee.last.clear();
  await world.pass(5_000);
  const shares = referee.shares;
  assertEquals(Object.values(shares).reduce((a, b) => a + b), 60);
  for (const one of ["a", "b", "c"]) assert((shares[one] ?? 0) >= 10, JSON.stringify(shares));
  stops.get("a")?.abort();
  await world.pass(10_000);
  referee.last.clear();
  await world.pass(5_000);
  assertEquals(Object.keys(referee.shares).toSorted(), ["b", "c"]);
  assertEquals(referee.last.size, 60);
  assertEquals(referee.mistakes, []);
  for (const stop of stops.values()) stop.abort();
  await world.do(Promise.all(runs));
});

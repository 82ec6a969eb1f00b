/** A server's random draws for a request depend on the request, and not on the number of other requests. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { realRandom } from "../../../src/base/mod.ts";
import type { SeededRandom } from "../../../src/testing/mod.ts";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { Draws } from "../../../src/testing/api_server/storage/mod.ts";
import { Cluster, OpenWatch } from "./cluster.ts";

const MAPS = Cluster.path("configmaps");
const SECRETS = Cluster.path("secrets");
const STEPS = 12;

/**
 * Runs three clients in a realistic world, and returns what they see of chance: generated names, UIDs, when each answer and
 * event arrives, and when a watch ends. Before the step `extra`, another client sends requests of its own.
 */
async function run(random: SeededRandom, extra: number): Promise<string[]> {
  await using cluster = new Cluster({ random, lag: true, minRequestTimeoutMs: 2400 });
  const { clock } = cluster;
  const seen: string[] = [];
  const note = (what: string) => void seen.push(`${clock.now()} ms: ${what}`);
  const send = async (agent: string, method: string, path: string, body?: object) => {
    const response = await cluster.fetch(path, {
      method,
      headers: { "content-type": "application/json", "user-agent": agent },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await response.json();
  };
  const create = async (agent: string, path: string, metadata: object) => {
    const { metadata: { name, uid } } = await send(agent, "POST", path, { metadata });
    note(`${agent} created ${name} ${uid}`);
  };
  const watching = cluster.fetch(`${SECRETS}?watch=1`, { headers: { "user-agent": "watcher" } });
  await using watch = new OpenWatch(await clock.run(watching));
  const pending: Promise<unknown>[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (step === extra) {
      const other = (path: string, metadata: object) => send("other", "POST", path, { metadata });
      pending.push(
        other(MAPS, { generateName: "a-" }),
        other("/api/v1/namespaces/kube-system/secrets", { generateName: "s-" }),
        send("other", "GET", `${MAPS}?resourceVersion=0`),
        cluster.fetch(`${SECRETS}?watch=1`).then(({ body }) => body?.cancel()),
        other("/api/v1/namespaces/default/serviceaccounts/default/token", {}),
      );
    }
    pending.push(
      create("first", MAPS, { generateName: "a-" }),
      create("second", MAPS, { generateName: "a-" }),
      create("second", SECRETS, { name: `s${step}` }),
    );
    for (let ms = 0; ms < 400; ms++) {
      await clock.advance(1);
      for (const { object } of watch.lines.splice(0)) note(`event of ${object.metadata.name}`);
      if (watch.ended !== undefined) {
        note("the watch has ended");
        watch.ended = undefined;
      }
    }
  }
  await clock.run(Promise.all(pending));
  return seen;
}

Deno.test("one request more changes no name, UID, delay or lifetime of what other clients do", async () => {
  await forEachSeed(2, async (random) => {
    const without = await run(random, -1);
    assertEquals(without.filter((line) => line.includes("created")).length, 3 * STEPS);
    assert(without.some((line) => line.includes("event of s")));
    assert(without.some((line) => line.endsWith("the watch has ended")));
    for (let extra = 0; extra < STEPS; extra += 2) {
      assertEquals(await run(random, extra), without);
    }
  });
});

Deno.test("Draws gives each name its own sources, and never one twice", async () => {
  await forEachSeed(1, (random) => {
    const draws = new Draws(random);
    const others = new Draws(random);
    const first = draws.of("a").next();
    for (let i = 0; i < 5; i++) others.of("b");
    assertEquals(others.of("a").next(), first);
    assertEquals(others.of("a").next(), draws.of("a").next());
    // It remembers a bounded number of names, and starts again with other sources.
    const seen = new Set<number>();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9000; i++) seen.add(draws.of(`n${i}`).next());
    }
    assert(seen.size > 26_990, `${seen.size} different numbers`);
    assertNotEquals(draws.of("a").next(), first);
    assertEquals(new Draws(realRandom).of("a"), realRandom);
  });
});

import { assertEquals } from "@std/assert";
import {
  Client,
  type Clock,
  ConfigMaps,
  installDefinitions,
  Manager,
  type ManagerOptions,
} from "@kubeloop/controller";
import type { ReconcileObject } from "@kubeloop/controller/operator";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { namespace, type Widget, Widgets } from "../_world.ts";

const forms: readonly (readonly [string, ManagerOptions])[] = [
  ["leader", { leaderElection: { name: "widgets", namespace, identity: "a" } }],
  ["owner of shards", { sharding: { name: "widgets", namespace, shards: 1 } }],
];

/**
 * Runs a manager whose process stands still for longer than a lease in the middle of its first reconcile, before a timer
 * runs, and returns what was sent and not about Leases after that, until the reconcile had ended.
 */
async function sentAfterPause(
  options: ManagerOptions,
  reconcile: (stand: () => void) => ReconcileObject<Widget>,
): Promise<string[]> {
  const clock = new VirtualClock();
  let stoodMs = 0;
  const clockOfProcess: Clock = {
    now: () => clock.now() + stoodMs,
    wallNow: () => clock.wallNow() + stoodMs,
    setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
  };
  await using server = new ApiServer({ clock });
  await using user = new Client(server.clientOptions);
  await clock.run(installDefinitions(user, [Widgets]));
  const sent: string[] = [];
  let hasEnded = false;
  const { fetch, ...rest } = server.clientOptions;
  await using client = new Client({
    ...rest,
    clock: clockOfProcess,
    logger: silent,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const isOther = pathname.includes("/leases") || pathname.endsWith("reviews");
      if (stoodMs > 0 && !hasEnded && request.method !== "GET" && !isOther) sent.push(pathname);
      return fetch(request);
    },
  });
  const manager = new Manager(client, options);
  let count = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async (pass) => {
    if (count++ > 0) {
      hasEnded = true;
      return;
    }
    await reconcile(() => void (stoodMs = 30_000))(pass);
  });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal }).catch(() => {});
  await clock.advance(3_000);
  await clock.run(user.create(Widgets, { metadata: { name: "w", namespace }, spec: { size: 1 } }));
  await clock.advance(5_000);
  stop.abort();
  await clock.run(running);
  assertEquals(count > 0, true);
  return sent;
}

for (const [what, options] of forms) {
  Deno.test(`A process that was suspended sends nothing more as ${what}, before any timer has run`, async () => {
    const sent = await sentAfterPause(options, (stand) => async ({ name, apply, status }) => {
      await apply(ConfigMaps, { metadata: { name: `${name}-1` } });
      status({ ready: 1 });
      stand();
      await apply(ConfigMaps, { metadata: { name: `${name}-2` } }).catch(() => {});
    });
    assertEquals(sent, []);
  });

  Deno.test(`A process that was suspended does not begin a write as ${what}`, async () => {
    const sent = await sentAfterPause(options, (stand) => async (pass) => {
      stand();
      // The first use of all that the pass has comes after the pause.
      await pass.apply(ConfigMaps, { metadata: { name: `${pass.name}-1` } }).catch(() => {});
      await pass.client.create(ConfigMaps, { metadata: { name: "x", namespace } }).catch(() => {});
      pass.status({ ready: 1 });
    });
    assertEquals(sent, []);
  });
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * A manager with five seeded faults, on a virtual clock.
 *
 * @module
 */

import { ConfigMaps, Manager } from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import { namespace, Widgets, widgetWorld, type World } from "../operator/_world.ts";

/** The Widgets that fail, by the kind of the attention that they need, with a text of the cause. */
export const MANAGER_FAULTS: Readonly<Record<string, readonly [name: string, cause: string]>> = {
  hot_loop: ["loop", "status.ready"],
  backoff: ["broken", "no disk"],
  gate_timeout: ["late", "10 s until the caches held what was written"],
  stuck_finalizer: ["stuck", "the disk is in use"],
  right_missing: ["denied", "POST /api/v1/namespaces/default/configmaps 403"],
};

const FORBIDDEN = {
  kind: "Status",
  status: "Failure",
  reason: "Forbidden",
  code: 403,
  message: 'configmaps is forbidden: User "me" cannot create resource "configmaps"',
};

/** Returns a world in which a manager has run into each of {@linkcode MANAGER_FAULTS}, and the manager. */
export async function faultyManager(): Promise<{ world: World; manager: Manager }> {
  const world = await widgetWorld();
  const client = world.clientWith(({ method, url }) =>
    method === "POST" && url.includes("/configmaps")
      ? Promise.resolve(Response.json(FORBIDDEN, { status: 403 }))
      : undefined
  );
  const manager = new Manager(client, { name: "widget-operator" });
  let count = 0;
  manager.controller(Widgets, { when: anyChange, staleSyncTimeoutMs: 10_000 })
    .owns(ConfigMaps)
    .finalizer("acme.io/disk", {
      cleanup: ({ name }) => {
        if (name === "stuck") throw new Error("the disk is in use");
      },
    })
    .reconcile(async ({ apply, client, name, status }) => {
      if (name === "loop") status({ ready: count++ });
      if (name === "broken") throw new Error("no disk");
      if (name === "late") await apply(ConfigMaps, { metadata: { name } });
      if (name === "denied") {
        // The program does without the right.
        await client.create(ConfigMaps, { metadata: { name } }, { namespace }).catch(() => {});
      }
    });
  world.start(manager);
  await world.pass(100);
  world.server.lag.hold({ when: ({ resource }) => resource === "configmaps" });
  for (const [name] of Object.values(MANAGER_FAULTS)) await world.widget(name);
  await world.pass(100);
  await world.do(world.client.delete(Widgets, "stuck", { namespace }));
  await world.pass(50_000);
  await world.do(world.client.patch(Widgets, "late", { spec: { size: 2 } }, { namespace }));
  await world.pass(12_000);
  return { world, manager };
}

/** The metrics of a controller tell the state of its objects. */

import { assert, assertEquals } from "@std/assert";
import type { Manager } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld, type World } from "../_world.ts";

const START_S = Date.UTC(2026, 0, 1) / 1000;

async function setCondition(
  world: World,
  name: string,
  condition: { type?: string; status: "True" | "False" | "Unknown"; reason?: string },
) {
  const lastTransitionTime = new Date(world.clock.wallNow()).toISOString();
  const conditions = [
    { type: "Ready", reason: "Because", message: "", lastTransitionTime, ...condition },
  ];
  await world.do(
    world.client.patchStatus(Widgets, name, { status: { conditions } }, { namespace }),
  );
  await world.pass(100);
}

/** Returns the lines of the metrics that begin with a name, without the name of the controller. */
function lines(manager: Manager, name: string): string[] {
  return manager.metrics.text().split("\n").filter((line) => line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length).replace('controller="widget",', ""));
}

const one = (manager: Manager, name: string) => Number(lines(manager, name)[0]?.split(" ").at(-1));

Deno.test("objects are counted by the type, status and reason of their conditions, and the oldest that is not ready is known", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  for (const name of ["a", "b", "c"]) await world.widget(name);
  await setCondition(world, "a", { status: "True" });
  world.start(manager);
  await world.pass(1000);
  const counts = () => lines(manager, "kubeloop_object_conditions");
  assertEquals(counts(), ['{reason="Because",status="True",type="Ready"} 1']);
  assertEquals(one(manager, "kubeloop_oldest_not_ready_timestamp_seconds"), 0);

  await world.pass(9_000 - (world.clock.now() % 1000));
  const bSinceS = Math.floor(START_S + world.clock.now() / 1000);
  await setCondition(world, "b", { status: "False", reason: "NoDisk" });
  await world.pass(5_000);
  await setCondition(world, "c", { status: "Unknown", reason: "NoDisk" });
  assertEquals(counts(), [
    '{reason="Because",status="True",type="Ready"} 1',
    '{reason="NoDisk",status="False",type="Ready"} 1',
    '{reason="NoDisk",status="Unknown",type="Ready"} 1',
  ]);
  assertEquals(one(manager, "kubeloop_not_ready_objects"), 2);
  const oldestS = () => one(manager, "kubeloop_oldest_not_ready_timestamp_seconds");
  assert(Math.abs(oldestS() - bSinceS) <= 1, `${oldestS()} is not ${bSinceS}`);

  await world.pass(60_000);
  await setCondition(world, "b", { status: "True" });
  assert(oldestS() > bSinceS + 4, "c is the oldest now");
  assertEquals(counts()[0], '{reason="Because",status="True",type="Ready"} 2');
  assertEquals(counts()[1], '{reason="NoDisk",status="False",type="Ready"} 0');
  const took = lines(manager, "kubeloop_condition_transition_seconds_bucket");
  assertEquals(took.filter((line) => line.includes('le="60"')), [
    '{status="True",type="Ready",le="60"} 0',
  ]);
  assertEquals(took.filter((line) => line.includes('le="300"')), [
    '{status="True",type="Ready",le="300"} 1',
  ]);

  await world.do(world.client.delete(Widgets, "c", { namespace }));
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(100);
  assertEquals(counts().map((line) => line.split(" ").at(-1)), ["1", "0", "0"]);
  assertEquals([one(manager, "kubeloop_not_ready_objects"), oldestS()], [0, 0]);
  await manager[Symbol.asyncDispose]();
  assertEquals(counts().map((line) => line.split(" ").at(-1)), ["0", "0", "0"]);
});

Deno.test("the series are bounded, whatever the conditions are", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  world.start(manager);
  for (let i = 0; i < 60; i++) {
    await world.widget(`w${i}`);
    await setCondition(world, `w${i}`, {
      type: i < 40 ? "Ready" : `Type${i}`,
      status: "False",
      reason: `Reason${i}`,
    });
  }
  const counts = lines(manager, "kubeloop_object_conditions");
  assert(counts.length <= 48, `${counts.length} series`);
  assertEquals(
    counts.find((line) => line.includes('reason="other",status="False",type="Ready"')),
    '{reason="other",status="False",type="Ready"} 16',
  );
  assertEquals(one(manager, "kubeloop_not_ready_objects"), 40);
  const { lines: logged } = world;
  assertEquals(logged.filter((line) => line.includes("sets of labels")), []);
});

Deno.test("conditions of a kind without a schema are counted only if asked for, and hostile ones are skipped", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets, { name: "off", conditionMetrics: false }).reconcile(() => {});
  manager.controller(Widgets, { name: "widget" }).reconcile(() => {});
  world.start(manager);
  await world.widget("a");
  await setCondition(world, "a", { status: "False", reason: "x".repeat(1000) });
  assertEquals(lines(manager, "kubeloop_object_conditions"), [
    '{reason="other",status="False",type="Ready"} 1',
  ]);
  assertEquals(
    manager.metrics.text().includes('kubeloop_not_ready_objects{controller="off"}'),
    false,
  );
});

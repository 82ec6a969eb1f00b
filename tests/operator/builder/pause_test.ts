/** People pause objects, resume them, and have them reconciled at once, by annotations. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ConfigMaps, Events, fieldsOf, type Manager, metadataOf } from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import { namespace, type Widget, Widgets, widgetWorld, type World } from "../_world.ts";

const PAUSED = "kubeloop.dev/paused";
const CLEANUP_PAUSED = "kubeloop.dev/cleanup-paused";
const REQUESTED = "kubeloop.dev/reconcile-requested-at";

/** Sets annotations of Widget `a`; null removes one. */
async function annotate(world: World, annotations: Record<string, string | null>) {
  await world.do(world.client.patch(Widgets, "a", { metadata: { annotations } }, { namespace }));
  await world.pass(100);
}

/** A controller that copies the size of a Widget into a ConfigMap, and what it has done. */
function copies(world: World, manager: Manager): string[] {
  const seen: string[] = [];
  // Its own writes of the ConfigMap cause no reconcile, so that each reconcile has another cause.
  const when = ({ type }: { type: string }) => type === "deleted";
  manager.controller(Widgets).owns(ConfigMaps, { when }).reconcile(async (reconciliation) => {
    const { object, name, apply, status } = reconciliation;
    seen.push(`size ${object.spec.size}`);
    await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
    status({ ready: object.spec.size }).condition("Ready", "True", "Copied");
  });
  world.start(manager);
  return seen;
}

function read(world: World): Widget {
  const widget = world.server.get(Widgets, "a", namespace);
  assert(widget !== undefined);
  return widget as Widget;
}

const conditionsOf = (world: World) =>
  read(world).status?.conditions?.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

const metric = (manager: Manager, name: string) =>
  manager.metrics.text().split("\n").find((line) => line.startsWith(`${name}{`))?.split(" ").at(-1);

async function story(manager: Manager): Promise<string> {
  const url = "http://pod/debug/reconciles?limit=1";
  return await (await manager.handler(new Request(url))).text();
}

async function patchSize(world: World, size: number) {
  await world.do(world.client.patch(Widgets, "a", { spec: { size } }, { namespace }));
  await world.pass(100);
}

Deno.test("a paused object is not reconciled, has the condition Paused, and is reconciled once when it is resumed", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen = copies(world, manager);
  await world.widget("a");
  await world.pass(100);
  seen.length = 0;

  await annotate(world, { [PAUSED]: "true" });
  assertEquals(conditionsOf(world), ["Ready=True Copied", "Paused=True PausedByAnnotation"]);
  assertEquals(metric(manager, "kubeloop_paused_objects"), "1");
  assertStringIncludes(await story(manager), "default/a: paused in ");
  world.writes.length = 0;
  await patchSize(world, 2);
  await world.do(world.client.delete(ConfigMaps, "a", { namespace }));
  await world.pass(600_000);
  assertEquals(seen, []);
  assertEquals(world.writes.filter((write) => !write.startsWith("DELETE")), [
    "PATCH /apis/acme.io/v1/namespaces/default/widgets/a",
  ], "only the test has written");
  assertEquals(read(world).status?.observedGeneration, 1, "nothing was done for generation 2");

  await annotate(world, { [PAUSED]: null });
  await world.pass(600_000);
  assertEquals(seen, ["size 2"]);
  assertEquals(conditionsOf(world), ["Ready=True Copied", "Paused=False Resumed"]);
  assertEquals(read(world).status?.observedGeneration, 2);
  assertEquals(world.server.get(ConfigMaps, "a", namespace)?.data, { size: "2" });
  assertEquals(metric(manager, "kubeloop_paused_objects"), "0");
});

Deno.test("an object that is paused until a time is reconciled once at that time", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen = copies(world, manager);
  await world.widget("a");
  await world.pass(100);
  seen.length = 0;
  const until = new Date(world.clock.wallNow() + 10 * 3_600_000).toISOString();
  await annotate(world, { [PAUSED]: until });
  assertStringIncludes(read(world).status?.conditions?.at(-1)?.message ?? "", `until ${until}`);
  await patchSize(world, 3);
  await world.pass(9 * 3_600_000);
  assertEquals(seen, []);
  await world.pass(2 * 3_600_000);
  assertEquals(seen, ["size 3"]);
  assertEquals(conditionsOf(world), ["Ready=True Copied", "Paused=False Resumed"]);
  assertStringIncludes(
    await story(manager),
    "because widgets.acme.io default/a was paused until now",
  );
  await annotate(world, { [PAUSED]: "2020-01-01T00:00:00Z" });
  assertEquals(seen, ["size 3", "size 3"], "a time in the past does not pause");
});

Deno.test("an annotation with any other value pauses, and says so; false does not", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen = copies(world, manager);
  await world.widget("a");
  await world.pass(100);
  for (const value of ["yes", "", "True", "2026-13-45T00:00:00Z", "tomorrow", "1"]) {
    await annotate(world, { [PAUSED]: value });
    assertEquals(conditionsOf(world)?.at(-1), "Paused=True InvalidAnnotation", value);
    const message = read(world).status?.conditions?.at(-1)?.message ?? "";
    assertStringIncludes(message, `whose value ${JSON.stringify(value)} is neither`);
    assert(world.lines.some((line) => line.includes(message)), "it is logged");
  }
  seen.length = 0;
  await annotate(world, { [PAUSED]: "false" });
  assertEquals(seen, ["size 1"]);
  assertEquals(conditionsOf(world), ["Ready=True Copied", "Paused=False Resumed"]);
  const { items } = await world.do(world.client.list(Events, { namespace }));
  assert(items.some(({ reason, type }) => reason === "InvalidAnnotation" && type === "Warning"));
});

Deno.test("a new paused object gets no finalizer; a deletion cleans up, unless that is paused too", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const done: string[] = [];
  manager.controller(Widgets)
    .finalizer("acme.io/cleanup", { cleanup: () => void done.push("cleanup") })
    .reconcile(() => void done.push("reconcile"));
  world.start(manager);
  const metadata = { name: "a", namespace, annotations: { [PAUSED]: "true" } };
  await world.do(world.client.create(Widgets, { metadata, spec: { size: 1 } }));
  await world.pass(1000);
  assertEquals([done, read(world).metadata.finalizers], [[], undefined]);
  await annotate(world, { [PAUSED]: null });
  assertEquals(read(world).metadata.finalizers, ["acme.io/cleanup"]);

  await annotate(world, { [PAUSED]: "true", [CLEANUP_PAUSED]: "true" });
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(600_000);
  assertEquals(done, ["reconcile"]);
  assertStringIncludes(
    read(world).status?.conditions?.at(-1)?.message ?? "",
    `Paused by the annotation ${CLEANUP_PAUSED}`,
  );
  await annotate(world, { [CLEANUP_PAUSED]: null });
  assertEquals(done, ["reconcile", "cleanup"]);
  assertEquals(world.server.get(Widgets, "a", namespace), undefined);
  assertEquals(metric(manager, "kubeloop_paused_objects"), "0");
});

Deno.test("a pause ends the running reconcile: it sends nothing more, and no status", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const reasons: string[] = [];
  manager.controller(Widgets).owns(ConfigMaps).reconcile(
    async ({ apply, clock, signal, status }) => {
      status({ ready: 1 });
      try {
        await delay(10_000, { clock, signal });
      } catch (error) {
        reasons.push((error as Error).message);
      }
      await apply(ConfigMaps, { metadata: { name: "late" } });
    },
  );
  world.start(manager);
  await world.widget("a");
  await world.pass(1000);
  await annotate(world, { [PAUSED]: "true" });
  await world.pass(60_000);
  assertEquals(reasons, [`widget: reconcile of "default/a" was ended: the object is paused`]);
  assertEquals(world.server.get(ConfigMaps, "late", namespace), undefined);
  assertEquals(read(world).status?.ready, undefined);
  assertEquals(conditionsOf(world), ["Paused=True PausedByAnnotation"]);
  const failed = metric(manager, "controller_runtime_reconcile_errors_total");
  assertEquals(failed, "0", "a pause is not a failure");
});

Deno.test("a paused object of a kind without conditions is left alone, and a condition Paused of others is kept", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(ConfigMaps, { labelSelector: "app=a" })
    .reconcile(({ object }) => void seen.push(`${object.data?.["key"]}`));
  manager.controller(Widgets).reconcile(({ object, status }) => {
    status({ ready: object.spec.size }).condition("Paused", "True", "SpecSaysSo");
  });
  world.start(manager);
  const metadata = {
    name: "a",
    namespace,
    labels: { app: "a" },
    annotations: { [PAUSED]: "true" },
  };
  await world.do(world.client.create(ConfigMaps, { metadata, data: { key: "1" } }));
  await world.widget("a");
  await world.pass(1000);
  assertEquals(seen, []);
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
  assertEquals(conditionsOf(world), ["Paused=True SpecSaysSo"]);
  await patchSize(world, 2);
  assertEquals(conditionsOf(world), ["Paused=True SpecSaysSo"]);
});

Deno.test("a process sees a pause from before its start, and a resumption while it was down", async () => {
  await using world = await widgetWorld();
  await world.widget("a");
  await world.widget("b");
  const paused = { metadata: { annotations: { [PAUSED]: "true" } } };
  for (const name of ["a", "b"]) {
    await world.do(world.client.patch(Widgets, name, paused, { namespace }));
  }
  const first = world.manager();
  copies(world, first);
  await world.pass(1000);
  assertEquals(conditionsOf(world), ["Paused=True PausedByAnnotation"]);
  await first[Symbol.asyncDispose]();
  await annotate(world, { [PAUSED]: null });
  const second = world.manager();
  const seen = copies(world, second);
  await world.pass(1000);
  assertEquals(seen, ["size 1"]);
  assertEquals(conditionsOf(world), ["Paused=False Resumed", "Ready=True Copied"]);
  assertEquals(metric(second, "kubeloop_paused_objects"), "1");
  await world.do(world.client.delete(Widgets, "b", { namespace }));
  await world.pass(1000);
  assertEquals(metric(second, "kubeloop_paused_objects"), "0");
});

Deno.test("a request reconciles now, with its failures forgotten, and not while the object is paused", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let fails = true;
  const attempts: number[] = [];
  const controller = manager.controller(Widgets).reconcile(({ clock }) => {
    attempts.push(clock.now());
    if (fails) throw new Error("broken");
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(400_000);
  const failures = attempts.length;
  fails = false;
  await world.pass(1000);
  assertEquals(attempts.length, failures, "it backs off");
  await annotate(world, { [REQUESTED]: "2026-01-01T00:00:00Z" });
  assertEquals(attempts.length, failures + 1);
  assertStringIncludes(
    await story(manager),
    "because widgets.acme.io default/a was updated: metadata.annotations",
  );
  assertEquals((await story(manager)).includes("attempt"), false, "its failures are forgotten");
  await annotate(world, { [REQUESTED]: "2026-01-01T00:00:01Z" });
  assertEquals(attempts.length, failures + 2);
  await annotate(world, { [REQUESTED]: null });
  assertEquals(attempts.length, failures + 2, "its removal is not a request");
  await annotate(world, { [PAUSED]: "true" });
  await annotate(world, { [REQUESTED]: "2026-01-01T00:00:02Z" });
  assertEquals(attempts.length, failures + 2);
  assertEquals(controller.name, "widget");
});

Deno.test("objects that are cached in protobuf, as JSON, parsed, and as metadata are paused alike", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const scope = { namespaces: [namespace], events: false };
  manager.controller(ConfigMaps, { ...scope, name: "bytes" })
    .reconcile(() => void seen.push("bytes"));
  manager.controller(ConfigMaps, {
    ...scope,
    name: "parsed",
    labelSelector: "a=b",
    when: () => true,
  })
    .reconcile(() => void seen.push("parsed"));
  manager.controller(metadataOf(ConfigMaps), { ...scope, name: "metadata" })
    .reconcile(() => void seen.push("metadata"));
  manager.controller(fieldsOf(ConfigMaps, "data", "metadata.annotations"), {
    ...scope,
    name: "fields",
  })
    .reconcile(() => void seen.push("fields"));
  world.start(manager);
  const metadata = { name: "c", namespace, labels: { a: "b" }, annotations: { [PAUSED]: "true" } };
  await world.do(world.client.create(ConfigMaps, { metadata, data: { a: "1" } }));
  await world.pass(1000);
  await world.do(world.client.patch(ConfigMaps, "c", { data: { a: "2" } }, { namespace }));
  await world.pass(1000);
  assertEquals(seen, []);
  const resumed = { metadata: { annotations: { [PAUSED]: null } } };
  await world.do(world.client.patch(ConfigMaps, "c", resumed, { namespace }));
  await world.pass(1000);
  assertEquals(seen.toSorted(), ["bytes", "fields", "metadata", "parsed"]);
});

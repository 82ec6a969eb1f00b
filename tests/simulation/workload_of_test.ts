import { assertClean, simulation, workloadOf } from "@kubeloop/testing/simulation";
import { assertEquals, assertThrows } from "@std/assert";
import { PendingCauses, type Story, StoryBook } from "../../src/operator/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { SharedInformerFactory } from "../../src/cache/mod.ts";
import { ConfigMaps, Secrets } from "../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "../../src/testing/mod.ts";

const resources = [ConfigMaps];
const resource = "configmaps";

/** Returns the stories of a controller of ConfigMaps while `life` runs, after a trip through JSON. */
async function storiesOf(life: (client: Client, clock: VirtualClock) => Promise<void>) {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  await using client = new Client({ ...server.clientOptions, clock });
  const pending = new PendingCauses(clock);
  const book = new StoryBook({ clock, recordObjects: true });
  const informer = new SharedInformerFactory(client).informer(ConfigMaps, { namespace: "default" });
  const tell = (object: string) => {
    const taken = pending.take(object);
    book.begin({ controller: "maps", key: object, taken }).end({ result: "success" });
  };
  const keyOf = ({ metadata }: { metadata: { name: string } }) => `default/${metadata.name}`;
  informer.addEventHandler({
    onAdd: (after) => {
      pending.add(keyOf(after), { why: "added", resource, object: keyOf(after), after });
      tell(keyOf(after));
    },
    onUpdate: (before, after) => {
      pending.add(keyOf(after), { why: "updated", resource, object: keyOf(after), before, after });
      tell(keyOf(after));
    },
    onDelete: (gone) => {
      if (!("metadata" in gone)) return;
      pending.add(keyOf(gone), { why: "deleted", resource, object: keyOf(gone), after: gone });
      tell(keyOf(gone));
    },
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.run(life(client, clock));
  await clock.advance(100);
  stop.abort();
  await running;
  return JSON.parse(JSON.stringify(book.list())) as Story[];
}

Deno.test("workloadOf() waits between steps that are more than a second apart", () => {
  const story = (second: number, name: string, waitedMs = 0) => ({
    startedAt: new Date(Date.UTC(2026, 0) + 1000 * second).toISOString(),
    causes: [{ why: "added", resource, object: `default/${name}`, waitedMs, patch: {} }],
  });
  const texts = (...stories: ReturnType<typeof story>[]) =>
    workloadOf(stories, { resources }).map(({ text }) => text.split("/").at(-1));
  assertEquals(texts(story(0, "a"), story(1, "b")), ["a", "b", "settle"]);
  assertEquals(texts(story(0, "a"), story(1.001, "b")), ["a", "settle", "b", "settle"]);
  // A cause that has waited happened earlier.
  assertEquals(texts(story(0, "a"), story(3, "b", 2000)), ["a", "b", "settle"]);
  assertEquals(texts(story(5, "a"), story(6, "b", 2000)), ["b", "a", "settle"]);
  assertEquals(texts(), []);
});

const namespace = "default";
const pause = (clock: VirtualClock, ms: number) =>
  new Promise<void>((resolve) => clock.setTimer(resolve, ms));

Deno.test("workloadOf() does again what users did, and the simulation of it runs", async () => {
  const stories = await storiesOf(async (client, clock) => {
    await client.create(ConfigMaps, {
      metadata: { name: "a", finalizers: ["x.io/y"] },
      data: { mode: "fast", old: "1" },
    }, { namespace });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u", controller: true };
    await client.create(ConfigMaps, { metadata: { name: "child", ownerReferences: [owner] } }, {
      namespace,
    });
    await pause(clock, 5_000);
    await client.patch(ConfigMaps, "a", { data: { mode: "slow", old: null } }, { namespace });
    await client.patch(ConfigMaps, "child", { data: { made: "1" } }, { namespace });
    await pause(clock, 5_000);
    await client.delete(ConfigMaps, "a", { namespace });
    await pause(clock, 500);
    await client.patch(ConfigMaps, "a", { metadata: { finalizers: null } }, { namespace });
  });
  const workload = workloadOf(stories, { resources });
  assertEquals(workload.map(({ text }) => text), [
    "create ConfigMap default/a",
    "settle",
    'patch {"data":{"mode":"slow","old":null}} into ConfigMap default/a',
    "settle",
    "delete ConfigMap default/a",
    "settle",
  ]);
  const sim = simulation({
    name: "replayed",
    workload,
    async process({ client, signal }) {
      await new SharedInformerFactory(client).informer(ConfigMaps, { namespace: "default" }).run({
        signal,
      });
    },
  });
  const report = await sim.explore({ budget: { plans: 5 } });
  assertClean(report);
});

Deno.test("workloadOf() says what is missing in stories without recorded objects", () => {
  const cause = { why: "added", object: "default/a", waitedMs: 0 };
  const stories = (name: string) => [
    { startedAt: "2026-11-01T12:00:00Z", causes: [{ ...cause, resource: name }] },
  ];
  assertThrows(
    () => workloadOf(stories("configmaps"), { resources }),
    TypeError,
    'Cannot replay that configmaps "default/a" was added',
  );
  assertThrows(
    () => workloadOf(stories("secrets"), { resources: [Secrets] }),
    TypeError,
    "Secrets",
  );
  assertEquals(workloadOf(stories("pods"), { resources }), [], "nobody asked for Pods");
});

Deno.test("workloadOf() writes the status only where the controller does not", () => {
  const startedAt = "2026-11-01T12:00:00Z";
  const object = { resource, object: "default/a", waitedMs: 0 };
  const stories = [{
    startedAt,
    causes: [
      { ...object, why: "added", patch: { status: { ready: true } } },
      { ...object, why: "updated", patch: { status: { ready: false } } },
      { why: "retry", waitedMs: 0 },
    ],
  }];
  const texts = (statuses?: typeof resources) =>
    workloadOf(stories, { resources, statuses }).map(({ text }) => text);
  assertEquals(texts(), ["create ConfigMap default/a", "settle"]);
  assertEquals(texts(resources), [
    "create ConfigMap default/a",
    'patch status {"ready":true} into ConfigMap default/a',
    'patch status {"ready":false} into ConfigMap default/a',
    "settle",
  ]);
});

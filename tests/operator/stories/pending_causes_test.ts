import { assertEquals } from "@std/assert";
import { PendingCauses, StoryBook } from "../../../src/operator/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { SharedInformerFactory } from "../../../src/cache/mod.ts";
import { ConfigMaps } from "../../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "../../../src/testing/mod.ts";

const deployment = (resourceVersion: string, replicas: number) => ({
  metadata: { name: "web", namespace: "default", resourceVersion },
  spec: { replicas },
});
const web = { resource: "deployments.apps", object: "default/web" };

Deno.test("PendingCauses keeps all causes of a key, and counts the same one again", async () => {
  const clock = new VirtualClock();
  const pending = new PendingCauses(clock);
  pending.add("default/web", { why: "retry" });
  await clock.advance(10);
  const versions = [1, 2, 3].map((n) => deployment(`${n}`, n));
  pending.add("default/web", { why: "updated", ...web, before: versions[0], after: versions[1] });
  await clock.advance(5);
  pending.add("default/web", { why: "updated", ...web, before: versions[1], after: versions[2] });
  pending.add("default/other", { why: "added", ...web });
  const { causes, moreCauses, queuedMs } = pending.take("default/web");
  assertEquals(JSON.parse(JSON.stringify(causes)), [
    { why: "retry", count: 1, waitedMs: 15 },
    {
      why: "updated",
      ...web,
      resourceVersion: "3",
      changed: ["spec.replicas"],
      count: 2,
      waitedMs: 5,
    },
  ]);
  assertEquals([moreCauses, queuedMs, pending.size], [0, 15, 1]);
  assertEquals(pending.take("default/web"), { causes: [], moreCauses: 0, queuedMs: 0 });
});

Deno.test("PendingCauses keeps sixteen causes of a key, and counts the others", () => {
  const pending = new PendingCauses(new VirtualClock());
  for (let i = 0; i < 50; i++) {
    pending.add("a", { why: "updated", resource: "pods", object: `p${i}` });
  }
  const { causes, moreCauses } = pending.take("a");
  assertEquals([causes.length, moreCauses], [16, 34]);
});

Deno.test("PendingCauses keeps a requeue that is not yet due, unless it is the only cause", async () => {
  const clock = new VirtualClock();
  const pending = new PendingCauses(clock);
  const why = () => pending.take("a").causes.map((cause) => cause.why);
  pending.add("a", { why: "requeue", dueMs: clock.now() + 60_000 });
  await clock.advance(5_000);
  pending.add("a", { why: "updated", ...web });
  assertEquals(why(), ["updated"]);
  await clock.advance(55_000);
  assertEquals(why(), ["requeue"], "it is due");
  pending.add("a", { why: "requeue", dueMs: clock.now() + 60_000 });
  const { causes, queuedMs } = pending.take("a");
  assertEquals([causes.length, causes[0]?.waitedMs, queuedMs], [1, 0, 0], "it is the only cause");
  assertEquals(pending.size, 0);
});

Deno.test("a cause names the writer of the object, by the managed fields of a server", async () => {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  await using client = new Client({ ...server.clientOptions, clock });
  const pending = new PendingCauses(clock);
  const informer = new SharedInformerFactory(client).informer(ConfigMaps);
  const object = "default/settings";
  const resource = "configmaps";
  informer.addEventHandler({
    onAdd: (after) => pending.add(object, { why: "added", resource, object, after }),
    onUpdate: (before, after) =>
      pending.add(object, { why: "updated", resource, object, before, after }),
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  const write = async (fieldManager: string, mode: string) => {
    const applied = { metadata: { name: "settings" }, data: { mode } };
    const options = { namespace: "default", fieldManager, force: true };
    await clock.run(client.apply(ConfigMaps, applied, options));
    await clock.settle();
    return pending.take(object).causes.map(({ by, changed, why }) => [why, changed, by]);
  };
  assertEquals(await write("alice", "fast"), [["added", undefined, "alice"]]);
  assertEquals(await write("bob", "slow"), [["updated", ["data.mode"], "bob"]]);
  assertEquals(
    await write("bob", "fast"),
    [["updated", ["data.mode"], "bob"]],
    "within one second, the time does not tell",
  );
  stop.abort();
  await running;
});

Deno.test("a cause in a flood is not compared, and has no changed fields", async () => {
  const clock = new VirtualClock();
  const pending = new PendingCauses(clock);
  const book = new StoryBook({ clock, maxBytes: 2 ** 30 });
  const wide = (n: number) => ({
    metadata: { name: "web" },
    spec: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, i === 500 ? n : 0])),
  });
  const [before, after] = [wide(1), wide(2)];
  const reconcile = () => {
    pending.add("a", { why: "updated", ...web, before, after });
    book.begin({ controller: "c", key: "a", taken: pending.take("a") }).end({ result: "success" });
  };
  for (let i = 0; i < 300; i++) reconcile();
  const compared = () =>
    book.list().filter(({ causes }) => causes[0]?.changed !== undefined).length;
  assertEquals(compared(), 29, "a thousand values and the names each, of 30,000");
  await clock.advance(1_500);
  for (let i = 0; i < 300; i++) reconcile();
  assertEquals(compared(), 43, "half as many more in a second and a half, less what was overdrawn");
});

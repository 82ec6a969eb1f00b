import { assertEquals, assertRejects } from "@std/assert";
import { type Event, Events, Pods } from "../../../../mod.ts";
import { silentLogger } from "../../../../src/base/mod.ts";
import { EventWriter } from "../../../../src/testing/actors/control/event_writer.ts";
import { World } from "../world.ts";

const POD = { metadata: { name: "p", namespace: "default", uid: "u", resourceVersion: "7" } };
const { signal } = new AbortController();

function writer(world: World): { writer: EventWriter; lost: string[] } {
  const lost: string[] = [];
  const logger = { ...silentLogger, debug: (text: string) => void lost.push(text) };
  const { client, clock } = world;
  return { writer: new EventWriter("me", { client, clock, logger }), lost };
}

function counts(world: World): string[] {
  return (world.server.objects(Events, "default") as Event[])
    .map(({ count, reason }) => `${reason} ${count}`).sort();
}

function event(reason: string, message = "m") {
  return { type: "Normal" as const, reason, message };
}

Deno.test("EventWriter counts an event that occurs again within ten minutes", async () => {
  await using world = new World();
  const { writer: events } = writer(world);
  const write = (reason: string, ms: number, message?: string) =>
    world.clock.advance(ms).then(() =>
      world.clock.run(events.write(Pods, POD, event(reason, message), signal))
    );
  await write("A", 0);
  await write("A", 600_000);
  assertEquals(counts(world), ["A 2"]);
  const [first] = world.server.objects(Events, "default") as Event[];
  assertEquals(
    [first?.firstTimestamp?.slice(11, 19), first?.lastTimestamp?.slice(11, 19)],
    ["00:00:00", "00:10:00"],
  );
  const { resourceVersion: _, ...involved } = first!.involvedObject;
  assertEquals(involved, {
    kind: "Pod",
    apiVersion: "v1",
    name: "p",
    namespace: "default",
    uid: "u",
  });
  assertEquals([first?.source, first?.reportingComponent], [{ component: "me" }, "me"]);
  await write("A", 600_000);
  await write("A", 600_001);
  assertEquals(counts(world), ["A 1", "A 3"]);
  await write("A", 0, "other");
  await write("B", 0);
  assertEquals(counts(world), ["A 1", "A 1", "A 3", "B 1"]);
});

Deno.test("EventWriter writes a new event when the counted event is gone", async () => {
  await using world = new World();
  const { lost, writer: events } = writer(world);
  const write = () => world.clock.run(events.write(Pods, POD, event("A"), signal));
  await write();
  const [first] = world.server.objects(Events, "default");
  const name = first!.metadata.name!;
  await world.clock.run(world.client.delete(Events, name, { namespace: "default" }));
  await write();
  assertEquals([counts(world), lost.length], [[], 1]);
  await write();
  assertEquals(counts(world), ["A 1"]);
});

Deno.test("EventWriter remembers 1000 events, and loses what cannot be written", async () => {
  await using world = new World();
  let patched = 0;
  let created = 0;
  const client = {
    create: () => {
      created++;
      return Promise.resolve();
    },
    patch: () => {
      patched++;
      return Promise.resolve();
    },
  };
  const { clock } = world;
  const logger = silentLogger;
  const events = new EventWriter("me", { client: client as never, clock, logger });
  const write = (reason: string) => events.write(Pods, POD, event(reason), signal);
  for (let i = 0; i < 1000; i++) await write(`r${i}`);
  await write("r0");
  assertEquals([created, patched], [1000, 1]);
  await write("new");
  await write("r0");
  await write("r2");
  assertEquals([created, patched], [1001, 3]);
  await write("r1");
  assertEquals([created, patched], [1002, 3]);
});

Deno.test("EventWriter rejects only if its signal aborts", async () => {
  await using world = new World();
  const { lost, writer: events } = writer(world);
  const nowhere = { metadata: { ...POD.metadata, namespace: "nowhere" } };
  await world.clock.run(events.write(Pods, nowhere, event("A"), signal));
  assertEquals(lost.map((text) => text.slice(0, 21)), ["me: an event is lost:"]);
  const stopped = AbortSignal.abort(new Error("stop"));
  await assertRejects(() => events.write(Pods, POD, event("B"), stopped), Error, "stop");
});

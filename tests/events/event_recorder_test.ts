import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { type EventClient, EventRecorder } from "@kubeloop/controller/events";
import {
  ConfigMaps,
  defineResource,
  Namespaces,
  Nodes,
  Pods,
  Services,
} from "@kubeloop/controller/types";
import { SeededRandom, VirtualClock } from "@kubeloop/testing";
import { map, namespace, Recording } from "./_recording.ts";

const MINUTE = 60_000;

Deno.test("EventRecorder.event() creates an Event with all required fields", async () => {
  await using world = new Recording();
  await world.run();
  world.recorder.event(ConfigMaps, map(), {
    type: "Warning",
    reason: "Stuck",
    action: "Roll",
    note: "Two Pods do not start",
    related: { resource: Pods, object: { metadata: { name: "p", namespace, uid: "uid-p" } } },
  });
  await world.clock.advance(100);
  const [event] = await world.events();
  const { metadata, apiVersion, kind, ...rest } = event!;
  assertEquals([apiVersion, kind, metadata.namespace], ["events.k8s.io/v1", "Event", "default"]);
  assert(/^a\.[0-9a-f]{16}$/.test(metadata.name), metadata.name);
  assertEquals(rest as unknown, {
    eventTime: "2026-01-01T00:00:00.100000Z",
    reportingController: "widgets.acme.io",
    reportingInstance: "widgets-0",
    action: "Roll",
    reason: "Stuck",
    regarding: {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "a",
      namespace,
      uid: "uid-a",
      resourceVersion: "7",
    },
    related: { apiVersion: "v1", kind: "Pod", name: "p", namespace, uid: "uid-p" },
    note: "Two Pods do not start",
    type: "Warning",
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    deprecatedSource: {},
  });
  assertEquals(world.requests, ["POST 201"]);
});

Deno.test("EventRecorder.event() puts Events about cluster-scoped objects into default", async () => {
  await using world = new Recording();
  await world.run();
  const node = { metadata: { name: "n1", uid: "u" } };
  world.recorder.event(Nodes, node, { type: "Normal", reason: "Drained", note: "" });
  await world.clock.advance(100);
  const [event] = await world.events();
  assertEquals([event?.metadata.namespace, event?.regarding.namespace], ["default", undefined]);
  assertEquals(event?.action, "Reconcile");
});

Deno.test("EventRecorder makes repetitions within six minutes a series, and writes its count at its end", async () => {
  await using world = new Recording();
  await world.run();
  await world.report();
  await world.clock.advance(5 * MINUTE);
  await world.report();
  assertEquals(world.requests, ["POST 201", "PATCH 200"]);
  const [begun] = await world.events();
  assertEquals(begun?.series, {
    count: 2,
    lastObservedTime: "2026-01-01T00:05:00.200000Z",
  });
  for (let i = 0; i < 10; i++) await world.report();
  assertEquals(world.requests.length, 2);
  await world.clock.advance(7 * MINUTE);
  assertEquals(world.requests, ["POST 201", "PATCH 200", "PATCH 200"]);
  const [ended] = await world.events();
  assertEquals(ended?.series?.count, 12);
  assertEquals([world.recorder.snapshot().known, world.clock.pendingTimers], [0, 0]);
  // The next one is another event.
  await world.report();
  assertEquals((await world.events()).length, 2);
});

Deno.test("EventRecorder does not rewrite a series that the server knows", async () => {
  await using world = new Recording();
  await world.run();
  await world.report();
  await world.report();
  await world.clock.advance(60 * MINUTE);
  assertEquals(world.requests, ["POST 201", "PATCH 200"]);
});

Deno.test("EventRecorder creates an Event of many occurrences with their count", async () => {
  await using world = new Recording();
  for (let i = 0; i < 100; i++) {
    world.recorder.event(ConfigMaps, map(), { type: "Normal", reason: "Rolled", note: "x" });
  }
  assertEquals(world.recorder.snapshot().queued, 1);
  await world.run();
  assertEquals(world.requests, ["POST 201"]);
  assertEquals((await world.events())[0]?.series?.count, 100);
});

Deno.test("EventRecorder refreshes a long series every 30 minutes", async () => {
  await using world = new Recording();
  await world.run();
  for (let minute = 0; minute < 61; minute++) {
    await world.report();
    await world.clock.advance(MINUTE - 100);
  }
  assertEquals(world.requests, ["POST 201", "PATCH 200", "PATCH 200", "PATCH 200"]);
  assertEquals((await world.events())[0]?.series?.count, 60);
});

Deno.test("EventRecorder creates the Event of a series again if it is gone", async () => {
  await using world = new Recording();
  await world.run();
  await world.report();
  const [event] = await world.events();
  await world.clock.run(
    world.client.deleteCollection(
      defineResource({
        group: "events.k8s.io",
        version: "v1",
        plural: "events",
        kind: "Event",
        namespaced: true,
      }),
      { namespace },
    ),
  );
  await world.report();
  assertEquals(world.requests, ["POST 201", "PATCH 404", "POST 201"]);
  const [again] = await world.events();
  assertEquals([again?.metadata.name, again?.series?.count], [event?.metadata.name, 2]);
});

Deno.test("EventRecorder allows 25 requests about an object, and then one in five minutes", async () => {
  await using world = new Recording();
  await world.run();
  for (let i = 0; i < 40; i++) await world.report(`Reason${i}`);
  assertEquals(world.requests.length, 25);
  assertEquals(world.recorder.snapshot().dropped.spam, 15);
  assertEquals(world.metrics.get("kubeloop_events_dropped_total widgets.acme.io spam"), 15);
  await world.report("Rolled", "about another", "b");
  assertEquals(world.requests.length, 26);
  await world.clock.advance(5 * MINUTE);
  await world.report("Later");
  await world.report("TooMuch");
  assertEquals(world.requests.length, 27);
  const line = world.logger.of("info").find((line) => line.includes("Reason25"));
  assertEquals(
    line,
    "widgets.acme.io: dropped an event Reason25 of ConfigMap default/a: there were too many about this object",
  );
  assertEquals(world.logger.of("warn"), []);
});

Deno.test("EventRecorder counts repetitions when no request is left", async () => {
  await using world = new Recording();
  await world.run();
  for (let i = 0; i < 25; i++) await world.report(`Reason${i}`);
  for (let i = 0; i < 3; i++) await world.report("Reason24");
  assertEquals([world.requests.length, world.recorder.snapshot().dropped.spam], [25, 0]);
  await world.clock.advance(7 * MINUTE);
  const last = (await world.events()).find(({ reason }) => reason === "Reason24");
  assertEquals(last?.series?.count, 4);
});

Deno.test("EventRecorder combines events that differ only in their note from the tenth on", async () => {
  await using world = new Recording();
  await world.run();
  for (let i = 1; i <= 15; i++) await world.report("Created", `Created Job ${i}`);
  const notes = (await world.events()).map(({ note, series }) => [note, series?.count ?? 1]);
  assertEquals(notes.length, 10);
  assertEquals(notes.at(-1), ["(combined from similar events): Created Job 10", 2]);
  await world.end();
  const combined = (await world.events()).find(({ note }) => note?.startsWith("(combined"));
  assertEquals(combined?.series?.count, 6);
});

Deno.test("EventRecorder does not combine infrequent notes", async () => {
  await using world = new Recording();
  await world.run();
  for (let i = 1; i <= 15; i++) {
    await world.report("Created", `Created Job ${i}`);
    await world.clock.advance(11 * MINUTE);
  }
  assertEquals((await world.events()).filter(({ note }) => note?.startsWith("(")), []);
});

Deno.test("EventRecorder.event() drops events when 1,000 are waiting, and never blocks", async () => {
  await using world = new Recording();
  for (let i = 0; i < 1_500; i++) {
    world.recorder.event(ConfigMaps, map(`m${i}`), { type: "Normal", reason: "Seen", note: "" });
  }
  const { queued, dropped, occurrences } = world.recorder.snapshot();
  assertEquals([queued, dropped.overflow, occurrences], [1_000, 500, 1_500]);
  assertEquals(world.logger.of("warn").length, 10);
  assertEquals(
    world.logger.of("warn")[0],
    "widgets.acme.io: dropped an event Seen of ConfigMap default/m1000: 1000 events are waiting to be written",
  );
  await world.run();
  await world.clock.advance(10_000);
  assertEquals(world.recorder.snapshot().writes, 1_000);
  assertEquals(world.metrics.get("kubeloop_event_writes_total widgets.acme.io"), 1_000);
  assertEquals(world.metrics.get("kubeloop_events_total widgets.acme.io"), 1_500);
});

for (const how of ["refused", "reset", 500, 503, 429] as const) {
  Deno.test(`EventRecorder tries again after ${how}, with pauses, and loses nothing`, async () => {
    await using world = new Recording();
    const { faults } = world.server;
    if (typeof how === "number") faults.fail(how, { times: 3 });
    else faults.drop(how, { times: 3 });
    await world.run();
    await world.report();
    await world.clock.advance(9_000);
    assertEquals(world.requests.length, 1);
    await world.clock.advance(MINUTE);
    // After a reset, the Event is there already.
    assertEquals(world.requests.length, 4);
    assertEquals((await world.events()).length, 1);
    assertEquals(world.recorder.snapshot().queued, 0);
    await world.report();
    assertEquals((await world.events())[0]?.series?.count, 2);
  });
}

Deno.test("EventRecorder waits as long as Retry-After says", async () => {
  await using world = new Recording();
  world.server.faults.throttle(45, { times: 1 });
  await world.run();
  await world.report();
  await world.clock.advance(44_000);
  assertEquals(world.requests, ["POST 429"]);
  await world.clock.advance(2_000);
  assertEquals(world.requests, ["POST 429", "POST 201"]);
});

Deno.test("EventRecorder gives up after twelve tries, and tries again with the next occurrence", async () => {
  await using world = new Recording();
  const fault = world.server.faults.fail(500);
  await world.run();
  await world.report();
  await world.clock.advance(3 * MINUTE);
  assertEquals([world.requests.length, world.recorder.snapshot().dropped.failed], [12, 1]);
  assertEquals(world.clock.pendingTimers, 1);
  fault.remove();
  await world.report();
  assertEquals((await world.events())[0]?.series?.count, 2);
});

Deno.test("EventRecorder drops a refused event at once, and writes the next event", async () => {
  for (const code of [400, 403, 404, 413, 422]) {
    await using world = new Recording();
    world.server.faults.fail(code, { times: 1 });
    await world.run();
    await world.report();
    await world.report("Rolled", "another", "b");
    assertEquals(world.requests, [`POST ${code}`, "POST 201"]);
    assertEquals(world.recorder.snapshot().dropped.refused, 1);
    assertStringIncludes(
      world.logger.of("warn")[0] as string,
      "widgets.acme.io: dropped an event Rolled of ConfigMap default/a: ",
    );
  }
});

Deno.test("EventRecorder drops Events of a namespace that terminates, without a loop", async () => {
  await using world = new Recording();
  const { client, clock } = world;
  await clock.run(client.create(Namespaces, { metadata: { name: "going" } }));
  const inside = { metadata: { name: "x", namespace: "going", finalizers: ["acme.io/x"] } };
  await clock.run(client.create(ConfigMaps, inside));
  await clock.run(client.delete(Namespaces, "going"));
  await world.run();
  for (let i = 0; i < 50; i++) {
    world.recorder.event(ConfigMaps, inside, { type: "Normal", reason: "Seen", note: "x" });
    await clock.advance(1_000);
  }
  const { refused, spam } = world.recorder.snapshot().dropped;
  assertEquals([refused, spam], [25, 25]);
  assert(world.requests.every((request) => request === "POST 403"), world.requests.join());
  await clock.advance(60 * MINUTE);
  assertEquals(world.requests.length, 25);
});

Deno.test("EventRecorder does not repeat a refused count endlessly", async () => {
  await using world = new Recording();
  world.server.faults.fail(403, { when: ({ method }) => method === "PATCH" });
  await world.run();
  await world.report();
  await world.report();
  assertEquals(world.requests, ["POST 201", "PATCH 403"]);
  assertEquals(await world.clock.run(world.recorder.flush()), true);
  await world.end();
  assertEquals(world.requests, ["POST 201", "PATCH 403"]);
});

Deno.test("EventRecorder.run() writes the remaining events and counts of series at its end", async () => {
  await using world = new Recording();
  await world.run();
  for (let i = 0; i < 5; i++) await world.report();
  world.recorder.event(ConfigMaps, map("b"), { type: "Normal", reason: "Seen", note: "last" });
  await world.end();
  const events = await world.events();
  assertEquals(events.map(({ series }) => series?.count), [5, undefined]);
  assertEquals([world.clock.pendingTimers, world.recorder.snapshot().queued], [0, 0]);
  world.recorder.event(ConfigMaps, map("c"), { type: "Normal", reason: "Seen", note: "too late" });
  assertEquals(world.recorder.snapshot().dropped.stopped, 1);
});

Deno.test("EventRecorder.run() ends within five seconds, whatever the server does", async () => {
  const faults: Record<string, (world: Recording) => void> = {
    "refuses connections": ({ server }) => void server.faults.drop("refused"),
    "fails": ({ server }) => void server.faults.fail(500),
    "does not answer": ({ server }) => void server.faults.delay(10_000_000),
    "is busy": ({ server }) => void server.faults.throttle(60),
  };
  for (const [what, fail] of Object.entries(faults)) {
    // In the middle of a request, in a pause, and before anything was tried.
    for (const afterMs of [0, 1, 5_000, 25_000]) {
      await using world = new Recording();
      fail(world);
      await world.run();
      for (const name of ["a", "b", "c"]) {
        world.recorder.event(ConfigMaps, map(name), { type: "Normal", reason: "Seen", note: "" });
      }
      await world.clock.advance(afterMs);
      const startMs = world.clock.now();
      await world.end();
      assert(world.clock.now() - startMs <= 5_000, `${what}: ${world.clock.now() - startMs}`);
      assertEquals([world.clock.pendingTimers, world.recorder.snapshot().queued], [0, 0]);
      assertEquals(world.recorder.snapshot().dropped.stopped, 3, what);
      const { length } = world.requests;
      await world.clock.advance(100_000);
      assertEquals(world.requests.length, length, what);
    }
  }
});

Deno.test("EventRecorder.run() outlasts a short outage at its end", async () => {
  await using world = new Recording();
  await world.run();
  world.server.faults.drop("refused", { times: 3 });
  world.recorder.event(ConfigMaps, map(), { type: "Normal", reason: "Seen", note: "" });
  await world.end();
  assertEquals((await world.events()).length, 1);
});

Deno.test("EventRecorder.run() can be run again, but not twice at once", async () => {
  await using world = new Recording();
  await world.run();
  await assertRejects(() => world.recorder.run(), Error, "already running");
  await world.end();
  const stop = new AbortController();
  const running = world.recorder.run({ signal: stop.signal });
  await world.report();
  stop.abort();
  await world.clock.run(running);
  assertEquals(world.requests, ["POST 201"]);
});

Deno.test("EventRecorder.flush() writes without run(), and keeps unwritten events", async () => {
  await using world = new Recording();
  const fault = world.server.faults.fail(500);
  await world.report();
  assertEquals(world.requests, []);
  assertEquals(await world.clock.run(world.recorder.flush({ timeoutMs: 3_500 })), false);
  assertEquals([world.requests.length, world.recorder.snapshot().queued], [4, 1]);
  fault.remove();
  assertEquals(await world.clock.run(world.recorder.flush()), true);
  assertEquals(world.requests.at(-1), "POST 201");
  assertEquals(world.clock.pendingTimers, 0);
  await assertRejects(() => world.recorder.flush({ timeoutMs: NaN }), RangeError, "timeoutMs");
});

Deno.test("EventRecorder ends with its client", async () => {
  await using world = new Recording();
  await world.run();
  await world.client.close();
  await world.report();
  await world.end();
  assertEquals(world.recorder.snapshot().dropped.refused, 1);
});

Deno.test("EventRecorder.event() cuts long text, and escapes invisible characters", async () => {
  await using world = new Recording();
  await world.run();
  const long = "é".repeat(5_000_000);
  world.recorder.event(ConfigMaps, map(), {
    type: "Normal",
    reason: long,
    action: long,
    note: long,
  });
  world.recorder.event(ConfigMaps, map(), {
    type: "Warning",
    reason: "Odd\u0000",
    note: "\x1b[2J first\r\n  second\u202e \ud800",
  });
  world.recorder.event(ConfigMaps, map(), {
    type: "Warning",
    reason: "Icons",
    note: `${"x".repeat(1_020)}🙂🙂`,
  });
  await world.clock.advance(100);
  assertEquals(world.requests, ["POST 201", "POST 201", "POST 201"]);
  const events = await world.events();
  const bytes = (text: string | undefined) => new TextEncoder().encode(text).length;
  const [cut, odd, icons] = events.sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1);
  assert(cut?.note?.endsWith("é…") && bytes(cut.note) <= 1_024 && bytes(cut.note) > 1_020);
  assert(cut?.reason.endsWith("é…") && bytes(cut.reason) <= 128, cut?.reason);
  assert(bytes(cut?.action) <= 128);
  assertEquals(odd?.note, "\\u001b[2J first second\\u202e \\ud800");
  assertEquals(odd?.reason, "Odd\\u0000");
  assertEquals(icons?.note, `${"x".repeat(1_020)}…`);
});

Deno.test("EventRecorder.event() takes objects without a UID, and with names that Events cannot have", async () => {
  await using world = new Recording();
  await world.run();
  const roles = defineResource({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    plural: "clusterroles",
    kind: "ClusterRole",
    namespaced: false,
  });
  const report = { type: "Normal", reason: "Seen", note: "" } as const;
  world.recorder.event(roles, { metadata: { name: "system:node" } }, report);
  world.recorder.event(Services, { metadata: { name: "x".repeat(250), namespace } }, report);
  world.recorder.event(ConfigMaps, { metadata: { name: "a", namespace } }, report);
  world.recorder.event(ConfigMaps, { metadata: { name: "a", namespace: "../x" } }, report);
  world.recorder.event(ConfigMaps, { metadata: { name: "a", namespace: "nowhere" } }, report);
  const odd = { metadata: { name: "b", namespace, uid: 5, resourceVersion: null } };
  world.recorder.event(ConfigMaps, odd as unknown as ReturnType<typeof map>, report);
  await world.clock.advance(100);
  const events = await world.events();
  assertEquals(events.map(({ regarding }) => regarding.name?.length).sort(), [1, 1, 11, 250]);
  assertEquals(world.recorder.snapshot().dropped.refused, 2);
  assert(events.every(({ regarding }) => regarding.uid === undefined));
});

Deno.test("EventRecorder.event() gives each Event a name of its own while the clock stands still", async () => {
  const names = new Set<unknown>();
  const client = {
    create: (
      _resource: unknown,
      { metadata }: { readonly metadata: { readonly name: string } },
    ) => {
      names.add(metadata.name);
      return Promise.resolve({});
    },
    patch: () => Promise.resolve({}),
  };
  for (const seed of [1, 2]) {
    const clock = new VirtualClock();
    const random = new SeededRandom(seed);
    const options = { reportingController: "c", clock, random };
    const recorder = new EventRecorder(client as unknown as EventClient, options);
    for (let i = 0; i < 20; i++) {
      recorder.event(ConfigMaps, map(), { type: "Normal", reason: `R${i}`, note: "" });
    }
    await clock.run(recorder.flush());
  }
  assertEquals(names.size, 40);
});

Deno.test("EventRecorder keeps 4,096 events, and writes the count of an evicted one", async () => {
  const clock = new VirtualClock();
  const patches: unknown[] = [];
  const client = {
    create: () => Promise.resolve({}),
    patch: (...[_resource, name, patch]: unknown[]) => {
      patches.push([String(name).split(".")[0], patch]);
      return Promise.resolve({});
    },
  };
  const recorder = new EventRecorder(client as unknown as EventClient, {
    reportingController: "c",
    clock,
  });
  const stop = new AbortController();
  const running = recorder.run({ signal: stop.signal });
  for (let i = 0; i < 3; i++) {
    recorder.event(ConfigMaps, map("first"), { type: "Normal", reason: "R", note: "" });
    await clock.advance(1);
  }
  assertEquals(patches.length, 1);
  for (let i = 0; i < 4_096; i++) {
    recorder.event(ConfigMaps, map(`m${i}`), { type: "Normal", reason: "R", note: "" });
    if (i % 500 === 0) await clock.advance(1);
  }
  await clock.advance(1);
  const lastObservedTime = "2026-01-01T00:00:00.002000Z";
  assertEquals(patches[1], ["first", { series: { count: 3, lastObservedTime } }]);
  assertEquals([patches.length, recorder.snapshot().known], [2, 4_096]);
  stop.abort();
  await clock.run(running);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("EventRecorder chooses another name if the first is in use", async () => {
  await using world = new Recording();
  world.server.faults.fail(
    { code: 409, reason: "AlreadyExists", message: "exists" },
    { times: 1 },
  );
  await world.run();
  await world.report();
  assertEquals(world.requests, ["POST 409", "POST 201"]);
  assertEquals((await world.events()).length, 1);
});

Deno.test("EventRecorder refuses misuse", async () => {
  await using world = new Recording();
  const { recorder, client } = world;
  const report = { type: "Normal", reason: "Seen", note: "" } as const;
  const misuses: [unknown, unknown, unknown, string][] = [
    [ConfigMaps, map(), undefined, "needs a report"],
    [
      ConfigMaps,
      map(),
      { ...report, type: "Error" },
      'must be "Normal" or "Warning": received "Error"',
    ],
    [ConfigMaps, map(), { ...report, reason: undefined }, "The reason of an event"],
    [ConfigMaps, map(), { ...report, reason: " " }, "The reason of an event"],
    [ConfigMaps, map(), { ...report, action: "" }, "The action of an event"],
    [ConfigMaps, map(), { ...report, note: 5 }, "The note of an event"],
    [ConfigMaps, {}, report, "needs its metadata.name"],
    [ConfigMaps, undefined, report, "needs its metadata.name"],
    [undefined, map(), report, "needs the resource"],
    [map(), map(), report, "needs the resource"],
    [ConfigMaps, map(), { ...report, related: {} }, "needs the resource"],
    [ConfigMaps, map(), { ...report, actions: "Paint" }, 'did you mean "action"?'],
  ];
  for (const [resource, object, wrong, message] of misuses) {
    const call = () => recorder.event(resource as never, object as never, wrong as never);
    assertThrows(call, TypeError, message);
  }
  assertEquals(recorder.snapshot().occurrences, 0);
  const misspelt = { reportingController: "a", reportinginstance: "b" } as never;
  assertThrows(() => new EventRecorder(client, misspelt), TypeError, '"reportingInstance"');
  await assertRejects(() => recorder.flush({ timeout: 1 } as never), TypeError, '"timeoutMs"');
  await assertRejects(() => recorder.run({ signal: {} } as never), TypeError, "AbortSignal");
  for (const reportingController of ["", "a b", "a/b/c", "/a", "A_/a", "x".repeat(64), 5]) {
    assertThrows(
      () => new EventRecorder(client, { reportingController } as never),
      TypeError,
      "reportingController",
    );
  }
  assertThrows(
    () => new EventRecorder(client, { reportingController: "a", reportingInstance: "" }),
    TypeError,
    "reportingInstance",
  );
  assertThrows(
    () => new EventRecorder({} as never, { reportingController: "a" }),
    TypeError,
    "create()",
  );
});

import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { AppliedMemory, StatusDraft, type StatusDraftOptions } from "../../../src/operator/mod.ts";
import {
  type Cached,
  type Condition,
  CustomResourceDefinitions,
  type KubeObject,
  StatusError,
} from "../../../src/types/mod.ts";
import { type StatusShape, type Thing, Things, World } from "../apply/_world.ts";

const namespace = "default";

/** A world with a Thing, and drafts of its status. */
class Writing extends World {
  memory: AppliedMemory = new AppliedMemory();
  skipped = 0;

  static async create(shape: StatusShape = {}): Promise<Writing> {
    const world = new Writing();
    await world.installThings(shape);
    await world.client.create(Things, { metadata: { name: "a", namespace }, spec: { whole: 1 } });
    world.takeRequests();
    return world;
  }

  async read(): Promise<Cached<Thing>> {
    const found = await this.client.get(Things, "a", { namespace });
    this.requests.pop();
    return found as Cached<Thing>;
  }

  async draft(options: Partial<StatusDraftOptions<Thing>> = {}): Promise<StatusDraft<Thing>> {
    return new StatusDraft<Thing>({
      client: this.client,
      resource: Things,
      object: options.object ?? await this.read(),
      fieldManager: "own",
      memory: this.memory,
      clock: this.clock,
      logger: this.logger,
      onSkipped: () => void this.skipped++,
      ...options,
    });
  }

  async conditions(): Promise<Condition[]> {
    return ((await this.read()).status?.["conditions"] ?? []) as Condition[];
  }

  /** Sets a condition as another controller does. */
  async otherCondition(type: string, manager = "other"): Promise<void> {
    await this.applyAs(manager, Things, {
      metadata: { name: "a" },
      status: { conditions: [theirs(type)] },
    }, "status");
    this.takeRequests();
  }
}

const theirs = (type: string) => ({
  type,
  status: "True",
  reason: "Theirs",
  message: "",
  lastTransitionTime: "2025-01-01T00:00:00Z",
});

const PATCH = "PATCH /apis/example.com/v1/namespaces/default/things/a/status";

Deno.test("write() writes fields and conditions in one request, with the observed generation", async () => {
  await using world = await Writing.create();
  const draft = await world.draft();
  draft.status({ phase: "Up" }).condition("Ready", "True", "AllUp", "3 of 3")
    .condition("Synced", "False", "Waiting");
  draft.status({ ready: 3 });
  const written = await draft.write();
  assertEquals(world.takeRequests(), [PATCH]);
  const lastTransitionTime = "2026-01-01T00:00:01Z";
  assertEquals(written?.status, {
    phase: "Up",
    ready: 3,
    observedGeneration: 1,
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "AllUp",
        message: "3 of 3",
        observedGeneration: 1,
        lastTransitionTime,
      },
      {
        type: "Synced",
        status: "False",
        reason: "Waiting",
        message: "",
        observedGeneration: 1,
        lastTransitionTime,
      },
    ],
  });
});

Deno.test("write() makes no request if nothing was set, or nothing differs", async () => {
  await using world = await Writing.create();
  const set = async () => {
    const draft = await world.draft();
    draft.status({ phase: "", nodes: [], ready: 0 }).condition("Ready", "True", "AllUp");
    await draft.write();
    return world.takeRequests().length;
  };
  assertEquals(await (await world.draft()).write(), undefined);
  assertEquals(world.takeRequests(), []);
  assertEquals(await set(), 1);
  await world.clock.advance(60_000);
  world.memory = new AppliedMemory();
  assertEquals([await set(), world.skipped], [0, 1]);
});

Deno.test("lastTransitionTime changes only with the status of the condition", async () => {
  await using world = await Writing.create();
  const times: (string | undefined)[] = [];
  for (const [status, reason] of [["True", "A"], ["True", "B"], ["False", "B"]] as const) {
    const draft = await world.draft();
    draft.status().condition("Ready", status, reason);
    await draft.write();
    times.push((await world.conditions())[0]?.lastTransitionTime);
    await world.clock.advance(10_000);
  }
  assertEquals(times[0], times[1]);
  assertNotEquals(times[1], times[2]);
});

Deno.test("write() keeps fields that are not set, removes null fields, and never changes conditions of others", async () => {
  await using world = await Writing.create();
  await world.otherCondition("Theirs");
  await world.applyAs(
    "other",
    Things,
    { metadata: { name: "a" }, status: { detail: { b: "x" } } },
    "status",
  );
  const first = await world.draft();
  first.status({ phase: "Up", ready: 1, nodes: ["n"], detail: { a: "y" } })
    .condition("Ready", "True", "AllUp").condition("Old", "True", "Once");
  await first.write();
  // A second manager's last apply has dropped its condition; set it again.
  await world.otherCondition("Theirs");
  const second = await world.draft();
  second.status({ ready: null, phase: undefined }).removeCondition("Old").removeCondition("Theirs")
    .removeCondition("Unknown");
  await second.write();
  const { status } = await world.read();
  assertEquals(status?.["phase"], "Up");
  assertEquals([status?.["ready"], status?.["nodes"], status?.["detail"]], [
    undefined,
    ["n"],
    { a: "y" },
  ]);
  assertEquals((await world.conditions()).map(({ type }) => type).sort(), ["Ready", "Theirs"]);
});

Deno.test("write() sends the last value of each field and condition, and rejects values after it", async () => {
  await using world = await Writing.create();
  const draft = await world.draft();
  const conditions = draft.status({ phase: "A" }).condition("Ready", "False", "First");
  draft.status({ phase: "B" });
  conditions.removeCondition("Ready").condition("Ready", "True", "Last");
  await draft.write();
  assertEquals(await draft.write(), undefined);
  assertThrows(() => draft.status({ phase: "C" }), Error, "await what the reconcile does");
  assertEquals(world.takeRequests(), [PATCH]);
  const [ready] = await world.conditions();
  assertEquals([ready?.status, (await world.read()).status?.["phase"]], ["True", "B"]);
});

Deno.test("an early write is a separate request, and the write at the end is skipped if nothing differs", async () => {
  const world = await Writing.create();
  const draft = await world.draft();
  await draft.status({ ready: 1 }).condition("Copied", "False", "Copying").write();
  assertEquals(world.takeRequests().length, 1);
  assertEquals((await world.read()).status?.ready, 1);
  await draft.status().write(); // Nothing is new.
  assertEquals(world.takeRequests().length, 0);
  draft.status({ ready: 2 }).condition("Copied", "True", "Copied");
  const written = await draft.write();
  assertEquals(world.takeRequests().length, 1); // Without a conflict.
  assertEquals(written?.status?.ready, 2);
  const [copied] = await world.conditions();
  assertEquals([copied?.type, copied?.status], ["Copied", "True"]);

  const same = await world.draft();
  await same.status({ ready: 3 }).write();
  await same.write();
  assertEquals(world.takeRequests().length, 1);
});

Deno.test("early writes are sent one after another, before the write at the end", async () => {
  const world = await Writing.create();
  const draft = await world.draft();
  const chain = draft.status({ ready: 1 });
  const early = [chain.write(), draft.status({ ready: 2 }).write()];
  draft.status({ ready: 3 });
  await draft.write();
  await Promise.all(early);
  assertEquals((await world.read()).status?.ready, 3);
  await assertRejects(() => chain.write(), Error, "is written already");
});

Deno.test("a failed early write rejects; if it is not awaited, the write at the end rejects", async () => {
  const world = await Writing.create();
  const draft = await world.draft();
  world.server.faults.fail(500, { times: 2, when: ({ verb }) => verb === "patch" });
  await assertRejects(() => draft.status({ ready: 1 }).write(), Error);
  void draft.status().write();
  assertEquals((await draft.write())?.status?.ready, 1);
  const bad = await world.draft();
  void bad.status({ ready: "many" as unknown as number }).write();
  await assertRejects(() => bad.write(), Error, "ready");
});

Deno.test("write() does nothing after an early write has found no object", async () => {
  const world = await Writing.create();
  const draft = await world.draft();
  await world.client.delete(Things, "a", { namespace });
  await draft.status({ ready: 1 }).write();
  world.takeRequests();
  draft.status({ ready: 2 });
  assertEquals(await draft.write(), undefined);
  assertEquals(world.takeRequests(), []);
});

Deno.test("write() sends an atomic list of conditions with the conditions of others, and with a resource version", async () => {
  await using world = await Writing.create({ conditions: "atomic" });
  await world.otherCondition("Theirs");
  const late = await world.read();
  await world.applyAs("other", Things, {
    metadata: { name: "a" },
    status: { conditions: [theirs("Theirs"), theirs("More")] },
  }, "status");
  const draft = await world.draft({ object: late });
  draft.status().condition("Ready", "True", "AllUp");
  await draft.write();
  assertEquals((await world.conditions()).map(({ type }) => type), ["Theirs", "More", "Ready"]);
  const again = await world.draft();
  again.status().condition("Ready", "True", "AllUp");
  world.takeRequests();
  await again.write();
  assertEquals(world.takeRequests(), []);
});

Deno.test("write() omits observedGeneration after the server has once rejected it", async () => {
  await using world = await Writing.create({ observedGeneration: false });
  for (const phase of ["A", "B"]) {
    const draft = await world.draft();
    draft.status({ phase }).condition("Ready", "True", "AllUp");
    await draft.write();
  }
  assertEquals(world.takeRequests(), [PATCH, PATCH, PATCH]);
  const { status } = await world.read();
  assertEquals([status?.["phase"], status?.["observedGeneration"]], ["B", undefined]);
  assertEquals((await world.conditions())[0]?.observedGeneration, 1);
});

Deno.test("write() omits observedGeneration of the status with observedGeneration: false", async () => {
  await using world = await Writing.create();
  const draft = await world.draft({ observedGeneration: false });
  draft.status({ phase: "A" });
  assertEquals((await draft.write())?.status, { phase: "A" });
});

Deno.test("write() writes nothing for an object that was deleted or created again", async () => {
  await using world = await Writing.create();
  const object = await world.read();
  await world.client.delete(Things, "a", { namespace });
  const write = async () => {
    const draft = await world.draft({ object });
    draft.status({ phase: "Up" });
    return await draft.write();
  };
  assertEquals(await write(), undefined);
  await world.client.create(Things, { metadata: { name: "a", namespace } });
  assertEquals(await write(), undefined);
  assertEquals((await world.read()).status, undefined);
});

Deno.test("write() rejects for a kind without subresource status", async () => {
  await using world = await Writing.create({ subresource: false });
  const draft = await world.draft();
  draft.status({ phase: "Up" });
  const error = await assertRejects(() => draft.write(), Error);
  assertStringIncludes(error.message, "subresources: { status: {} }");
});

Deno.test("write() reads the object first if the cache has no managed fields", async () => {
  await using world = await Writing.create();
  const first = await world.draft();
  first.status({ phase: "Up", ready: 1 });
  await first.write();
  const { metadata: { managedFields: _, ...metadata }, ...rest } = await world.read();
  const second = await world.draft({ object: { ...rest, metadata } });
  second.status({ ready: 2 });
  world.takeRequests();
  await second.write();
  assertEquals(world.takeRequests().length, 2);
  assertEquals((await world.read()).status, { phase: "Up", ready: 2, observedGeneration: 1 });
  assertEquals(world.logger.of("warn").length, 1);
});

Deno.test("a dry run logs the changes", async () => {
  await using world = await Writing.create();
  const draft = await world.draft({ dryRun: true });
  draft.status({ phase: "Up" });
  await draft.write();
  assertEquals((await world.read()).status, undefined);
  assertStringIncludes(world.logger.lines[0]!, "would change the status of Thing default/a");
  assertStringIncludes(world.logger.lines.join("\n"), '+ status.phase: "Up"');
});

Deno.test("write() rejects with the error of the server, and with the reason of its signal", async () => {
  await using world = await Writing.create();
  const wrong = await world.draft();
  wrong.status({ phase: 1 });
  await assertRejects(() => wrong.write(), Error, "expected string");
  const draft = await world.draft();
  draft.status({ phase: "Up" });
  const signal = AbortSignal.abort(new Error("stopped"));
  await assertRejects(() => draft.write({ signal }), Error, "stopped");
});

Deno.test("status() and condition() reject invalid arguments", async () => {
  await using world = await Writing.create();
  const draft = await world.draft();
  // deno-lint-ignore no-explicit-any
  const status = draft.status as any;
  const cases: [() => unknown, string][] = [
    [() => status("Up"), "expected an object with its fields, received a value of type string"],
    [() => status(null), "received null"],
    [() => status([]), "received an array"],
    [() => status({ conditions: [] }), "set conditions one by one"],
    [() => status({ phase: () => 1 }), "Cannot write status.phase: JSON has no function"],
    [
      () => status().condition("Ready", true, "R"),
      'expected "True", "False" or "Unknown", received true',
    ],
    [() => status().condition("Ready", "true", "R"), 'received "true"'],
    [() => status().condition("Ready", "True"), "expected a CamelCase word"],
    [() => status().condition("Ready", "True", "not camel"), 'received "not camel"'],
    [() => status().condition("Ready", "True", "R", new Error("x")), "expected a string"],
    [() => status().condition("", "True", "R"), 'expected a name such as "Ready"'],
    [() => status().removeCondition(undefined), 'expected a name such as "Ready"'],
  ];
  for (const [fn, message] of cases) assertThrows(fn, TypeError, message);
  const long = await world.draft();
  long.status().condition("Ready", "False", "Failed", "x".repeat(100_000));
  await long.write();
  assertEquals((await world.conditions())[0]?.message?.length, 32_768);
});

Deno.test("status() has the types of the status of the object", () => {
  interface Widget extends KubeObject {
    status?: { ready: number; conditions?: Condition[] };
  }
  const check = (draft: StatusDraft<Widget>, plain: StatusDraft<KubeObject>) => {
    draft.status({ ready: 1 }).condition("Ready", "True", "R");
    draft.status({ ready: null });
    // @ts-expect-error A field that the status does not have.
    draft.status({ reddy: 1 });
    // @ts-expect-error Conditions are set one by one.
    draft.status({ conditions: [] });
    // @ts-expect-error Not a status of a condition.
    draft.status().condition("Ready", "Yes", "R");
    plain.status({ anything: 1 });
  };
  assert(check.length === 2);
});

/** Removes the managed fields of the object, as a write without them does. */
async function forget(world: Writing): Promise<void> {
  const patch = { metadata: { managedFields: [{}] } };
  await world.client.patch(Things, "a", patch as never, { namespace });
  assertEquals((await world.read()).metadata.managedFields, undefined);
  world.takeRequests();
}

for (const conditions of ["map", "atomic"] as const) {
  Deno.test(`write() keeps the conditions of others without managed fields, if the list is ${conditions}`, async () => {
    await using world = await Writing.create({ conditions });
    await world.otherCondition("Theirs");
    await forget(world);
    for (const status of ["True", "False"] as const) {
      const draft = await world.draft();
      draft.status().condition("Ready", status, "Why");
      await draft.write();
      assertEquals((await world.conditions()).map(({ type, status }) => [type, status]), [
        ["Theirs", "True"],
        ["Ready", status],
      ]);
    }
    const { managedFields } = (await world.read()).metadata;
    const owned = JSON.stringify(managedFields?.find(({ manager }) => manager === "own"));
    assertEquals(owned.includes("Theirs"), false);
    // Before the first write, no manager has an entry: a dry run showed which conditions it would remove.
    assertEquals(world.takeRequests().filter((request) => request === PATCH).length, 3);
  });
}

Deno.test("write() restores the conditions of others if the schema no longer merges them by type", async () => {
  await using world = await Writing.create({ conditions: "map" });
  await world.otherCondition("Theirs");
  const first = await world.draft();
  first.status().condition("Ready", "True", "Why");
  await first.write();
  const definition = await world.client.get(CustomResourceDefinitions, "things.example.com");
  const spec = structuredClone(definition.spec) as typeof definition.spec;
  const { status } = spec.versions[0]!.schema!.openAPIV3Schema!.properties!;
  const conditions = status!.properties!["conditions"]!;
  conditions["x-kubernetes-list-type"] = "atomic";
  delete conditions["x-kubernetes-list-map-keys"];
  await world.client.update(CustomResourceDefinitions, { ...definition, spec } as never);
  await world.clock.advance(1_000);
  const second = await world.draft();
  second.status().condition("Ready", "False", "Why");
  await second.write();
  assertEquals((await world.conditions()).map(({ type, status }) => [type, status]).sort(), [
    ["Ready", "False"],
    ["Theirs", "True"],
  ]);
});

Deno.test("StatusDraft.write() rejects while the kind is not served, since the object may still be there", async () => {
  await using world = await Writing.create();
  const object = await world.read();
  const draft = await world.draft({ object });
  draft.status({ text: "x" });
  const fault = world.server.faults.respond({ status: 404, body: "404 page not found\n" });
  await assertRejects(() => draft.write(), StatusError, "404 page not found");
  fault.remove();
  assertEquals((await world.read()).status, undefined);
});

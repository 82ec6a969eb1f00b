import { assert } from "@std/assert";
import { isApplied } from "../../../src/operator/apply/is_applied.ts";
import type { Applier } from "../../../src/operator/apply/managed_fields.ts";
import { Things, World } from "./_world.ts";

const applier: Applier = { fieldManager: "own", apiVersion: "example.com/v1", subresource: "" };

const thing = (spec: Record<string, unknown>) => ({
  metadata: { name: "a", namespace: "default" },
  spec,
});

async function create(): Promise<World> {
  const world = new World();
  await world.installThings();
  return world;
}

Deno.test("isApplied() sees that an apply would bring items into another order", async () => {
  await using world = await create();
  const items = [{ port: 1 }, { port: 2, protocol: "UDP" }];
  const stored = await world.applyAs("own", Things, thing({ set: ["a", "b"], items }));
  assert(isApplied(thing({ set: ["a", "b"], items }), stored, applier));
  assert(!isApplied(thing({ set: ["b", "a"], items }), stored, applier));
  assert(!isApplied(thing({ set: ["a", "b"], items: items.toReversed() }), stored, applier));
});

Deno.test("isApplied() sees that a map is owned only as an empty one", async () => {
  await using world = await create();
  await world.applyAs("own", Things, thing({ map: {} }));
  const stored = await world.applyAs("other", Things, thing({ map: { x: "1" } }));
  assert(isApplied(thing({ map: {} }), stored, applier));
  assert(!isApplied(thing({ map: { x: "1" } }), stored, applier));
});

Deno.test("isApplied() sees that fields are owned in another version, by another operation or subresource", async () => {
  await using world = await create();
  const desired = thing({ text: "a" });
  const stored = await world.applyAs("own", Things, desired);
  assert(isApplied(desired, stored, applier));
  const [entry] = stored.metadata.managedFields!;
  for (
    const other of [
      { apiVersion: "example.com/v2" },
      { operation: "Update" as const },
      { subresource: "status" },
      { manager: "other" },
    ]
  ) {
    const metadata = { ...stored.metadata, managedFields: [{ ...entry, ...other }] };
    assert(!isApplied(desired, { ...stored, metadata }, applier), JSON.stringify(other));
  }
});

Deno.test("isApplied() survives managed fields that no server sends", async () => {
  await using world = await create();
  const desired = thing({ set: ["a"], items: [{ port: 1 }] });
  const stored = await world.applyAs("own", Things, desired);
  const [entry] = stored.metadata.managedFields!;
  const trees = [
    { "f:spec": { "f:set": { "v:{": {} }, "f:items": { "k:no": {} } } },
    { "f:spec": { "f:set": 1, "f:items": { "k:[]": {} } } },
    { "f:spec": { "f:set": { 'v:"a"': {} }, "f:items": { "k:null": null } } },
    [],
  ];
  for (const fieldsV1 of trees) {
    const managedFields = [null, { ...entry, fieldsV1 }] as never;
    assert(
      !isApplied(desired, { ...stored, metadata: { ...stored.metadata, managedFields } }, applier),
    );
  }
  const metadata = { ...stored.metadata, managedFields: "x" as never };
  assert(!isApplied(desired, { ...stored, metadata }, applier));
});

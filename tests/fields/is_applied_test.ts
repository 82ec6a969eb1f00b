import { assert, assertEquals } from "@std/assert";
import { type Applier, isApplied, plainJson } from "../../src/fields/mod.ts";
import { ConfigMaps, Deployments } from "../../src/types/mod.ts";
import { Things, World } from "../operator/apply/_world.ts";

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

Deno.test("isApplied() is false if an apply would reorder items", async () => {
  await using world = await create();
  const items = [{ port: 1 }, { port: 2, protocol: "UDP" }];
  const stored = await world.applyAs("own", Things, thing({ set: ["a", "b"], items }));
  assert(isApplied(thing({ set: ["a", "b"], items }), stored, applier));
  assert(!isApplied(thing({ set: ["b", "a"], items }), stored, applier));
  assert(!isApplied(thing({ set: ["a", "b"], items: items.toReversed() }), stored, applier));
});

Deno.test("isApplied() is true for an empty map that others have filled, and false for its fields", async () => {
  await using world = await create();
  await world.applyAs("own", Things, thing({ map: {} }));
  const stored = await world.applyAs("other", Things, thing({ map: { x: "1" } }));
  assert(isApplied(thing({ map: {} }), stored, applier));
  assert(!isApplied(thing({ map: { x: "1" } }), stored, applier));
});

Deno.test("isApplied() is false for fields of another version, operation, subresource or manager", async () => {
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

Deno.test("isApplied() is false for invalid managed fields", async () => {
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

/** Returns a Deployment with one container, and further fields. */
function deployment(container: Record<string, unknown>, pod: Record<string, unknown> = {}) {
  const labels = { app: "a" };
  return {
    metadata: { name: "a", namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "nginx", ...container }], ...pod },
      },
    },
  };
}

const valueFrom = (from: Record<string, unknown>) => ({ env: [{ name: "A", valueFrom: from }] });
const field = (fieldPath: string) => valueFrom({ fieldRef: { fieldPath } });
const divided = (divisor?: string) =>
  valueFrom({ resourceFieldRef: { resource: "limits.cpu", ...(divisor && { divisor }) } });
const requests = (cpu: string | number) => deployment({ resources: { requests: { cpu } } });
const scratch = (sizeLimit: string) =>
  deployment({}, { volumes: [{ name: "scratch", emptyDir: { sizeLimit } }] });

Deno.test("isApplied() knows the canonical form of quantities, and the defaults within values that are owned as a whole", async () => {
  await using world = await create();
  const own = { ...applier, apiVersion: "apps/v1" };
  for (
    const [desired, same, other] of [
      [requests("1000m"), requests("1"), requests("1001m")],
      [requests(0.5), requests("500m"), requests("0.6")],
      [requests("2000"), requests("2k"), requests("2Ki")],
      [scratch("1024Mi"), scratch("1Gi"), scratch("1025Mi")],
      // Equal sizes, but stored in different forms.
      [scratch("1Gi"), scratch("1048576Ki"), scratch("1073741824")],
      [
        deployment(field("metadata.name")),
        deployment(valueFrom({ fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } })),
        deployment(field("metadata.uid")),
      ],
      [deployment(divided()), deployment(divided("0")), deployment(divided("1m"))],
    ]
  ) {
    const configuration = plainJson(desired) as Record<string, unknown>;
    const stored = await world.applyAs("own", Deployments, configuration as never);
    assert(isApplied(configuration, stored, own), JSON.stringify(desired));
    assert(isApplied(same as never, stored, own), JSON.stringify(same));
    assert(!isApplied(other as never, stored, own), JSON.stringify(other));
    const after = await world.applyAs("own", Deployments, same as never);
    assertEquals(after.metadata.resourceVersion, stored.metadata.resourceVersion);
  }
});

Deno.test("isApplied() does not treat other texts as quantities", async () => {
  await using world = await create();
  const map = { limits: "1000m", cpu: "1000m" };
  const maps = [
    [ConfigMaps, { metadata: thing({}).metadata, data: map }, "v1"],
    [Things, thing({ map, anything: { resources: { limits: map } } }), "example.com/v1"],
    [Deployments, deployment({}, { nodeSelector: map }), "apps/v1"],
  ] as const;
  for (const [resource, desired, apiVersion] of maps) {
    const stored = await world.applyAs("own", resource as typeof Things, desired as never);
    const own = { ...applier, apiVersion };
    assert(isApplied(desired, stored, own));
    const other = JSON.parse(JSON.stringify(desired).replaceAll("1000m", "1"));
    assert(!isApplied(other, stored, own));
    assert(!isApplied(desired, JSON.parse(JSON.stringify(stored).replaceAll("1000m", "1")), own));
  }
});

Deno.test("isApplied() knows the defaults of the volume claim templates of a StatefulSet", () => {
  const claim = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } };
  const stored = (more: Record<string, unknown>) => ({
    metadata: {
      name: "a",
      managedFields: [{
        manager: "own",
        operation: "Apply" as const,
        apiVersion: "apps/v1",
        fieldsV1: { "f:spec": { "f:volumeClaimTemplates": {} } },
      }],
    },
    spec: {
      volumeClaimTemplates: [{
        ...claim,
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        spec: { ...claim.spec, volumeMode: "Filesystem", ...more },
        status: { phase: "Pending" },
      }],
    },
  });
  const desired = { metadata: { name: "a" }, spec: { volumeClaimTemplates: [claim] } };
  const own = { ...applier, apiVersion: "apps/v1" };
  assert(isApplied(desired, stored({}) as never, own));
  assert(!isApplied(desired, stored({ volumeMode: "Block" }) as never, own));
  assert(!isApplied(desired, stored({ storageClassName: "fast" }) as never, own));
});

Deno.test("isApplied() knows that the server does not store an empty map of texts", async () => {
  await using world = await create();
  const desired = { ...thing({}), spec: undefined, data: {} };
  const configuration = plainJson(desired) as Record<string, unknown>;
  const stored = await world.applyAs("own", ConfigMaps, configuration as never);
  assert(isApplied(configuration, stored, { ...applier, apiVersion: "v1" }));
});

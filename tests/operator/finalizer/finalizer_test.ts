import { assert, assertEquals, assertRejects } from "@std/assert";
import { ensureFinalizer, removeFinalizer } from "../../../src/operator/mod.ts";
import { type ConfigMap, ConfigMaps, StatusError, type Stored } from "../../../src/types/mod.ts";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { randomInt } from "../../../src/base/mod.ts";
import { World } from "../apply/_world.ts";

const namespace = "default";
const OURS = "example.com/ours";

async function create(world: World, finalizers?: string[]): Promise<Stored<ConfigMap>> {
  const metadata = { name: "a", namespace, ...(finalizers ? { finalizers } : {}) };
  const created = await world.client.create(ConfigMaps, { metadata });
  world.takeRequests();
  return created;
}

function setFinalizers(world: World, finalizers: string[]): Promise<Stored<ConfigMap>> {
  return world.client.patch(ConfigMaps, "a", { metadata: { finalizers } }, { namespace });
}

Deno.test("ensureFinalizer() appends the finalizer, and makes no request the second time", async () => {
  await using world = new World();
  const object = await create(world, ["x.io/a"]);
  const ensured = await ensureFinalizer(world.client, ConfigMaps, object, OURS);
  assertEquals(ensured?.metadata.finalizers, ["x.io/a", OURS]);
  assertEquals(world.takeRequests().length, 1);
  assertEquals(await ensureFinalizer(world.client, ConfigMaps, ensured!, OURS), ensured);
  assertEquals(world.takeRequests(), []);
});

Deno.test("ensureFinalizer() creates the list, also if the object has changed", async () => {
  await using world = new World();
  const object = await create(world);
  await world.client.patch(ConfigMaps, "a", { data: { x: "1" } }, { namespace });
  const ensured = await ensureFinalizer(world.client, ConfigMaps, object, OURS);
  assertEquals([ensured?.metadata.finalizers, ensured?.data], [[OURS], { x: "1" }]);
});

Deno.test("ensureFinalizer() adds no duplicate and loses no finalizer with a stale cache", async () => {
  await using world = new World();
  const object = await create(world, ["x.io/a"]);
  await setFinalizers(world, ["x.io/b", OURS, "x.io/a"]);
  const ensured = await ensureFinalizer(world.client, ConfigMaps, object, OURS);
  assertEquals(ensured?.metadata.finalizers, ["x.io/b", OURS, "x.io/a"]);
});

Deno.test("ensureFinalizer() returns undefined for an object that is being deleted, is gone, or was replaced", async () => {
  await using world = new World();
  const object = await create(world, ["x.io/a"]);
  await world.client.delete(ConfigMaps, "a", { namespace });
  assertEquals(await ensureFinalizer(world.client, ConfigMaps, object, OURS), undefined);
  const deleting = await world.client.get(ConfigMaps, "a", { namespace });
  world.takeRequests();
  assertEquals(await ensureFinalizer(world.client, ConfigMaps, deleting, OURS), undefined);
  assertEquals(world.takeRequests(), []);
  await setFinalizers(world, []);
  assertEquals(await ensureFinalizer(world.client, ConfigMaps, object, OURS), undefined);
  const other = await create(world, ["x.io/a"]);
  assertEquals(await ensureFinalizer(world.client, ConfigMaps, object, OURS), undefined);
  const { metadata } = await world.client.get(ConfigMaps, "a", { namespace });
  assertEquals(metadata.resourceVersion, other.metadata.resourceVersion);
});

Deno.test("removeFinalizer() removes only its own finalizer while others change", async () => {
  await using world = new World();
  const object = await create(world, [OURS, "x.io/a"]);
  await setFinalizers(world, ["x.io/b", "x.io/a", OURS]);
  const freed = await removeFinalizer(world.client, ConfigMaps, object, OURS);
  assertEquals(freed?.metadata.finalizers, ["x.io/b", "x.io/a"]);
  world.takeRequests();
  assertEquals(await removeFinalizer(world.client, ConfigMaps, freed!, OURS), freed);
  assertEquals(world.takeRequests(), []);
});

Deno.test("removeFinalizer() lets the server delete the object, and succeeds for a gone or replaced object", async () => {
  await using world = new World();
  const object = await create(world, [OURS]);
  await world.client.delete(ConfigMaps, "a", { namespace });
  assert(await removeFinalizer(world.client, ConfigMaps, object, OURS) !== undefined);
  assertEquals(world.server.count(ConfigMaps, namespace), 0);
  assertEquals(await removeFinalizer(world.client, ConfigMaps, object, OURS), undefined);
  // Another object under the name keeps its finalizer.
  await create(world, [OURS]);
  assertEquals(await removeFinalizer(world.client, ConfigMaps, object, OURS), undefined);
  const { metadata } = await world.client.get(ConfigMaps, "a", { namespace });
  assertEquals(metadata.finalizers, [OURS]);
});

Deno.test("finalizers must be valid names with a domain", async () => {
  await using world = new World();
  const object = await create(world);
  for (
    const name of ["", "bucket", "/bucket", "example.com/", "A.com/x", "x.io/a/b", 1, undefined]
  ) {
    for (const fn of [ensureFinalizer, removeFinalizer]) {
      await assertRejects(
        () => fn(world.client, ConfigMaps, object, name as string),
        TypeError,
        "example.com/bucket",
      );
    }
  }
  assertEquals(world.takeRequests(), []);
});

Deno.test("a patch that the server rejects for another reason is not repeated", async () => {
  await using world = new World();
  const object = await create(world);
  let patches = 0;
  const refusal = new StatusError({ code: 422, reason: "Invalid", message: "denied by a webhook" });
  const client = {
    get: world.client.get.bind(world.client),
    patch: () => {
      patches++;
      return Promise.reject(refusal);
    },
  } as unknown as World["client"];
  await assertRejects(
    () => ensureFinalizer(client, ConfigMaps, object, OURS),
    StatusError,
    "denied",
  );
  assertEquals(patches, 1);
});

Deno.test("ensureFinalizer() rejects after ten attempts on an object that always changes", async () => {
  await using world = new World();
  const object = await create(world);
  let patches = 0;
  const client = {
    get: world.client.get.bind(world.client),
    patch: async (...args: Parameters<typeof world.client.patch>) => {
      patches++;
      await world.client.patch(ConfigMaps, "a", { data: { x: `${patches}` } }, { namespace });
      return await world.client.patch(...args);
    },
  } as unknown as World["client"];
  await assertRejects(() => ensureFinalizer(client, ConfigMaps, object, OURS), StatusError);
  assertEquals(patches, 10);
});

Deno.test("finalizers of several controllers with stale caches are never lost", async () => {
  await forEachSeed(20, async (random) => {
    await using world = new World();
    const names = ["x.io/a", "x.io/b", "x.io/c"];
    const seen = [await create(world)];
    const expected = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const name = names[randomInt(random, names.length)]!;
      // The cache may be late, but it holds the controller's own writes.
      const late = seen.findLast(({ metadata }) => metadata.finalizers?.includes(name)) ??
        seen[randomInt(random, seen.length)]!;
      const edit = random.next() < 0.5 ? ensureFinalizer : removeFinalizer;
      const known = expected.has(name) ? late : seen.at(-1)!;
      const done = await edit(world.client, ConfigMaps, known, name);
      if (done?.metadata.finalizers?.includes(name)) expected.add(name);
      else expected.delete(name);
      const stored = await world.client.get(ConfigMaps, "a", { namespace });
      assertEquals(new Set(stored.metadata.finalizers), expected);
      assertEquals(stored.metadata.finalizers?.length ?? 0, expected.size);
      seen.push(stored);
    }
  });
});

Deno.test("removeFinalizer() rejects while the kind is not served, since the object may still be there", async () => {
  await using world = new World();
  const object = await create(world, [OURS]);
  const fault = world.server.faults.respond({ status: 404, body: "404 page not found\n" });
  const error = await assertRejects(
    () => removeFinalizer(world.client, ConfigMaps, object, OURS),
    StatusError,
  );
  assertEquals(error.code, 404);
  fault.remove();
  const removed = await removeFinalizer(world.client, ConfigMaps, object, OURS);
  assertEquals(removed?.metadata.finalizers, undefined);
});

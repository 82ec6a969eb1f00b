import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  AppliedMemory,
  ApplyPass,
  type ApplyPassOptions,
  NotOwnedError,
} from "../../../src/operator/mod.ts";
import {
  type Cached,
  type ConfigMap,
  ConfigMaps,
  controllerOf,
  type KubeObject,
  Namespaces,
  Nodes,
  type ResourceDescriptor,
  Secrets,
  type Stored,
} from "../../../src/types/mod.ts";
import { Things, World } from "./_world.ts";

/** A world with an owner and a manually filled cache. */
class Applying extends World {
  readonly memory: AppliedMemory = new AppliedMemory();
  skipped = 0;
  owner!: Cached<ConfigMap>;
  /** The cached objects, by kind. */
  cache = new Map<string, Cached<KubeObject>[]>();

  static async create(): Promise<Applying> {
    const world = new Applying();
    const metadata = { name: "owner", namespace: "default" };
    world.owner = await world.client.create(ConfigMaps, { metadata });
    world.takeRequests();
    return world;
  }

  async fill(...resources: ResourceDescriptor[]): Promise<void> {
    for (const resource of resources) {
      const { items } = await this.client.list(resource);
      this.cache.set(resource.plural, items as Cached<KubeObject>[]);
    }
    this.takeRequests();
  }

  /** Removes the managed fields of the cached ConfigMaps. */
  strip(): void {
    const items = this.cache.get("configmaps") ?? [];
    const strip = (
      { metadata: { managedFields: _, ...metadata }, ...rest }: Cached<KubeObject>,
    ) => ({
      ...rest,
      metadata,
    });
    this.cache.set("configmaps", items.map(strip));
  }

  pass(options: Partial<ApplyPassOptions> = {}): ApplyPass {
    const of = (resource: ResourceDescriptor) => this.cache.get(resource.plural) ?? [];
    return new ApplyPass({
      client: this.client,
      fieldManager: "own",
      owner: { object: this.owner as Cached<KubeObject>, resource: ConfigMaps },
      lookup: (resource, namespace, name) =>
        of(resource).find(({ metadata }) =>
          metadata.name === name && metadata.namespace === namespace
        ),
      children: (resource) =>
        of(resource).filter((one) => controllerOf(one)?.uid === this.owner.metadata.uid),
      memory: this.memory,
      logger: this.logger,
      signal: new AbortController().signal,
      onSkipped: () => void this.skipped++,
      ...options,
    });
  }
}

const child = (data: Record<string, string>, labels?: Record<string, string>) => ({
  metadata: { name: "child", labels },
  data,
});

Deno.test("apply() creates an object with its type, the owner's namespace and the controller owner", async () => {
  await using world = await Applying.create();
  const stored = await world.pass().apply(ConfigMaps, child({ a: "1" }));
  assertEquals([stored.apiVersion, stored.kind, stored.metadata.namespace], [
    "v1",
    "ConfigMap",
    "default",
  ]);
  assertEquals(controllerOf(stored)?.uid, world.owner.metadata.uid);
});

Deno.test("apply() makes no request for an object that is already as desired", async () => {
  await using world = await Applying.create();
  await world.pass().apply(ConfigMaps, child({ a: "1" }, { app: "x" }));
  await world.fill(ConfigMaps);
  const found = await world.pass().apply(ConfigMaps, child({ a: "1" }, { app: "x" }));
  assertEquals([world.takeRequests(), world.skipped, found.data], [[], 1, { a: "1" }]);
  assertEquals(world.memory.size, 0);
});

Deno.test("apply() compares with the last write of the same pass while the cache is stale", async () => {
  await using world = await Applying.create();
  const pass = world.pass();
  await pass.apply(ConfigMaps, child({ a: "1" }));
  await pass.apply(ConfigMaps, child({ a: "1" }));
  // The server is asked first whether there is such an object.
  assertEquals([world.takeRequests(), world.skipped], [
    [
      "GET /api/v1/namespaces/default/configmaps",
      "PATCH /api/v1/namespaces/default/configmaps/child",
    ],
    1,
  ]);
});

Deno.test("apply() removes fields that it no longer applies, and keeps fields of other managers", async () => {
  await using world = await Applying.create();
  await world.pass().apply(ConfigMaps, child({ a: "1", b: "2" }, { app: "x", tier: "y" }));
  await world.applyAs("other", ConfigMaps, child({ theirs: "3" }, { team: "z" }));
  await world.fill(ConfigMaps);
  const stored = await world.pass().apply(ConfigMaps, child({ a: "1" }, { app: "x" }));
  assertEquals(stored.data, { a: "1", theirs: "3" });
  assertEquals(stored.metadata.labels, { app: "x", team: "z" });
  await world.fill(ConfigMaps);
  await world.pass().apply(ConfigMaps, { metadata: { name: "child" } }, { owner: false });
  const { metadata, data } = await world.client.get(ConfigMaps, "child", { namespace: "default" });
  assertEquals([metadata.ownerReferences, metadata.labels, data], [
    undefined,
    { team: "z" },
    { theirs: "3" },
  ]);
});

Deno.test("apply() applies a field again that another manager has changed", async () => {
  await using world = await Applying.create();
  await world.pass().apply(ConfigMaps, child({ a: "1" }));
  await world.applyAs("other", ConfigMaps, child({ a: "2" }));
  await world.fill(ConfigMaps);
  const stored = await world.pass().apply(ConfigMaps, child({ a: "1" }));
  assertEquals(stored.data, { a: "1" });
});

Deno.test("apply() sends the stringData of a Secret as data, removes missing keys, and skips the apply after a restart", async () => {
  await using world = await Applying.create();
  const secret = (stringData: Record<string, string>) => ({ metadata: { name: "s" }, stringData });
  await world.pass().apply(Secrets, {
    ...secret({ a: "ä", b: "2" }),
    data: { b: btoa("1"), c: btoa("3") },
  });
  await world.fill(Secrets);
  const stored = await world.pass().apply(Secrets, secret({ a: "ä" }));
  assertEquals(stored.data, { a: "w6Q=" });
  await world.fill(Secrets);
  await world.pass({ memory: new AppliedMemory() }).apply(Secrets, secret({ a: "ä" }));
  assertEquals(world.takeRequests(), []);
});

/** Returns a Thing that never equals the stored one, because the server adds a default in a list. */
const defaulted = (text: string, name = "t") => ({
  metadata: { name },
  spec: { text, defaulted: [{ a: "a" }] },
});

Deno.test("apply() sends a value that the server changes only once", async () => {
  await using world = await Applying.create();
  await world.installThings();
  await world.pass().apply(Things, defaulted("p"));
  await world.fill(Things);
  assertEquals(world.memory.size, 1);
  await world.pass().apply(Things, defaulted("p"));
  assertEquals([world.takeRequests(), world.skipped], [[], 1]);
  // A change is sent. A new process does not remember it.
  await world.pass().apply(Things, defaulted("q"));
  await world.fill(Things);
  await world.pass({ memory: new AppliedMemory() }).apply(Things, defaulted("q"));
  assertEquals(world.takeRequests().length, 1);
});

Deno.test("apply() notices a change by others to a remembered object", async () => {
  await using world = await Applying.create();
  await world.installThings();
  await world.pass().apply(Things, defaulted("p"));
  await world.applyAs("other", Things, defaulted("x"));
  await world.fill(Things);
  const stored = await world.pass().apply(Things, defaulted("p"));
  assertEquals(stored.spec?.["text"], "p");
});

Deno.test("AppliedMemory forgets the object that was looked up least recently", async () => {
  await using world = await Applying.create();
  await world.installThings();
  const memory = new AppliedMemory({ maxEntries: 2 });
  for (const name of ["a", "b"]) await world.pass({ memory }).apply(Things, defaulted("p", name));
  await world.fill(Things);
  await world.pass({ memory }).apply(Things, defaulted("p", "a"));
  await world.pass({ memory }).apply(Things, defaulted("p", "c"));
  await world.fill(Things);
  for (const name of ["a", "c"]) await world.pass({ memory }).apply(Things, defaulted("p", name));
  assertEquals([world.takeRequests(), memory.size], [[], 2]);
  await world.pass({ memory }).apply(Things, defaulted("p", "b"));
  assertEquals(world.takeRequests().length, 1);
});

Deno.test("apply() warns once about a cache without managed fields, and then relies on its memory", async () => {
  await using world = await Applying.create();
  await world.pass().apply(ConfigMaps, child({ a: "1" }));
  await world.fill(ConfigMaps);
  world.strip();
  for (let i = 0; i < 3; i++) await world.pass().apply(ConfigMaps, child({ a: "1" }));
  assertEquals([world.takeRequests().length, world.skipped], [1, 2]);
  assertEquals(world.logger.of("warn").length, 1);
  assertStringIncludes(world.logger.lines[0]!, "transformStripManagedFields");
  await world.applyAs("other", ConfigMaps, child({ a: "2" }));
  await world.fill(ConfigMaps);
  world.strip();
  assertEquals((await world.pass().apply(ConfigMaps, child({ a: "1" }))).data, { a: "1" });
});

Deno.test("apply() rejects invalid objects before any request", async () => {
  await using world = await Applying.create();
  const cases: [unknown, string][] = [
    [undefined, "expected an object with metadata.name"],
    [{ metadata: {} }, "without metadata.name"],
    [{ metadata: { generateName: "x-" } }, "server-side apply needs the name"],
    [{ metadata: { name: "x", managedFields: [] } }, "it was read from the server"],
    [{ metadata: { name: "x" }, kind: "Pod" }, 'its kind is "Pod"'],
    [{ metadata: { name: "x" }, apiVersion: "v2" }, 'its apiVersion is "v2"'],
    [{ metadata: { name: "x", namespace: "other" } }, "the garbage collector would delete it"],
    [{ metadata: { name: "x" }, data: { a: NaN } }, "Cannot write data.a: JSON has no NaN"],
    [
      { metadata: { name: "x", ownerReferences: [{ uid: "u", controller: true }] } },
      "it is controlled by",
    ],
  ];
  for (const [object, message] of cases) {
    const error = await assertRejects(
      () => world.pass().apply(ConfigMaps, object as never),
      Error,
    );
    assertStringIncludes(error.message, message);
  }
  await assertRejects(
    () => world.pass().apply(Nodes, { metadata: { name: "n" } }),
    TypeError,
    "which is cluster-scoped",
  );
  const cluster = await world.client.get(Namespaces, "default");
  world.takeRequests();
  await assertRejects(
    () =>
      world.pass({ owner: { object: cluster as Cached<KubeObject>, resource: Namespaces } })
        .apply(ConfigMaps, child({})),
    TypeError,
    "its owner is cluster-scoped",
  );
  assertEquals(world.takeRequests(), []);
});

Deno.test("apply() does not take an object away from another controller owner", async () => {
  await using world = await Applying.create();
  const rival = await world.client.create(ConfigMaps, {
    metadata: { name: "rival", namespace: "default" },
  });
  await world.pass({
    fieldManager: "rival",
    owner: { object: rival as Cached<KubeObject>, resource: ConfigMaps },
  }).apply(ConfigMaps, child({ a: "1" }));
  // The cache is stale.
  await assertRejects(
    () => world.pass().apply(ConfigMaps, child({ a: "2" })),
    NotOwnedError,
    'it is controlled by ConfigMap "rival"',
  );
  await assertRejects(
    () => world.pass().apply(ConfigMaps, child({ a: "2" }), { adopt: true }),
    Error,
    "Only one reference",
  );
  await world.fill(ConfigMaps);
  const error = await assertRejects(() => world.pass().apply(ConfigMaps, child({ a: "2" })), Error);
  assertStringIncludes(error.message, 'it is controlled by ConfigMap "rival"');
  assertEquals(world.takeRequests(), []);
  const shared = await world.pass().apply(ConfigMaps, child({ b: "2" }), { owner: false });
  assertEquals(controllerOf(shared)?.name, "rival");
  assertEquals(shared.data, { a: "1", b: "2" });
});

Deno.test("apply() omits null and undefined fields, and keeps a field named __proto__", async () => {
  await using world = await Applying.create();
  const data = JSON.parse('{ "__proto__": "x", "gone": null }');
  const stored = await world.pass().apply(ConfigMaps, child(data));
  assertEquals(Object.keys(stored.data!), ["__proto__"]);
  await world.fill(ConfigMaps);
  await world.pass().apply(ConfigMaps, child(data));
  assertEquals(world.skipped, 1);
});

async function twoChildren(world: Applying): Promise<Stored<ConfigMap>[]> {
  for (const name of ["a", "b"]) {
    await world.pass().apply(ConfigMaps, { metadata: { name }, data: {} });
  }
  await world.fill(ConfigMaps);
  return (await world.client.list(ConfigMaps, { namespace: "default" })).items;
}

const namesOf = (objects: readonly Cached<KubeObject>[]) =>
  objects.map(({ metadata }) => metadata.name);

Deno.test("prune() deletes the children that the pass has not applied", async () => {
  await using world = await Applying.create();
  await twoChildren(world);
  await world.client.create(ConfigMaps, { metadata: { name: "not-ours", namespace: "default" } });
  await world.fill(ConfigMaps);
  const pass = world.pass();
  await pass.apply(ConfigMaps, { metadata: { name: "a" }, data: {} });
  assertEquals(namesOf(await pass.prune([ConfigMaps])), ["b"]);
  assertEquals(world.takeRequests(), ["DELETE /api/v1/namespaces/default/configmaps/b"]);
  const { items } = await world.client.list(ConfigMaps, { namespace: "default" });
  assertEquals(namesOf(items as Cached<KubeObject>[]), ["a", "not-ours", "owner"]);
});

Deno.test("prune() skips objects that are gone, were created again, or are being deleted", async () => {
  await using world = await Applying.create();
  const namespace = "default";
  await twoChildren(world);
  await world.pass().apply(ConfigMaps, { metadata: { name: "c", finalizers: ["x.io/stay"] } });
  await world.client.delete(ConfigMaps, "c", { namespace });
  await world.fill(ConfigMaps);
  await world.client.delete(ConfigMaps, "a", { namespace });
  await world.client.delete(ConfigMaps, "b", { namespace });
  await world.client.create(ConfigMaps, { metadata: { name: "b", namespace } });
  world.takeRequests();
  assertEquals(await world.pass().prune([ConfigMaps]), []);
  assertEquals(world.takeRequests().length, 2);
  await world.client.get(ConfigMaps, "b", { namespace });
});

Deno.test("prune() deletes nothing after an apply that failed, even if the error was caught", async () => {
  await using world = await Applying.create();
  await twoChildren(world);
  const pass = world.pass();
  await pass.apply(ConfigMaps, { metadata: { name: "a" }, data: {} });
  await pass.apply(ConfigMaps, { metadata: { name: "B" } }).catch(() => {});
  world.takeRequests();
  await assertRejects(
    () => pass.prune([ConfigMaps]),
    Error,
    "Cannot prune after an apply that failed",
  );
  assertEquals(world.takeRequests(), []);
});

Deno.test("prune() deletes nothing while an apply is running, or without an owner", async () => {
  await using world = await Applying.create();
  await twoChildren(world);
  const pass = world.pass();
  const pending = pass.apply(ConfigMaps, { metadata: { name: "new" } });
  await assertRejects(() => pass.prune([ConfigMaps]), Error, "await them all");
  await pending;
  await assertRejects(() => world.pass({ owner: undefined }).prune([ConfigMaps]), Error, "owner");
});

Deno.test("prune() deletes nothing if one of the kinds is not cached", async () => {
  await using world = await Applying.create();
  await twoChildren(world);
  const children = (resource: ResourceDescriptor) => {
    if (resource.plural === "things") throw new Error("things are not cached");
    return world.cache.get(resource.plural)!;
  };
  const pass = world.pass({ children });
  world.takeRequests();
  await assertRejects(() => pass.prune([ConfigMaps, Things]), Error, "not cached");
  assertEquals(world.takeRequests(), []);
});

Deno.test("a dry run changes nothing, and logs the changes", async () => {
  await using world = await Applying.create();
  await twoChildren(world);
  const pass = world.pass({ dryRun: true });
  await pass.apply(ConfigMaps, { metadata: { name: "a" }, data: { size: "1" } });
  await pass.apply(ConfigMaps, { metadata: { name: "new" } });
  assertEquals(namesOf(await pass.prune([ConfigMaps])), ["b"]);
  const lines = world.logger.of("info");
  assertEquals(lines.slice(0, 4), [
    "Dry run: would change ConfigMap default/a",
    '+ data.size: "1"',
    "Dry run: would create ConfigMap default/new",
    '+ apiVersion: "v1"',
  ]);
  assertEquals(lines.at(-1), "Dry run: would delete ConfigMap default/b");
  const { items } = await world.client.list(ConfigMaps, { namespace: "default" });
  assertEquals(namesOf(items as Cached<KubeObject>[]), ["a", "b", "owner"]);
  assert(items.every(({ data }) => data === undefined));
});

Deno.test("apply() stops with its signal, and the pass then prunes nothing", async () => {
  await using world = await Applying.create();
  await twoChildren(world);
  const stop = new AbortController();
  const pass = world.pass({ signal: stop.signal });
  stop.abort(new Error("stopped"));
  await assertRejects(() => pass.apply(ConfigMaps, child({})), Error, "stopped");
  await assertRejects(() => pass.prune([ConfigMaps]), Error, "stopped");
});

Deno.test("ApplyPass names the invalid option", () => {
  const options = { fieldManager: "x", lookup: () => undefined, children: () => [] };
  for (const wrong of [{ fieldManager: "" }, { lookup: undefined }, { children: 1 }]) {
    const create = () => new ApplyPass({ ...options, ...wrong } as never);
    assertThrows(create, TypeError, Object.keys(wrong)[0]);
  }
});

Deno.test("apply() does not take over an object that it has not applied, with any cache, unless adopt is true", async () => {
  await using world = await Applying.create();
  const at = { namespace: "default" };
  const metadata = { name: "a", ...at };
  await world.client.create(ConfigMaps, { metadata, data: { size: "1" } });
  const wanted = { metadata: { name: "a" }, data: { size: "2" } };
  for (const isCached of [false, true]) {
    if (isCached) await world.fill(ConfigMaps);
    for (const options of [{}, { adopt: false }, { owner: false, adopt: false }]) {
      const error = await assertRejects(
        () => world.pass().apply(ConfigMaps, wanted, options),
        NotOwnedError,
        'Cannot apply ConfigMap "a": it exists already, and no owner controls it, nor has the field ' +
          'manager "own" applied it. Give yours another name, delete it, or take it over with { adopt: true }',
      );
      assert(NotOwnedError.is(error));
    }
  }
  assertEquals((await world.client.get(ConfigMaps, "a", at)).data, { size: "1" });
  world.takeRequests();
  await world.pass().apply(ConfigMaps, { metadata: { name: "new" } });
  assertEquals(world.takeRequests().length, 2);
  await world.fill(ConfigMaps);
  await world.pass().apply(ConfigMaps, { metadata: { name: "new" } });
  assertEquals(world.takeRequests(), []);
  const adopted = await world.pass().apply(ConfigMaps, wanted, { adopt: true });
  assertEquals(controllerOf(adopted)?.name, "owner");
});

Deno.test("apply() restores the removed owner references of an object that it has applied", async () => {
  await using world = await Applying.create();
  await world.pass().apply(ConfigMaps, child({ a: "1" }));
  // As after the restore of a backup.
  const disown = () =>
    world.client.patch(ConfigMaps, "child", { metadata: { ownerReferences: null } } as never, {
      namespace: "default",
    });
  await disown();
  // A cache without managed fields does not show who has applied the object.
  for (const isStripped of [true, false]) {
    await world.fill(ConfigMaps);
    if (isStripped) world.strip();
    const stored = await world.pass().apply(ConfigMaps, child({ a: "1" }));
    assertEquals(controllerOf(stored)?.name, "owner");
    await disown();
  }
});

/** A client that calls `before` before the first apply. */
function interrupted(world: Applying, before: () => Promise<unknown>): ApplyPassOptions["client"] {
  const { client } = world;
  let isFirst = true;
  return {
    list: client.list.bind(client),
    delete: client.delete.bind(client),
    apply: async (...args: Parameters<typeof client.apply>) => {
      if (isFirst) await before();
      isFirst = false;
      return await client.apply(...args);
    },
  } as ApplyPassOptions["client"];
}

Deno.test("apply() does not take over an object that others create or replace at the same time", async () => {
  await using world = await Applying.create();
  const place = { namespace: "default" };
  const metadata = { name: "child", ...place };
  const theirs = () =>
    world.client.apply(ConfigMaps, { metadata, data: { a: "theirs" } }, { fieldManager: "other" });
  const created = world.pass({ client: interrupted(world, theirs) });
  await assertRejects(() => created.apply(ConfigMaps, child({ a: "1" })), NotOwnedError);
  await world.client.delete(ConfigMaps, "child", place);

  await world.pass().apply(ConfigMaps, child({ a: "1" }));
  await world.fill(ConfigMaps);
  const again = async () => {
    await world.client.delete(ConfigMaps, "child", place);
    await theirs();
  };
  const replaced = world.pass({ client: interrupted(world, again) });
  await assertRejects(() => replaced.apply(ConfigMaps, child({ a: "2" })), NotOwnedError);
  const found = await world.client.get(ConfigMaps, "child", place);
  assertEquals([found.data, found.metadata.ownerReferences], [{ a: "theirs" }, undefined]);
});

Deno.test("apply() creates an object again that was deleted, although the cache still has it", async () => {
  await using world = await Applying.create();
  const place = { namespace: "default" };
  await world.pass().apply(ConfigMaps, child({ a: "1" }));
  await world.fill(ConfigMaps);
  await world.client.delete(ConfigMaps, "child", place);
  const stored = await world.pass().apply(ConfigMaps, child({ a: "2" }));
  assertEquals(stored.data, { a: "2" });
});

Deno.test("apply() rejects unknown and invalid options", async () => {
  await using world = await Applying.create();
  for (
    const [options, message] of [[{ adopted: true }, '"adopt"'], [{ adopt: "no" }, "adopt must"]]
  ) {
    await assertRejects(
      () => world.pass().apply(ConfigMaps, child({}), options as never),
      TypeError,
      message as string,
    );
  }
});

Deno.test("remove() deletes only the object with the given UID", async () => {
  await using world = await Applying.create();
  const at = { namespace: "default" };
  const metadata = { name: "a", ...at };
  const old = await world.client.create(ConfigMaps, { metadata }) as Cached<ConfigMap>;
  await world.client.delete(ConfigMaps, "a", at);
  const pass = world.pass();
  await pass.remove(ConfigMaps, old);
  const young = await world.client.create(ConfigMaps, { metadata }) as Cached<ConfigMap>;
  await pass.remove(ConfigMaps, old);
  assertEquals(
    (await world.client.get(ConfigMaps, "a", at)).metadata.uid,
    young.metadata.uid,
  );
  await world.pass({ dryRun: true }).remove(ConfigMaps, young);
  assertEquals(world.logger.of("info"), ["Dry run: would delete ConfigMap default/a"]);
  await pass.remove(ConfigMaps, young);
  await assertRejects(() => world.client.get(ConfigMaps, "a", at), Error, "not found");
  await assertRejects(
    () => pass.remove(ConfigMaps, { metadata: { name: "a" } } as never),
    TypeError,
    "Cannot delete a ConfigMap without a name and a UID",
  );
});

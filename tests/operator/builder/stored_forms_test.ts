import { assert, assertEquals } from "@std/assert";
import {
  type Client,
  type ConfigMap,
  ConfigMaps,
  controllerReference,
  Manager,
  type ManagerOptions,
  Pods,
  type Secret,
  Secrets,
} from "@kubeloop/controller";
import {
  anyOf,
  type Change,
  changed,
  generationChanged,
  labelsChanged,
  not,
} from "@kubeloop/controller/operator";
import type { SeededRandom } from "@kubeloop/testing";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { envelope, field, type FieldBytes } from "../../protobuf/_message.ts";
import { namespace, World } from "../_world.ts";

/** The forms in which a manager can store objects. */
type Form = "protobuf" | "json" | "parsed";

/** Returns a client of the world whose requests ask for the form. */
function clientFor(world: World, form: Form): Client {
  if (form === "protobuf") return world.client;
  return world.clientWith((request) => {
    const { headers } = request;
    if (!headers.get("accept")?.includes("protobuf")) return undefined;
    headers.set("accept", "application/json");
    return undefined;
  });
}

function optionsFor(form: Form): ManagerOptions {
  return { recordObjects: form === "parsed", name: form };
}

/** Runs controllers with every kind of source. Returns the causes and the read objects of each reconcile. */
function runControllers(world: World, form: Form): unknown[] {
  const told: unknown[] = [];
  const manager = new Manager(clientFor(world, form), optionsFor(form));
  // The order of members differs: protobuf has that of the field numbers.
  const note = (what: unknown) => void told.push(JSON.parse(JSON.stringify(what)));
  manager.controller(ConfigMaps, { when: anyOf(changed("data"), labelsChanged), name: "maps" })
    .owns(Pods, { when: anyOf(labelsChanged, changed("status.phase"), not(generationChanged)) })
    .watches(Secrets, {
      when: changed("data"),
      map: ({ metadata }) => ({ name: metadata.name, namespace }),
    })
    .reconcile(({ object, causes, owned, cache }) => {
      const shown = causes.map(({ why, object, resourceVersion, changed, by, count }) => ({
        why,
        object,
        resourceVersion,
        changed,
        by,
        count,
      }));
      const pods = owned(Pods).map(({ metadata, status }) => [metadata.name, status?.phase]);
      const secret = cache(Secrets).get(object.metadata.name, namespace)?.data;
      note([object.metadata.name, object.data, shown, pods, secret]);
    });
  manager.controller(Pods, { name: "pods" }).reconcile(({ object, causes }) => {
    note([object.metadata.name, object.spec, causes.map(({ why }) => why)]);
  });
  world.start(manager);
  return told;
}

/** Changes objects at random. */
async function change(world: World, random: SeededRandom): Promise<void> {
  const { client } = world;
  const pick = <V>(...values: V[]) => values[Math.floor(random.next() * values.length)] as V;
  const name = pick("a", "b", "c");
  const metadata = { name, namespace, labels: { app: pick("x", "y") } };
  const call = { namespace, fieldManager: pick("alice", "bob") };
  const data = { k: pick("1", "2", "ü") };
  switch (pick("map", "map", "pod", "status", "secret", "owner", "delete")) {
    case "map":
      await client.apply(ConfigMaps, { metadata, data }, { ...call, force: true });
      return;
    case "pod": {
      const owner = await client.get(ConfigMaps, pick("a", "b"), { namespace }).catch(() =>
        undefined
      );
      const ownerReferences = owner && [controllerReference(owner, ConfigMaps)];
      await client.create(Pods, {
        metadata: { ...metadata, ...(ownerReferences && { ownerReferences }) },
        spec: { containers: [{ name: "c", image: "i" }] },
      });
      return;
    }
    case "status": {
      const status = { phase: pick("Running" as const, "Failed" as const) };
      await client.patch(Pods, name, { status }, { ...call, subresource: "status" });
      return;
    }
    case "secret":
      await client.apply<Secret>(Secrets, { metadata, stringData: data }, { ...call, force: true });
      return;
    case "owner":
      await client.patch(Pods, name, { metadata: { ownerReferences: [] } }, call);
      return;
    case "delete":
      await client.delete(pick(ConfigMaps, Pods, Secrets) as typeof ConfigMaps, name, {
        namespace,
      });
  }
}

Deno.test("A manager reconciles the same, for the same causes, whether it stores protobuf, JSON or parsed objects", async () => {
  let reconciles = 0;
  await forEachSeed(8, async (random) => {
    await using world = new World();
    const forms: readonly Form[] = ["protobuf", "json", "parsed"];
    for (let i = 0; i < 8; i++) await world.do(change(world, random).catch(() => {}));
    const told = forms.map((form) => runControllers(world, form));
    await world.pass(1_000);
    for (let i = 0; i < 40; i++) {
      await world.do(change(world, random).catch(() => {}));
      await world.pass(100);
    }
    const [protobuf, json, parsed] = told;
    reconciles += protobuf!.length;
    assertEquals(protobuf, parsed);
    assertEquals(json, parsed);
  });
  assert(reconciles > 0, "the controllers have work");
});

Deno.test("A manager keeps parsed objects only of kinds whose every version a function of the user reads, and says so once", async () => {
  await using world = new World();
  const manager = world.manager();
  const isRed = ({ object }: Change<ConfigMap>) => object.data?.["color"] === "red";
  manager.controller(ConfigMaps, { when: isRed, name: "red" })
    .owns(Pods)
    .watches(Secrets, { map: ({ metadata }) => metadata })
    .reconcile(() => {});
  manager.controller(ConfigMaps, { when: isRed, name: "again" }).reconcile(() => {});
  world.start(manager);
  await world.pass(100);
  const kept = world.lines.filter((line) => line.includes("keeps parsed objects"));
  assertEquals(kept, [
    "info configmaps: keeps parsed objects, which take more memory: " +
    'when of controller "red" is a function of the whole object',
    "info secrets: keeps parsed objects, which take more memory: " +
    'controller "red" maps each version; with when: changed("…") it maps fewer',
  ]);
});

Deno.test("A manager keeps the field sets of objects that its controllers have applied, and of no others", async () => {
  for (const form of ["protobuf", "json", "parsed"] as const) {
    await using world = new World();
    const { client } = world;
    const data = { k: "v" };
    for (const [name, fieldManager] of [["ours", "maps-controller"], ["theirs", "kubectl"]]) {
      const metadata = { name: name!, namespace };
      await world.do(client.apply(ConfigMaps, { metadata, data }, { fieldManager: fieldManager! }));
      const more = { metadata, data: { more: "v" } };
      await world.do(client.apply(ConfigMaps, more, { fieldManager: "other-client" }));
    }
    const manager = new Manager(clientFor(world, form), optionsFor(form));
    const seen: Record<string, unknown> = {};
    let cached: ConfigMap | undefined;
    manager.controller(ConfigMaps, { name: "maps", namespaces: [namespace] }).reconcile(
      ({ object, name }) => {
        seen[name] = object.metadata.managedFields?.map(({ manager, fieldsV1, fieldsType }) =>
          `${manager} ${fieldsType} ${JSON.stringify(fieldsV1)}`
        );
        if (name === "theirs") cached = structuredClone(object) as ConfigMap;
      },
    );
    world.start(manager);
    await world.pass(1_000);
    const set = (field: string) => `FieldsV1 {"f:data":{"f:${field}":{}}}`;
    assertEquals(seen, {
      ours: [`maps-controller ${set("k")}`, `other-client ${set("more")}`],
      theirs: ["kubectl undefined undefined", "other-client undefined undefined"],
    }, form);

    // A server ignores managed fields without a type, so that an update with them changes no owner.
    await world.do(client.update(ConfigMaps, { ...cached!, data: { ...cached!.data, new: "v" } }));
    const { metadata } = await world.do(client.get(ConfigMaps, "theirs", { namespace }));
    const managers = metadata.managedFields?.filter(({ fieldsV1 }) => fieldsV1 !== undefined);
    assertEquals(managers?.map(({ manager }) => manager), ["kubectl", "other-client", "kubeloop"]);
  }
});

Deno.test("A reconcile reads its object as it was at its start, also after the cache has a newer version", async () => {
  await using world = new World();
  const { client } = world;
  const metadata = { name: "a", namespace };
  await world.do(client.create(ConfigMaps, { metadata, data: { k: "1" } }));
  const manager = world.manager();
  const read: unknown[] = [];
  manager.controller(ConfigMaps).reconcile(async (ctx) => {
    await client.patch(ConfigMaps, "a", { data: { k: "2" } }, { namespace });
    await new Promise<void>((resolve) => void ctx.clock.setTimer(resolve, 1_000));
    read.push([ctx.name, ctx.object.data, ctx.cache(ConfigMaps).get("a", namespace)?.data]);
  });
  world.start(manager);
  await world.pass(1_500);
  assertEquals(read[0], ["a", { k: "1" }, { k: "2" }]);
});

Deno.test("An object whose owners are malformed in protobuf is reconciled, and keeps no other from being reconciled", async () => {
  await using world = new World();
  const metadata = (name: string, ...more: FieldBytes[]) =>
    field(1, [
      field(1, name),
      field(3, namespace),
      field(5, `uid-${name}`),
      field(6, "7"),
      ...more,
    ]);
  // An owner reference whose name is longer than the reference.
  const bad = metadata("bad", [...field(13, [[0x1a, 0x7f]])]);
  const list = [field(1, [field(2, "7")]), field(2, [bad]), field(2, [metadata("good")])];
  const body = Uint8Array.from(envelope("v1", "PodList", list));
  const client = world.clientWith((request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/api/v1/pods" || searchParams.get("limit") === "1") return undefined;
    if (searchParams.has("sendInitialEvents")) {
      return Promise.resolve(Response.json({ kind: "Status", code: 422 }, { status: 422 }));
    }
    if (searchParams.has("watch")) return new Promise(() => {});
    const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
    return Promise.resolve(new Response(body, { headers }));
  });
  const manager = new Manager(client);
  const seen: string[] = [];
  manager.controller(Pods).reconcile(({ name }) => void seen.push(name));
  manager.controller(ConfigMaps, { name: "owner" }).owns(Pods).reconcile(() => {});
  world.start(manager);
  await world.pass(5_000);
  assertEquals(seen, ["bad", "good"]);
});

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { valueIn } from "../../../src/base/mod.ts";
import { SlabStore } from "../../../src/bytes/mod.ts";
import {
  hasSameValueAt,
  type Item,
  ObjectCache,
  PackedObject,
  Packer,
} from "../../../src/cache/packed/mod.ts";
import type { KubeObject, ResourceDescriptor } from "../../../src/types/mod.ts";
import { encodeProtobuf, SCHEMAS } from "../../../src/testing/api_server/schema/mod.ts";
import { RandomObjects } from "../../support/random_objects.ts";
import { assertProperty, forEachSeed } from "../../support/seeded_runs.ts";
import { event } from "../../protobuf/_message.ts";

/** A kind, and the name of its schema. */
const KINDS: readonly (readonly [ResourceDescriptor, string])[] = [
  [{ group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true }, "core.Pod"],
  [
    { group: "apps", version: "v1", plural: "deployments", kind: "Deployment", namespaced: true },
    "apps.Deployment",
  ],
  [
    { group: "", version: "v1", plural: "secrets", kind: "Secret", namespaced: true },
    "core.Secret",
  ],
];

const PATHS = [
  ["metadata", "labels"],
  ["metadata", "ownerReferences"],
  ["metadata", "annotations", "a"],
  ["metadata"],
  ["spec"],
  ["spec", "template", "spec", "containers", "0", "image"],
  ["data"],
  ["status", "phase"],
  ["kind"],
  ["missing", "x"],
] as const;

const encoder = new TextEncoder();

/** Creates the packers of a cache that keeps the field sets of the manager "ours", or all. */
function packers(resource: ResourceDescriptor, keepsAll: boolean) {
  const keepsFieldsOf = keepsAll ? undefined : (manager: string) => manager === "ours";
  return new Packer<KubeObject>({ keepsBytes: true, keepsFieldsOf }, resource);
}

/** Returns an object as it arrives in an event, in JSON and in protobuf. */
async function arrive(
  packer: Packer<KubeObject>,
  object: KubeObject,
  schema: string,
): Promise<readonly PackedObject<KubeObject>[]> {
  const line = encoder.encode(JSON.stringify({ type: "MODIFIED", object }));
  const protobuf = await packer.protobuf();
  const message = encodeProtobuf(object as never, SCHEMAS.struct(schema)!);
  const frame = event("MODIFIED", [...message]);
  return [
    packer.readEvent(line, 0, line.length)?.object,
    protobuf?.readEvent(frame, 0, frame.length)?.object,
  ].map((item) => {
    assert(item instanceof PackedObject);
    return item as PackedObject<KubeObject>;
  });
}

/** Returns the object without the field sets that a cache leaves out. */
function thin(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  if (managedFields === undefined) return object;
  if (managedFields.some(({ manager }) => manager === "ours")) return object;
  const entries = managedFields.map(({ fieldsType: _, fieldsV1: __, ...rest }) => rest);
  return { ...object, metadata: { ...object.metadata, managedFields: entries } };
}

/** Returns the object that a server would send, which has omitted empty fields. */
async function served(
  packer: Packer<KubeObject>,
  object: KubeObject,
  schema: string,
): Promise<KubeObject> {
  const [, item] = await arrive(packer, object, schema);
  return item!.object();
}

Deno.test("JSON, protobuf and parsed objects give the same record, values and objects, before and after they are stored", async () => {
  await forEachSeed(60, async (random) => {
    const objects = new RandomObjects(random);
    for (const [resource, schema] of KINDS) {
      const whole = packers(resource, true);
      const names = ["ours", "kubelet", "kubectl"];
      const managedFields = names.filter(() => random.next() < 0.5).map((manager) => ({
        manager,
        operation: "Apply",
        time: "2026-01-02T03:04:05Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:x": {} } },
      }));
      const drawn = objects.struct(SCHEMAS.struct(schema)!) as unknown as KubeObject;
      const given = {
        ...drawn,
        kind: resource.kind,
        apiVersion: resource.group === "" ? "v1" : `${resource.group}/v1`,
        metadata: { ...drawn.metadata, name: "a", namespace: "n", uid: "u-1", managedFields },
      } as KubeObject;
      const object = await served(whole, given, schema);
      for (const keepsAll of [true, false]) {
        const expected = keepsAll ? object : thin(object);
        const items = await arrive(packers(resource, keepsAll), object, schema);
        for (const item of items) {
          const { metadata } = object;
          assertEquals(
            [item.key, item.uid, item.generation, item.deletionTimestamp, item.finalizerCount],
            [
              "n/a",
              "u-1",
              metadata.generation,
              metadata.deletionTimestamp,
              metadata.finalizers?.length ?? 0,
            ],
          );
          const slabs = new SlabStore({ slabBytes: 1_024 });
          slabs.keep(item);
          assertEquals(item.object(), expected);
          for (const path of PATHS) assertEquals(item.valueAt(path), valueIn(expected, path));
        }
      }
    }
  });
});

Deno.test("hasSameValueAt() is that of the parsed values, for two versions in any forms", async () => {
  const [resource, schema] = KINDS[2]!;
  const packer = packers(resource, true);
  const text = fc.constantFrom("a", "b", "ä");
  const version = fc.record({
    labels: fc.option(fc.dictionary(text, text, { maxKeys: 2 }), { nil: undefined }),
    data: fc.option(fc.dictionary(text, fc.constantFrom("YQ==", "Yg==")), { nil: undefined }),
  });
  await assertProperty(fc.asyncProperty(version, version, async (before, after) => {
    const forms = await Promise.all([before, after].map(async ({ labels, data }) => {
      const metadata = { name: "a", namespace: "n", ...(labels && { labels }) };
      const object = { kind: "Secret", apiVersion: "v1", metadata, ...(data && { data }) };
      const plain = await served(packer, object, schema);
      return [plain, ...await arrive(packer, plain, schema)] as Item<KubeObject>[];
    }));
    for (const path of [["metadata", "labels"], ["data"], ["data", "a"]]) {
      const [old, now] = forms as [Item<KubeObject>[], Item<KubeObject>[]];
      const expected = hasSameValueAt(old[0]!, now[0]!, path);
      for (const a of old) for (const b of now) assertEquals(hasSameValueAt(a, b, path), expected);
    }
  }));
});

Deno.test("A cache shows the replaced and the deleted version until the change is settled", async () => {
  const [resource, schema] = KINDS[0]!;
  const packer = packers(resource, true);
  const pod = (image: string) => ({
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: "a", namespace: "n" },
    spec: { containers: [{ name: "c", image }] },
  });
  const imageOf = (item: Item<KubeObject> | undefined) =>
    (item as PackedObject<KubeObject>).valueAt(["spec", "containers", "0", "image"]);
  for (const form of [0, 1]) {
    const cache = new ObjectCache<KubeObject>({
      keepsBytes: true,
      freezes: false,
      onCostlyReads: () => {},
    });
    cache.showsOld = true;
    const images = ["x".repeat(300), "y", "z".repeat(90)];
    let old: Item<KubeObject> | undefined;
    for (const [i, image] of images.entries()) {
      const item = (await arrive(packer, pod(image), schema))[form]!;
      old = cache.exchange(item, item.key);
      if (i > 0) assertEquals([imageOf(old), imageOf(item)], [images[i - 1], image]);
      cache.settle();
    }
    assertEquals(
      (old as PackedObject<KubeObject>).bytes.length,
      0,
      "a replaced version holds no bytes",
    );
    const last = (await arrive(packer, pod("last"), schema))[form]!;
    cache.delete(last, "n/a");
    assertEquals(imageOf(last), "last");
    cache.settle();
    assertEquals([last.bytes.length, cache.objectBytes], [0, 0]);
  }
});

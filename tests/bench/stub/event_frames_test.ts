import { assertEquals, assertExists } from "@std/assert";
import { decodeProtobuf, SCHEMAS } from "../../../src/testing/api_server/schema/mod.ts";
import {
  type Fixture,
  listVersion,
  type Representation,
  representation,
} from "./representation.ts";

const decoder = new TextDecoder();

interface Event {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly name: string;
      readonly uid: string;
      readonly resourceVersion: string;
      readonly annotations: Readonly<Record<string, string>>;
      readonly ownerReferences: readonly { readonly uid: string }[];
    };
  };
}

function eventsOf(fixture: Fixture, from: number, to: number, sentAtUs: number): Event[] {
  const events: Event[] = [];
  for (const chunk of chunksOf(representation(fixture, "Pod"), { from, to, sentAtUs })) {
    const lines = decoder.decode(chunk).trimEnd().split("\n");
    events.push(...lines.map((line) => JSON.parse(line)));
  }
  return events;
}

function* chunksOf(
  pods: Representation,
  { from, to, sentAtUs }: { readonly from: number; readonly to: number; readonly sentAtUs: number },
): Generator<Uint8Array> {
  const frames = pods.events();
  for (let at = from; at < to;) {
    const end = frames.chunkEnd(at, to);
    yield frames.chunk(at, end, () => sentAtUs);
    at = end;
  }
}

type Kind = readonly [group: string, version: string, kind: string];

/** Returns the objects of the protobuf events of a chunk. */
function decodedOf(chunk: Uint8Array, kind: Kind): unknown[] {
  const schema = SCHEMAS.kind(...kind);
  assertExists(schema);
  const view = new DataView(chunk.buffer, chunk.byteOffset);
  const objects: unknown[] = [];
  for (let at = 0; at < chunk.length;) {
    const end = at + 4 + view.getUint32(at);
    const frame = chunk.subarray(at + 4, end);
    // The envelope is the last field of an event.
    const envelope = new TextDecoder("latin1").decode(frame).indexOf("k8s\0");
    objects.push(decodeProtobuf(frame.subarray(envelope), schema));
    at = end;
  }
  return objects;
}

for (const keyOrder of ["typed", "alphabetical"] as const) {
  Deno.test(`EventFrames writes increasing versions and send times, with keys in ${keyOrder} order`, () => {
    const fixture = { pods: 30, bytes: 3800, keyOrder };
    const events = eventsOf(fixture, 5, 100, 1_700_000_000_123_456);
    assertEquals(
      events.map(({ object }) => Number(object.metadata.resourceVersion)),
      Array.from({ length: 95 }, (_, i) => listVersion(fixture) + 6 + i),
    );
    assertEquals(
      new Set(events.map(({ object }) => object.metadata.annotations["bench/sent-at"])),
      new Set(["1700000000123456"]),
    );
    assertEquals(new Set(events.slice(0, 30).map(({ object }) => object.metadata.name)).size, 30);
  });
}

Deno.test("representation() lists the Pods of the events, with the requested size", () => {
  const fixture = { pods: 500, bytes: 3800, keyOrder: "typed" } as const;
  const pieces = representation(fixture, "Pod").list(0, 500, { resourceVersion: "1" });
  const { items } = JSON.parse(pieces.map((piece) => decoder.decode(piece)).join(""));
  const names = eventsOf(fixture, 0, 500, 0).map(({ object }) => object.metadata.name).sort();
  const listed = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  assertEquals(listed.sort(), names);
  const mean = JSON.stringify(items).length / 500;
  assertEquals(mean > 3600 && mean < 4100, true, `${mean}`);
});

/** Returns a value without empty fields, which the two encodings do not tell apart. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) =>
    [name, withoutEmpty(inner)] as const
  );
  const isEmpty = (inner: unknown) =>
    !inner || typeof inner === "object" && Object.keys(inner).length === 0;
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner)));
}

Deno.test("representation() has the same events in protobuf", () => {
  const fixture = { pods: 30, bytes: 3800, keyOrder: "typed" } as const;
  const sentAtUs = 1_700_000_000_123_456;
  const protobuf = representation(fixture, "Pod", "protobuf");
  const objects = [...chunksOf(protobuf, { from: 5, to: 100, sentAtUs })]
    .flatMap((chunk) => decodedOf(chunk, ["", "v1", "Pod"]));
  const expected = eventsOf(fixture, 5, 100, sentAtUs).map(({ object }) => object);
  assertEquals(objects.map(withoutEmpty), expected.map(withoutEmpty));
});

Deno.test("representation() has the controller owners of its Pods", () => {
  const fixture = { pods: 3, bytes: 3800, keyOrder: "typed" } as const;
  const events = representation(fixture, "ReplicaSet", "protobuf").initialEvents(0, 3);
  const owners = decodedOf(events, ["apps", "v1", "ReplicaSet"]) as Event["object"][];
  const references = eventsOf(fixture, 0, 3, 0).map(({ object }) =>
    object.metadata.ownerReferences[0]?.uid
  );
  assertEquals(new Set(owners.map(({ metadata }) => metadata.uid)), new Set(references));
});

import { assert, assertEquals } from "@std/assert";
import { CONTROL_ANNOTATIONS } from "../../src/base/mod.ts";
import { scanProtobufEvent, scanProtobufList, scanProtobufObject } from "../../src/protobuf/mod.ts";
import { fuzz } from "../support/seeded_runs.ts";
import { envelope, event, field, type FieldBytes, integer } from "./_message.ts";

const encode = (bytes: readonly number[]) => Uint8Array.from(bytes);

/** Scans an object with these fields in its metadata. */
function scanMetadata(...fields: readonly FieldBytes[]) {
  const bytes = encode(envelope("v1", "Pod", [field(1, fields), field(2, [])]));
  return scanProtobufObject(bytes, 0, bytes.length);
}

const METADATA = [
  field(1, "web-1"),
  field(2, ""),
  field(3, "shop"),
  field(4, ""),
  field(5, "4f8a"),
  field(6, "1234"),
  integer(7, 3),
  field(8, [integer(1, 0), integer(2, 0)]),
  field(9, [integer(1, 86_400), integer(2, 5)]),
  integer(10, 30),
  field(11, [field(1, "app"), field(2, "web")]),
  field(12, [field(1, "note"), field(2, "é")]),
  field(13, [field(1, "ReplicaSet"), field(3, "web")]),
  field(14, "a"),
  field(14, "b"),
  field(17, [field(1, "kubectl")]),
  field(17, [field(1, "kubelet")]),
];

Deno.test("scanProtobufObject() reads the envelope and the metadata", () => {
  const raw = [field(1, METADATA), field(2, [field(1, "spec")]), field(3, [])];
  const bytes = encode([9, 9, ...envelope("apps/v1", "Deployment", raw), 9]);
  const found = scanProtobufObject(bytes, 2, bytes.length - 1)!;
  const managed = bytes.slice(found.managedStart, found.managedEnd);
  assertEquals([...managed], METADATA.slice(-2).flat());
  assertEquals([...bytes.subarray(found.start, found.end)], raw.flat());
  assertEquals(found, {
    bytes,
    start: found.start,
    end: found.end,
    kind: "Deployment",
    apiVersion: "apps/v1",
    namespace: "shop",
    name: "web-1",
    uid: "4f8a",
    resourceVersion: "1234",
    generation: 3,
    deletionTimestamp: "1970-01-02T00:00:00Z",
    finalizers: 2,
    isControlled: false,
    managedStart: found.managedStart,
    managedEnd: found.managedEnd,
    metadataStart: -1,
  });
});

Deno.test("scanProtobufObject() omits what JSON omits", () => {
  const empty = scanMetadata(field(1, ""), field(5, ""), integer(7, 0), field(9, []))!;
  const { bytes: _bytes, start: _start, end: _end, ...rest } = empty;
  assertEquals(rest, {
    kind: "Pod",
    apiVersion: "v1",
    namespace: undefined,
    name: undefined,
    uid: undefined,
    resourceVersion: undefined,
    generation: undefined,
    deletionTimestamp: undefined,
    finalizers: 0,
    isControlled: false,
    managedStart: -1,
    managedEnd: -1,
    metadataStart: -1,
  });
  const zeroTime = scanMetadata(field(9, [integer(1, -62_135_596_800)]));
  assertEquals(zeroTime?.deletionTimestamp, undefined);
});

Deno.test("scanProtobufObject() finds annotations that control controllers, wherever they are", () => {
  const annotation = (name: string) => field(12, [field(1, name), field(2, "true")]);
  const isControlled = (...fields: readonly FieldBytes[]) => scanMetadata(...fields)?.isControlled;
  assertEquals(isControlled(field(1, "a")), false);
  assertEquals(isControlled(annotation("kubectl.kubernetes.io/x"), annotation("kube")), false);
  for (const name of Object.values(CONTROL_ANNOTATIONS)) {
    assertEquals(isControlled(annotation("a"), annotation(name), annotation("z")), true, name);
  }
  // The value before the name, and no name at all: the annotations must be read.
  const name = field(1, "kubeloop.dev/paused");
  assertEquals(isControlled(field(12, [field(2, "true"), name])), true);
  assertEquals(isControlled(field(12, [])), true);
});

Deno.test("scanProtobufObject() takes the last of repeated fields, and merges metadata", () => {
  assertEquals(scanMetadata(field(1, "a"), field(1, "b"))?.name, "b");
  const bytes = encode(envelope("v1", "Pod", [
    field(1, [field(1, "a"), field(3, "n"), field(14, "f"), field(17, [])]),
    field(1, [field(1, "b"), field(14, "g"), field(17, [])]),
  ]));
  const found = scanProtobufObject(bytes, 0, bytes.length)!;
  assertEquals([found.name, found.namespace, found.finalizers], ["b", "n", 2]);
  assertEquals([found.managedStart, found.managedEnd], [-1, -1]);
});

Deno.test("scanProtobufObject() gives no range of managed fields with other fields between", () => {
  const found = scanMetadata(field(17, []), field(1, "a"), field(17, []))!;
  assertEquals([found.name, found.managedStart, found.managedEnd], ["a", -1, -1]);
});

Deno.test("scanProtobufObject() skips unknown fields of each wire type", () => {
  const unknown = [
    integer(15, 1),
    field(16, "x"),
    [18 * 8 % 128 + 128 + 1, 1, ...Array(8).fill(0)],
    [
      ...[19 * 8 % 128 + 128 + 5, 1],
      ...Array(4).fill(0),
    ],
  ];
  assertEquals(scanMetadata(...unknown, field(1, "a"))?.name, "a");
});

Deno.test("scanProtobufObject() reads texts of any length and alphabet", () => {
  for (
    const name of ["é", "\ufeffa", "x".repeat(79), "x".repeat(80), "ü".repeat(300), "😀", "\0"]
  ) {
    assertEquals(scanMetadata(field(1, name), field(3, name))?.name, name);
    assertEquals(scanMetadata(field(1, name), field(3, name))?.namespace, name);
  }
});

Deno.test("scanProtobufObject() does not read the metadata of a Status, which is that of a list", () => {
  const bytes = encode(envelope("v1", "Status", [field(1, [field(1, "link"), field(3, "next")])]));
  const found = scanProtobufObject(bytes, 0, bytes.length)!;
  assertEquals([found.kind, found.name, found.namespace], ["Status", undefined, undefined]);
});

Deno.test("scanProtobufObject() returns undefined for malformed bytes", () => {
  const malformed: Record<string, FieldBytes> = {
    "wrong wire type of a text": integer(1, 1),
    "wrong wire type of a skipped text": integer(2, 1),
    "wrong wire type of generation": field(7, ""),
    "wrong wire type of the grace period": field(10, ""),
    "wrong wire type of managedFields": integer(17, 1),
    "field number 0": field(0, ""),
    "group": [3],
    "end of group": [4],
    "wire type 6": [15 * 8 + 6, 0],
    "truncated length": [10, 0x80],
    "length beyond the end": [10, 200, 1],
    "negative length": [10, ...Array(9).fill(255), 1],
    "varint of eleven bytes": [56, ...Array(10).fill(255), 1],
    "invalid UTF-8": [10, 1, 0xff],
    "invalid UTF-8 of a namespace": [26, 2, 0xc3, 0x28],
    "time out of range": field(9, [integer(1, 1e12)]),
    "wrong wire type of a time": field(9, [field(1, "")]),
    "tag of two bytes for a known field": [0x8a, 0x00, 0],
  };
  assert(scanMetadata(field(1, "a")) !== undefined);
  for (const [reason, bytes] of Object.entries(malformed)) {
    assertEquals(scanMetadata(bytes), undefined, reason);
  }
  const whole = envelope("v1", "Pod", [field(1, METADATA)]);
  for (const start of [0, 1, 2, 3]) {
    const other = encode(whole.with(start, 0xff));
    assertEquals(scanProtobufObject(other, 0, other.length), undefined, "another prefix");
  }
  const json = encode([...whole, ...field(4, "application/json")]);
  assertEquals(scanProtobufObject(json, 0, json.length), undefined, "another encoding");
  const specFirst = encode(envelope("v1", "Pod", [integer(1, 1)]));
  assertEquals(scanProtobufObject(specFirst, 0, specFirst.length), undefined);
});

Deno.test("scanProtobufEvent() reads the type and the object of an event", () => {
  const object = envelope("v1", "Pod", [field(1, METADATA)]);
  const frame = event("MODIFIED", object);
  const bytes = encode([0, 0, 0, 7, ...frame, 0, 0]);
  const found = scanProtobufEvent(bytes, 4, 4 + frame.length)!;
  assertEquals([found.type, found.end], ["MODIFIED", 4 + frame.length]);
  assertEquals([found.object.name, found.object.kind], ["web-1", "Pod"]);
  assertEquals(found.object, scanProtobufObject(bytes, bytes.indexOf(0x6b), 4 + frame.length)!);
  for (let length = 0; length < frame.length; length++) {
    assertEquals(scanProtobufEvent(bytes, 4, 4 + length), undefined, `${length} bytes`);
  }
  for (const content of [[field(1, "ADDED")], [field(1, "ADDED"), field(2, [])]]) {
    const incomplete = encode(content.flat());
    assertEquals(scanProtobufEvent(incomplete, 0, incomplete.length), undefined);
  }
});

Deno.test("scanProtobufList() divides a list into its items", () => {
  const items = ["a", "b", "c"].map((name) => field(2, [field(1, [field(1, name)]), field(2, [])]));
  const metadata = [field(1, ""), field(2, "77"), field(3, "next"), integer(4, 2n ** 60n)];
  const body = encode(envelope("v1", "PodList", [field(1, metadata), ...items]));
  const list = scanProtobufList(body)!;
  assertEquals([list.kind, list.apiVersion], ["PodList", "v1"]);
  assertEquals(list.metadata, {
    resourceVersion: "77",
    continue: "next",
    remainingItemCount: 2n ** 60n,
  });
  assertEquals(list.items.map((item) => item.name), ["a", "b", "c"]);
  assertEquals(list.items.map((item) => [...body.subarray(item.start, item.end)]), [
    ...items.map((item) => item.slice(2)),
  ]);
  assert(list.items.every((item) => item.kind === undefined && item.apiVersion === undefined));
  for (let length = 0; length < body.length; length++) {
    const isWhole = length >= body.length - 4 && length % 2 === body.length % 2; // without the last, empty fields
    assertEquals(
      scanProtobufList(body.subarray(0, length)) !== undefined,
      isWhole,
      `${length} bytes`,
    );
  }
});

Deno.test("scanProtobufList() gives no items of an object that is not a list", () => {
  const body = encode(
    envelope("v1", "Pod", [field(1, [field(2, "x")]), field(2, [integer(1, 1)])]),
  );
  assertEquals(scanProtobufList(body)?.items, []);
});

Deno.test("scanProtobufList() returns undefined for malformed items or metadata", () => {
  const metadata = field(1, [field(2, "77")]);
  for (
    const raw of [[metadata, integer(2, 1)], [metadata, field(2, [integer(1, 1)])], [
      field(1, [integer(2, 1)]),
    ]]
  ) {
    assertEquals(scanProtobufList(encode(envelope("v1", "PodList", raw))), undefined);
  }
});

Deno.test("scans never throw, and keep within the range, for mutated bytes", () =>
  fuzz(60_000, (random, inputs) => {
    const below = (limit: number) => Math.floor(random.next() * limit);
    const list = envelope("v1", "PodList", [
      field(1, [field(2, "77")]),
      field(2, [field(1, METADATA)]),
      field(2, [field(1, METADATA)]),
    ]);
    const frame = [...event("ADDED", envelope("v1", "Pod", [field(1, METADATA)]))];
    let accepted = 0;
    for (let input = 0; input < inputs; input++) {
      const isEvent = below(2) === 0;
      const bytes = encode(isEvent ? frame : list);
      for (let changes = below(4); changes >= 0; changes--) {
        bytes[below(bytes.length)] = below(3) === 0 ? 255 : below(256);
      }
      const cut = bytes.subarray(0, below(4) === 0 ? below(bytes.length) : bytes.length);
      const found = isEvent
        ? [scanProtobufEvent(cut, 0, cut.length)?.object]
        : scanProtobufList(cut)?.items ?? [];
      for (const object of found) {
        if (object === undefined) continue;
        accepted++;
        assert(object.start >= 0 && object.start <= object.end && object.end <= cut.length);
      }
    }
    assert(accepted > inputs / 100);
  }));

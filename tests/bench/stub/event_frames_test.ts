import { assertEquals } from "@std/assert";
import { type Fixture, jsonRepresentation, listVersion } from "./representation.ts";

const decoder = new TextDecoder();

interface Event {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly name: string;
      readonly resourceVersion: string;
      readonly annotations: Readonly<Record<string, string>>;
    };
  };
}

function eventsOf(fixture: Fixture, from: number, to: number, sentAtUs: number): Event[] {
  const frames = jsonRepresentation(fixture, "Object").events();
  const events: Event[] = [];
  for (let at = from; at < to;) {
    const end = frames.chunkEnd(at, to);
    const lines = decoder.decode(frames.chunk(at, end, () => sentAtUs)).trimEnd().split("\n");
    events.push(...lines.map((line) => JSON.parse(line)));
    at = end;
  }
  return events;
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

Deno.test("jsonRepresentation() lists the Pods of the events, with the requested size", () => {
  const fixture = { pods: 500, bytes: 3800, keyOrder: "typed" } as const;
  const pieces = jsonRepresentation(fixture, "Object").list(0, 500, { resourceVersion: "1" });
  const { items } = JSON.parse(pieces.map((piece) => decoder.decode(piece)).join(""));
  const names = eventsOf(fixture, 0, 500, 0).map(({ object }) => object.metadata.name).sort();
  const listed = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  assertEquals(listed.sort(), names);
  const mean = JSON.stringify(items).length / 500;
  assertEquals(mean > 3600 && mean < 4100, true, `${mean}`);
});

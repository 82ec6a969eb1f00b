import { assert, assertEquals } from "@std/assert";
import { scanEvent, scanList, scanObject, valueAt } from "../../src/bytes/mod.ts";
import { readRecording } from "../conformance/recording.ts";
import { RECORDED_SETS } from "../conformance/sets/mod.ts";
import { DEFAULT_MINOR } from "../e2e/minors.ts";
import {
  expectedEvent,
  expectedList,
  expectedObject,
  foundEvent,
  foundList,
  foundObject,
  parse,
} from "./_judge.ts";

const encoder = new TextEncoder();

/** Yields every answer that a real API server gave, whole and line by line. */
async function* recorded(): AsyncGenerator<Uint8Array> {
  const texts = [
    await Deno.readTextFile(new URL("../testdata/article_pods_watch.ndjson", import.meta.url)),
  ];
  for (const { name } of RECORDED_SETS.filter((set) => set.name.startsWith("scenarios/"))) {
    for (const { body } of await readRecording(name, DEFAULT_MINOR)) {
      texts.push((body as readonly string[]).join("\n"));
    }
  }
  for (const text of texts) {
    yield encoder.encode(text);
    const lines = text.split("\n");
    if (lines.length > 1) yield* lines.map((line) => encoder.encode(line));
  }
}

Deno.test("scanEvent(), scanList() and scanObject() agree with JSON.parse on what a real API server sends", async () => {
  const count = { events: 0, lists: 0, items: 0, objects: 0 };
  for await (const bytes of recorded()) {
    const parsed = parse(bytes);
    const event = foundEvent(scanEvent(bytes, 0, bytes.length));
    assertEquals(event, expectedEvent(bytes));
    const list = scanList(bytes);
    assertEquals(foundList(list), expectedList(parsed));
    const object = foundObject(scanObject(bytes, 0, bytes.length));
    assertEquals(object, expectedObject(parsed));
    if (event !== undefined) count.events++;
    if (object !== undefined) count.objects++;
    if (list !== undefined && list.items.length > 0) count.lists++;
    count.items += list?.items.length ?? 0;
  }
  assert(count.events > 200 && count.items > 40 && count.objects > 400, JSON.stringify(count));
});

Deno.test("valueAt() finds every value in the objects that a real API server sends", async () => {
  let values = 0;
  for await (const bytes of recorded()) {
    const { object } = scanEvent(bytes, 0, bytes.length) ?? {};
    if (object === undefined) continue;
    const { start, end } = object;
    const visit = (path: string[], there: unknown) => {
      values++;
      assertEquals(valueAt(bytes, start, end, path), there);
      if (typeof there !== "object" || there === null) return;
      for (const [name, inside] of Object.entries(there)) visit([...path, name], inside);
    };
    visit([], parse(bytes.subarray(start, end)));
  }
  assert(values > 1_000, `${values}`);
});

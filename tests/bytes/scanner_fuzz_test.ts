import { assert, assertEquals } from "@std/assert";
import { scanEvent, scanList, scanObject, valueAt } from "../../src/bytes/mod.ts";
import { fuzz, seededRuns } from "../support/seeded_runs.ts";
import {
  expectedEvent,
  expectedList,
  expectedObject,
  firstLine,
  foundEvent,
  foundList,
  foundObject,
  isSame,
  parse,
} from "./_judge.ts";
import { type DocumentKind, RandomJson } from "./_random_json.ts";

const INPUTS = seededRuns.factor > 1 ? 1_000_000 : 300_000;
/** The number of inputs that are made from one document. */
const VARIANTS = 25;
const START = 3;

function scan(kind: DocumentKind, bytes: Uint8Array, start: number, end: number): unknown {
  if (kind === "event") return foundEvent(scanEvent(bytes, start, end), start);
  if (kind === "object") return foundObject(scanObject(bytes, start, end));
  return foundList(scanList(bytes.subarray(start, end)));
}

function expected(kind: DocumentKind, bytes: Uint8Array, parsed = parse(bytes)): unknown {
  if (kind === "event") return expectedEvent(bytes);
  if (kind === "object") return expectedObject(parsed);
  return expectedList(parsed);
}

/** Returns a random path that usually leads to a value, and that value. */
function randomPath(json: RandomJson, from: unknown): { path: string[]; value: unknown } {
  const path: string[] = [];
  let value = from;
  for (let steps = json.below(5); steps > 0; steps--) {
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const isKnown = keys.length > 0 && json.below(8) > 0;
    const key = json.pick(isKnown ? keys : ["length", "name", "1", "01", "", "ключ", "__proto__"]);
    path.push(key);
    value = keys.includes(key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return { path, value };
}

Deno.test("scanEvent(), scanObject(), scanList() and valueAt() agree with JSON.parse on hundreds of thousands of inputs", () =>
  fuzz(INPUTS, (random, inputs) => {
    const json = new RandomJson(random);
    const encoder = new TextEncoder();
    const buffer = new Uint8Array(1 << 16);
    const count = { accepted: 0, refused: 0, refusedWithoutNeed: 0 };
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // JSON.parse throws for half of the inputs, and stack traces would take most of the time
    try {
      for (let made = 0; made < inputs; made += VARIANTS) {
        const kind = json.pick<DocumentKind>(["event", "event", "object", "list"]);
        const source = encoder.encode(json.document(kind));
        for (let variant = 0; variant < VARIANTS; variant++) {
          const end = json.damaged(source, buffer, START);
          const range = buffer.subarray(START, end);
          const text = () => new TextDecoder().decode(range);
          const found = scan(kind, buffer, START, end);
          if (found === undefined) {
            count.refused++;
            // A refusal is never wrong, and JSON.parse reports errors slowly: checking every fourth refusal is enough.
            if (count.refused % 4 === 0 && expected(kind, range) !== undefined) {
              assertEquals(kind, "list", text());
              count.refusedWithoutNeed++;
            }
            continue;
          }
          count.accepted++;
          const parsed = parse(kind === "event" ? firstLine(range) : range);
          const wanted = expected(kind, range, parsed);
          if (!isSame(found, wanted)) assertEquals(found, wanted, text());
          const { path, value } = randomPath(json, parsed);
          const there = valueAt(buffer, START + range.indexOf(0x7b), end, path);
          if (!isSame(there, value)) assertEquals(there, value, `${path} in ${text()}`);
        }
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    assert(count.accepted > inputs / 4 && count.refused > inputs / 3, JSON.stringify(count));
    // These are lists with two members "items". The first one, which does not count, contains something other than
    // objects.
    assert(count.refusedWithoutNeed < inputs / 1_000, JSON.stringify(count));
  }));

/**
 * A server whose answers have random fields replaced by random values: nothing crashes or loops hot, and after the next
 * list from the honest server the cache equals it.
 */

import type { SeededRandom } from "../../src/testing/mod.ts";
import { forEachSeed } from "../support/seeded_runs.ts";
import { ANYTHING, changed, type Json } from "./behaviours.ts";
import type { Behaviour } from "./malicious_server.ts";
import { MINUTE_MS, Victim } from "./victim.ts";

for (const keeps of ["parsed", "bytes"] as const) {
  for (const streaming of [false, true]) {
    const how = `${keeps}, ${streaming ? "streaming" : "plain"} lists`;
    Deno.test(`an informer (${how}) outlives answers with random values`, async () => {
      await forEachSeed(5, (random) => outlive(keeps, streaming, random, spoilFields));
    });
    Deno.test(`an informer (${how}) outlives answers with random bytes`, async () => {
      await forEachSeed(5, (random) => outlive(keeps, streaming, random, spoilBytes));
    });
  }
}

/** Makes the answers of a server bad, with random numbers. */
type Spoiler = (random: SeededRandom) => Behaviour;

const spoilFields: Spoiler = (random) => {
  const rate = random.next();
  return (asked) =>
    changed(asked, (parsed) => random.next() < rate ? spoil(parsed, random) : parsed);
};

const spoilBytes: Spoiler = (random) => {
  const rate = random.next();
  return async ({ honest }) => {
    const response = await honest();
    const bytes = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (random.next() > rate) return controller.enqueue(chunk);
        for (const piece of broken(chunk, random)) controller.enqueue(piece);
        if (random.next() < 0.1) controller.error(new TypeError("connection reset"));
      },
    });
    const { status, headers } = response;
    return new Response(response.body?.pipeThrough(bytes) ?? null, { status, headers });
  };
};

async function outlive(
  keeps: "parsed" | "bytes",
  streaming: boolean,
  random: SeededRandom,
  spoiler: Spoiler,
): Promise<void> {
  const victim = new Victim(keeps, streaming);
  await victim.start();
  victim.server.behave(spoiler(random));
  victim.server.expire();
  for (let round = 0; round < 5; round++) {
    await victim.change();
    await victim.server.clock.advance(random.next() * 5 * MINUTE_MS);
    if (random.next() < 0.5) victim.server.cut(random.next() < 0.5);
  }
  // Watches without bookmarks say nothing of versions, so the informer lists again after a few of them.
  victim.server.cut(true);
  victim.server.behave(({ verb }) =>
    verb === "watch" ? new Response(new ReadableStream()) : undefined
  );
  await victim.server.clock.advance(15 * MINUTE_MS);
  victim.server.behave(undefined);
  await victim.server.clock.advance(30 * MINUTE_MS);
  await victim.assertEqual();
  victim.assertPaced();
  victim.assertLines();
  await victim.assertStops();
}

/** Flips, doubles, cuts and inserts bytes, and divides the rest into pieces. */
function broken(chunk: Uint8Array, random: SeededRandom): Uint8Array[] {
  const at = () => Math.floor(random.next() * chunk.length);
  const [a = 0, b = 0] = [at(), at()].sort((a, b) => a - b);
  const middle = chunk.slice(a, b);
  const insert = new Uint8Array(Math.floor(random.next() * 8)).map(() => random.next() * 256);
  switch (Math.floor(random.next() * 5)) {
    case 0:
      middle.forEach((_, i) => random.next() < 0.05 && (middle[i] = random.next() * 256));
      return [chunk.slice(0, a), middle, chunk.slice(b)];
    case 1:
      return [chunk.slice(0, b), middle, chunk.slice(b)];
    case 2:
      return [chunk.slice(0, a), chunk.slice(b)];
    case 3:
      return [chunk.slice(0, a), insert, chunk.slice(a)];
    default:
      return [chunk.slice(0, a)];
  }
}

/** Replaces one random field of `parsed`, at any depth. */
function spoil(parsed: Json, random: SeededRandom): Json {
  let holder: Json = { parsed };
  const root = holder;
  let key = "parsed";
  while (random.next() < 0.75) {
    const next = holder[key];
    if (typeof next !== "object" || next === null) break;
    const keys = Object.keys(next);
    if (keys.length === 0) break;
    holder = next;
    key = keys[Math.floor(random.next() * keys.length)]!;
  }
  const value = ANYTHING[Math.floor(random.next() * ANYTHING.length)];
  if (random.next() < 0.2) delete holder[key];
  else holder[key] = value;
  return root.parsed ?? null;
}

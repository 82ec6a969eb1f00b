/**
 * V8 takes one key for another after an object with a backslash in a key (see `src/base/parse_json.ts`). Plain and
 * compact caches read every object right, whatever objects came before it.
 */

import { assertEquals } from "@std/assert";
import { SharedInformer } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { ConfigMaps } from "../../src/types/mod.ts";

const raw = String.raw;

/** Keys with a backslash, and keys with an escape of the same length, as they are in JSON. */
const KEYS: readonly (readonly [hostile: string, victim: string, read: string])[] = [
  [raw`\\`, raw`\u003c`, "<"],
  [raw`\u005c`, raw`\u003e`, ">"],
  [raw`a\\`, raw`a\"`, 'a"'],
  [raw`\\u`, raw`\u0026b`, "&b"],
  [raw`k:{\\\"name\\\"`, raw`k:{\"name\":\"x\"`, 'k:{"name":"x"'],
];

function object(index: number, key: string, name: string): string {
  return `{"metadata":{"name":"${name}","namespace":"x","resourceVersion":"5"},` +
    `"data":{"shape ${index}":"1","${key}":"2"}}`;
}

for (const keeps of ["parsed", "bytes"] as const) {
  for (const watched of [false, true]) {
    Deno.test(`a ${keeps} cache reads keys right after hostile ones, ${watched ? "watched" : "listed"}`, async () => {
      const hostile = KEYS.map(([key], index) => object(index, key, `hostile-${index}`));
      const victims = KEYS.map(([, key], index) => object(index, key, `victim-${index}`));
      const keys = await keysRead(keeps, watched, [...hostile, ...victims]);
      KEYS.forEach(([key, , read], index) => {
        const name = (text: string) => [`shape ${index}`, text];
        assertEquals(keys.get(`x/hostile-${index}`), name(JSON.parse(`"${key}"`)));
        assertEquals(keys.get(`x/victim-${index}`), name(read));
      });
    });
  }
}

/** Returns the keys of the data of each object, as an informer reads them. */
async function keysRead(
  keeps: "parsed" | "bytes",
  watched: boolean,
  objects: readonly string[],
): Promise<Map<string, string[]>> {
  const clock = new VirtualClock();
  const lines = objects.map((text) => `{"type":"ADDED","object":${text}}\n`).join("");
  const items = watched ? "" : objects.join(",");
  const client = new Client({
    clock,
    fetch: ({ url }) => {
      if (!new URL(url).searchParams.has("watch")) {
        const list = `{"metadata":{"resourceVersion":"4"},"items":[${items}]}`;
        return Promise.resolve(new Response(list));
      }
      return Promise.resolve(
        new Response(
          new ReadableStream({
            start: (controller) => watched && controller.enqueue(new TextEncoder().encode(lines)),
          }),
        ),
      );
    },
  });
  const source = { ...client.listerWatcher(ConfigMaps), isWatchListSemanticsUnsupported: true };
  const informer = new SharedInformer(source, {
    resource: ConfigMaps,
    keepParsed: keeps === "parsed",
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.advance(1_000);
  const keys = new Map(
    informer.indexer.listKeys().map((key): [string, string[]] => [
      key,
      Object.keys(informer.indexer.getByKey(key)?.data ?? {}),
    ]),
  );
  stop.abort();
  await clock.run(running, 2_000);
  await client.close();
  return keys;
}

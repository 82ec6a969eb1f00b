/** Tests that lists return the same objects and the same errors with a reader as without one. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { PackedObject } from "../../src/cache/packed/mod.ts";
import { Client } from "../../src/client/mod.ts";
import {
  type BatchedWatch,
  type KubeList,
  type ListerWatcher,
  type ObjectReader,
  Pods,
} from "../../src/types/mod.ts";
import { packer, unpacked } from "../cache/packed/_packed.ts";
import { bodyOf, ScriptedFetch } from "./_scripted_fetch.ts";

/** Valid lists. */
const LISTS: Readonly<Record<string, string>> = {
  "a typed list":
    '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"x"},' +
    '"items":[{"metadata":{"name":"a","namespace":"x"}},{"metadata":{"name":"ä\\n"},"spec":{}}]}',
  "a list in another order":
    '{ "items" : [ {"kind":"Pod","metadata":{"name":"a"}} ],\n "metadata":{} }',
  "an empty list": '{"metadata":{"resourceVersion":"9"},"items":[]}',
  "a list whose items are null": '{"metadata":{"resourceVersion":"9"},"items":null}',
  "a list with duplicate items": '{"metadata":{},"items":[{"metadata":{"name":"a"}}],"items":[]}',
  "items with fields of other types":
    '{"metadata":{},"items":[{"metadata":{"name":5,"uid":{}}},{"kind":null,"metadata":{"name":"b"}}]}',
  "items without metadata": '{"metadata":{},"items":[{},{"metadata":null}]}',
  "a deeply nested item": `{"metadata":{},"items":[{"metadata":{"name":"a"},"spec":${
    "[".repeat(2_000)
  }${"]".repeat(2_000)}}]}`,
  "a Table with items":
    '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[{"metadata":{"name":"a"}}]}',
};

/** Bodies that are not lists. */
const OTHERS: Readonly<Record<string, string>> = {
  "a list without items": '{"kind":"PodList","metadata":{}}',
  "a list without metadata": '{"kind":"PodList","items":[{"metadata":{"name":"a"}}]}',
  "a list whose metadata is null": '{"metadata":null,"items":[{"metadata":{"name":"a"}}]}',
  "a list whose metadata is a list": '{"metadata":[],"items":[{"metadata":{"name":"a"}}]}',
  "a list whose items are an object": '{"metadata":{},"items":{"a":{}}}',
  "a Table": '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"rows":[]}',
  "a Status":
    '{"kind":"Status","status":"Failure","code":500,"reason":"InternalError","message":"no"}',
  "a web page": "<html><body>Sign in</body></html>",
  "a list that was cut off": '{"metadata":{},"items":[{"metadata":{"name":"a"}},{"metada',
  "a list with text after it": '{"metadata":{},"items":[{"metadata":{"name":"a"}}]} x',
  "a number": "5",
  "null": "null",
  "nothing": "",
};

async function outcomeOf(body: string, reader?: ObjectReader): Promise<unknown> {
  const client = new Client({ fetch: new ScriptedFetch(new Response(body)).fetch });
  try {
    const pods: ListerWatcher = client.listerWatcher(Pods);
    return await (reader === undefined ? pods : pods.readBy!(reader)).list({}, {});
  } catch (error) {
    return String(error);
  }
}

for (const [what, body] of Object.entries(LISTS)) {
  Deno.test(`Client.listerWatcher() with a reader returns the same list as without one: ${what}`, async () => {
    const plain = await outcomeOf(body) as { items: unknown[] };
    const read = await outcomeOf(body, packer()) as KubeList;
    const items = read.items.map(unpacked);
    assertEquals<unknown>({ ...read, items }, plain);
  });
}

for (const [what, body] of Object.entries(OTHERS)) {
  Deno.test(`Client.listerWatcher() with a reader fails with the same error as without one: ${what}`, async () => {
    const plain = await outcomeOf(body);
    assert(typeof plain === "string", "the body was accepted as a list");
    assertEquals(await outcomeOf(body, packer()), plain);
  });
}

Deno.test("Client.listerWatcher() passes the whole body to a reader and returns the list that it reads", async () => {
  const body = '{"metadata":{},"items":[{"metadata":{"name":"a"}}]}';
  const bodies: string[] = [];
  const list = { metadata: {}, items: [{ metadata: { name: "read" } }] };
  const reader: ObjectReader = {
    readList(bytes) {
      bodies.push(new TextDecoder().decode(bytes));
      return list;
    },
    readEvent: () => undefined,
  };
  assertStrictEquals(await outcomeOf(body, reader), list);
  assertEquals(bodies, [body]);
});

Deno.test("Client.listerWatcher().readBy() reads lists and watches with a reader", async () => {
  const line = (name: string) => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}\n`;
  const fetch = new ScriptedFetch(
    Response.json({ metadata: {}, items: [{ metadata: { name: "a" } }] }),
    new Response(bodyOf([line("a") + line("b")])),
    new Response(bodyOf([line("a")])),
  );
  const pods = new Client({ fetch: fetch.fetch }).listerWatcher(Pods, { namespace: "x" })
    .readBy?.(packer());
  assert(pods !== undefined);
  const { items } = await pods.list({}, {});
  const watch = await pods.watch({ resourceVersion: "1" }, {}) as BatchedWatch;
  const batches = [];
  const reading = watch.batches();
  for (let batch; !(batch = await reading.next()).done;) batches.push(batch.value);
  const isPacked = (object: unknown) => object instanceof PackedObject;
  assertEquals([items.map(isPacked), batches.flat().map(({ object }) => isPacked(object))], [
    [true],
    [
      true,
      true,
    ],
  ]);
  const parsed = [];
  for await (const { object } of await pods.watch({}, {})) parsed.push(object);
  assertEquals<unknown>(parsed, [{ metadata: { name: "a" } }], "single events are parsed");
  assertEquals(
    fetch.requests.map(({ url }) => new URL(url).pathname),
    Array(3).fill("/api/v1/namespaces/x/pods"),
  );
});

Deno.test("WatchStream.batches() passes lines to a reader and parses the lines that it cannot read", async () => {
  const lines = ["first", "second", "third"].map((name) =>
    `{"type":"MODIFIED","object":{"metadata":{"name":"${name}"}}}\n`
  );
  const text = `${lines.join("")}\n`;
  const client = new Client({
    fetch: new ScriptedFetch(new Response(bodyOf([text.slice(0, 70), text.slice(70)]))).fetch,
  });
  const seen: string[] = [];
  const own = { metadata: { name: "its own" } };
  const reader: ObjectReader = {
    readList: () => undefined,
    readEvent(bytes, start, end) {
      const [line = ""] = new TextDecoder().decode(bytes.subarray(start, end)).split("\n");
      seen.push(line);
      const lineEnd = start + line.length;
      return line.includes("second") ? { type: "DELETED", object: own, end: lineEnd } : undefined;
    },
  };
  const events = [];
  for await (const batch of (await client.watch(Pods)).batches(reader)) events.push(...batch);
  assertEquals(seen, lines.map((line) => line.trimEnd()));
  assertEquals<unknown>(events, [
    { type: "MODIFIED", object: { metadata: { name: "first" } } },
    { type: "DELETED", object: own, end: 59 },
    { type: "MODIFIED", object: { metadata: { name: "third" } } },
  ]);
});

/**
 * An informer that keeps bytes and an informer that keeps parsed objects get the same objects, notifications, log lines
 * and requests from every answer of a server.
 */

import { assertEquals } from "@std/assert";
import { metaNamespaceIndexFunc, pathIndexFunc, SharedInformer } from "../../../src/cache/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { type Pod, Pods } from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";

const encoder = new TextEncoder();

/** The answers of a server: the body of a list, and the lines of a watch, which then stays open. */
interface Script {
  readonly list?: string;
  /** Whether the informer lists by a watch. Default false. */
  readonly streaming?: boolean;
  readonly lines?: readonly string[];
}

const LIST = '{"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a"}}]}';

/** Runs an informer for ten seconds. Returns its cached objects, notifications, log lines, requests and state. */
async function outcomeOf(keepParsed: boolean, script: Script): Promise<unknown> {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const asked: string[] = [];
  const told: unknown[] = [];
  const stop = new AbortController();
  let hasWatched = false;
  const client = new Client({
    clock,
    logger,
    fetch({ url }) {
      const { searchParams } = new URL(url);
      asked.push(`${searchParams.get("watch")} ${searchParams.get("resourceVersion")}`);
      if (!searchParams.has("watch")) return Promise.resolve(new Response(script.list ?? LIST));
      const text = hasWatched ? "" : (script.lines ?? []).map((line) => `${line}\n`).join("");
      hasWatched = true;
      return Promise.resolve(new Response(openBody(text)));
    },
  });
  const source = client.listerWatcher(Pods);
  const pods = new SharedInformer<Pod>(
    { ...source, isWatchListSemanticsUnsupported: script.streaming !== true },
    {
      clock,
      logger,
      random: { next: () => 0 },
      resource: Pods,
      keepParsed,
    },
  );
  pods.setWatchErrorHandler((_, error) => void told.push(String(error)));
  pods.addChangeHandler((change) => void told.push(change));
  const running = pods.run({ signal: stop.signal });
  await clock.advance(10_000);
  const { informer } = pods.snapshot();
  const outcome = {
    asked,
    told,
    cached: Object.fromEntries(
      pods.indexer.listKeys().map((key) => [key, pods.indexer.getByKey(key)]),
    ),
    version: pods.lastSyncResourceVersion(),
    lines: logger.lines,
    reflector: { ...informer, lastError: String(informer?.lastError) },
  };
  stop.abort();
  await clock.run(running, 5_000);
  return outcome;
}

function openBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => text === "" ? undefined : controller.enqueue(encoder.encode(text)),
  });
}

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const list = (...items: string[]) =>
  `{"metadata":{"resourceVersion":"5"},"items":[${items.join()}]}`;
const event = (object: string, type = "MODIFIED") => `{"type":"${type}","object":${object}}`;
const AFTER = event('{"metadata":{"name":"after","resourceVersion":"9"}}', "ADDED");

const SCRIPTS: Readonly<Record<string, Script>> = {
  "a list with a deeply nested object": {
    list: list(`{"metadata":{"name":"a","resourceVersion":"4"},"spec":${deep(2_000)}}`),
  },
  "items without a name": {
    list: list('{"metadata":{"name":""}}', "{}", '{"metadata":null}', '{"metadata":{"name":"b"}}'),
  },
  "items that are not objects": { list: list("null", "5", '"a"', '{"metadata":{"name":"b"}}') },
  "items with fields of unexpected types": {
    list: list('{"metadata":{"name":7}}', '{"metadata":{"name":"b","uid":[1]}}'),
  },
  "items with the same key": {
    list: list('{"metadata":{"name":"b"},"spec":{"nodeName":"1"}}', '{"metadata":{"name":"b"}}'),
  },
  "a list whose items are null": { list: '{"metadata":{"resourceVersion":"5"},"items":null}' },
  "a list without items": { list: '{"metadata":{"resourceVersion":"5"}}' },
  "a list without metadata": { list: '{"items":[{"metadata":{"name":"a"}}]}' },
  "a Table": { list: '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"rows":[]}' },
  "a Table that has items": {
    list:
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[{"metadata":{"name":"a"}}]}',
  },
  "a Status": {
    list: '{"kind":"Status","status":"Failure","code":403,"reason":"Forbidden","message":"no"}',
  },
  "an HTML page": { list: "<html><body>Sign in</body></html>" },
  "events whose members come in any order": {
    lines: [
      event('{"spec":{"nodeName":"n1"},"metadata":{"resourceVersion":"6","name":"a"}}'),
      '{"object":{"metadata":{"name":"b","resourceVersion":"7"},"kind":"Pod"},"type":"ADDED"}',
      event('{"metadata":{"name":"a","resourceVersion":"8"}}', "DELETED"),
    ],
  },
  "a deeply nested object": {
    lines: [event(`{"metadata":{"name":"a","resourceVersion":"6"},"spec":${deep(2_000)}}`), AFTER],
  },
  "an object without metadata": { lines: [event('{"kind":"Pod"}'), AFTER] },
  "an object without metadata in the last event": { lines: [event('{"spec":{}}')] },
  "an object whose metadata is null": { lines: [event('{"metadata":null}'), AFTER] },
  "an object whose metadata is a string": { lines: [event('{"metadata":"a"}'), AFTER] },
  "an object without a name": { lines: [event('{"metadata":{"resourceVersion":"6"}}'), AFTER] },
  "an object whose name is empty": { lines: [event('{"metadata":{"name":""}}'), AFTER] },
  "an object whose name is a number": { lines: [event('{"metadata":{"name":7}}'), AFTER] },
  "a deletion without a name": { lines: [event('{"metadata":{}}', "DELETED"), AFTER] },
  "an object of another kind": { lines: [event('{"kind":"Node","metadata":{"name":"n"}}'), AFTER] },
  "an object of another version": {
    lines: [event('{"kind":"Pod","apiVersion":"v2","metadata":{"name":"n"}}'), AFTER],
  },
  "an object of kind PartialObjectMetadata": {
    lines: [
      event(
        '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}}',
      ),
    ],
  },
  "an object that is an array": { lines: [event("[]"), AFTER] },
  "an unknown event type": { lines: [event('{"metadata":{"name":"a"}}', "RENAMED"), AFTER] },
  "a bookmark": { lines: [event('{"metadata":{"resourceVersion":"77"}}', "BOOKMARK")] },
  "an expired resource version": {
    lines: [event('{"kind":"Status","code":410,"reason":"Expired","message":"too old"}', "ERROR")],
  },
  "a line that is not JSON": { lines: ["garbage", AFTER] },
  "a streaming list": {
    streaming: true,
    lines: [
      event('{"metadata":{"name":"a","resourceVersion":"3"}}', "ADDED"),
      event('{"metadata":{"name":"b","resourceVersion":"4"},"spec":{"nodeName":"n1"}}', "ADDED"),
      event('{"metadata":{}}', "ADDED"),
      event('{"metadata":{"name":"a","resourceVersion":"5"}}', "DELETED"),
      event(
        '{"metadata":{"resourceVersion":"6","annotations":{"k8s.io/initial-events-end":"true"}}}',
        "BOOKMARK",
      ),
      event('{"metadata":{"name":"b","resourceVersion":"7"}}'),
      AFTER,
    ],
  },
};

for (const [what, script] of Object.entries(SCRIPTS)) {
  Deno.test(`SharedInformer treats ${what} alike, whether it keeps bytes or parsed objects`, async () => {
    assertEquals(await outcomeOf(false, script), await outcomeOf(true, script));
  });
}

Deno.test("SharedInformer does not parse objects that are never read", async () => {
  const parsed: string[] = [];
  const { parse } = JSON;
  JSON.parse = (text, ...rest) => {
    if (text.includes("nodeName")) parsed.push(text);
    return parse(text, ...rest);
  };
  try {
    const object = (name: string) => `{"metadata":{"name":"${name}"},"spec":{"nodeName":"n1"}}`;
    const clock = new VirtualClock();
    const lines = ["ADDED", "MODIFIED", "DELETED"].map((type) => `${event(object("b"), type)}\n`);
    const answer = (url: string) =>
      url.includes("watch") ? openBody(lines.join("")) : list(object("a"));
    const client = new Client({
      clock,
      fetch: ({ url }) => Promise.resolve(new Response(answer(url))),
    });
    const source = { ...client.listerWatcher(Pods), isWatchListSemanticsUnsupported: true };
    const pods = new SharedInformer(source, {
      clock,
      resource: Pods,
      indexers: { node: pathIndexFunc("spec.nodeName"), namespace: metaNamespaceIndexFunc },
    });
    const keys: string[] = [];
    pods.addChangeHandler(({ type, key }) => void keys.push(`${type} ${key}`));
    const stop = new AbortController();
    const running = pods.run({ signal: stop.signal });
    await clock.advance(10);
    assertEquals([keys, parsed], [["Added a", "Added b", "Updated b", "Deleted b"], []]);
    assertEquals(pods.indexer.byIndex("node", "n1").map(({ metadata }) => metadata.name), ["a"]);
    assertEquals(parsed, [object("a")]);
    stop.abort();
    await clock.run(running, 5_000);
  } finally {
    JSON.parse = parse;
  }
});

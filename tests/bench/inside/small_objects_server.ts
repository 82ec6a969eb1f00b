/**
 * An API server of many small objects, which it makes as they are asked for, so that a million of them take no memory.
 * Each namespace has as many objects as the whole cluster. Measured processes start it, on their own runtime:
 * `small_objects_server.ts COUNT`. It prints its port, and ends with its standard input.
 *
 * @module
 */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

const FIRST_VERSION = 1_000_000_000;
/** A prime, so that events have another order than the list. */
const STRIDE = 7919;
const CHUNK_CHARACTERS = 65_536;

const count = Number(process.argv[2]);
/** The open watches, with their namespaces. */
const watches = new Map<ServerResponse, string | undefined>();
let opened = 0;
let sent = 0;
const waiters: (() => void)[] = [];

function objectText(index: number, namespace: string | undefined, version: number): string {
  const id = `${index}`.padStart(7, "0");
  return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"object-${id}","namespace":"${
    namespace ?? `ns-${index % 50}`
  }","uid":"0f8fad5b-d9cb-469f-a165-7086${id}1","resourceVersion":"${version}",` +
    `"creationTimestamp":"2026-11-01T10:00:00Z","labels":{"app":"app-${index % 400}"}},` +
    `"spec":{"nodeName":"node-${index % 500}"},"status":{"phase":"Running"}}`;
}

function listText(namespace: string | undefined, from: number, to: number): string {
  const items: string[] = [];
  for (let i = from; i < to; i++) items.push(objectText(i, namespace, FIRST_VERSION + i));
  const metadata = {
    resourceVersion: `${FIRST_VERSION + count}`,
    ...(to < count ? { continue: `${to}`, remainingItemCount: count - to } : {}),
  };
  return `{"kind":"PodList","apiVersion":"v1","metadata":${
    JSON.stringify(metadata)
  },"items":[${items.join()}]}`;
}

/** Sends `events` changes to a watch, as fast as it reads them. */
async function flood(watch: ServerResponse, namespace: string | undefined, events: number) {
  const before = sent;
  for (let i = 0; i < events && !watch.destroyed;) {
    let text = "";
    for (; i < events && text.length < CHUNK_CHARACTERS; i++) {
      const version = FIRST_VERSION + count + before + i + 1;
      const object = objectText((before + i) * STRIDE % count, namespace, version);
      text += `{"type":"MODIFIED","object":${object}}\n`;
    }
    if (watch.write(text)) continue;
    await new Promise<void>((resolve) => {
      const go = () => {
        watch.off("drain", go);
        watch.off("close", go);
        resolve();
      };
      watch.on("drain", go).on("close", go);
    });
  }
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const answer = (body: string, status = 200) => {
    const length = `${Buffer.byteLength(body)}`;
    response.writeHead(status, { "content-type": "application/json", "content-length": length });
    response.end(body);
  };
  const wanted = Number(query.get("count"));
  if (pathname === "/_bench/opened") {
    while (opened < wanted) await new Promise<void>((resolve) => waiters.push(resolve));
    return answer("{}");
  }
  if (pathname === "/_bench/flood") {
    for (const [watch, namespace] of watches) void flood(watch, namespace, wanted);
    sent += wanted;
    return answer("{}");
  }
  const [, namespace] = /^\/api\/v1\/namespaces\/([^/]+)\/pods$/.exec(pathname) ?? [];
  if (query.get("sendInitialEvents") === "true") {
    return answer('{"kind":"Status","status":"Failure","reason":"Invalid","code":422}', 422);
  }
  if (query.get("watch") !== "true") {
    const from = Number(query.get("continue") ?? 0);
    return answer(
      listText(namespace, from, Math.min(count, from + (Number(query.get("limit")) || count))),
    );
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  watches.set(response, namespace);
  response.on("close", () => void watches.delete(response));
  opened++;
  for (const wake of waiters.splice(0)) wake();
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.stdin.on("end", () => process.exit(0)).resume();

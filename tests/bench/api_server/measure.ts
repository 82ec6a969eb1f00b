/**
 * Measures the in-process API server and the real one, with the same client.
 *
 * Rates include the client, which uses the cores of the same machine. Memory is the resident memory of the server's
 * processes.
 *
 * @module
 */

import { type ConfigMap, ConfigMaps, Namespaces } from "@kubeloop/controller";
import type { Measured } from "../cases/case.ts";
import { ourServer, realServer, type Target } from "./targets.ts";

const OBJECT_BYTES = 1_024;
const CONCURRENCY = 16;
const WATCHES = 1_000;
const EVENTS = 20;
const NAMESPACE = "bench";

/** Measures a server with the given number of objects. */
export async function measureApiServer(which: string, objects: number): Promise<Measured> {
  await using target = which === "kube-apiserver" ? await realServer() : await ourServer();
  const { client } = target;
  const call = { namespace: NAMESPACE };
  const requests = objects;
  await client.create(Namespaces, { metadata: { name: NAMESPACE } });
  const before = await target.residentMiB();
  const creating = await timed(() =>
    inParallel(objects, (i) => client.create(ConfigMaps, configMap(i), call))
  );
  const after = await target.residentMiB();
  const listing = await timed(() => client.list(ConfigMaps, call));
  const getting = await timed(() =>
    inParallel(requests, (i) => client.get(ConfigMaps, `bench-${i}`, call))
  );
  const patching = await timed(() =>
    inParallel(requests / 4, (i) => {
      const patch = { data: { n: crypto.randomUUID() } };
      return client.patch(ConfigMaps, `bench-${i}`, patch, call);
    })
  );
  const fanning = await fanOut(target);
  return {
    listMs: listing,
    readyMs: target.readyMs,
    createPerS: perSecond(objects, creating),
    getPerS: perSecond(requests, getting),
    patchPerS: perSecond(requests / 4, patching),
    fanOutPerS: perSecond(WATCHES * EVENTS, fanning),
    objectKib: (after - before) * 1024 / objects,
    residentMiB: after,
  };
}

function perSecond(count: number, ms: number): number {
  return count / ms * 1000;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs `work` for 0 … `count` - 1, `CONCURRENCY` calls at a time. */
async function inParallel(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

function configMap(i: number): ConfigMap {
  return { metadata: { name: `bench-${i}` }, data: { text: "x".repeat(OBJECT_BYTES) } };
}

/** Returns the milliseconds from the first of `EVENTS` patches until `WATCHES` watches have received all events. */
async function fanOut({ client }: Target): Promise<number> {
  const stop = new AbortController();
  const call = { namespace: NAMESPACE };
  const { metadata: { resourceVersion = "" } } = await client.list(ConfigMaps, {
    ...call,
    limit: 1,
  });
  const watches = await Promise.all(
    Array.from(
      { length: WATCHES },
      () => client.watch(ConfigMaps, { ...call, resourceVersion, signal: stop.signal }),
    ),
  );
  const seen = watches.map(async (watch) => {
    let count = 0;
    for await (const _event of watch) if (++count === EVENTS) break;
  });
  const ms = await timed(async () => {
    for (let i = 0; i < EVENTS; i++) {
      const patch = { data: { tick: crypto.randomUUID() } };
      await client.patch(ConfigMaps, "bench-0", patch, call);
    }
    await Promise.all(seen);
  });
  stop.abort();
  return ms;
}

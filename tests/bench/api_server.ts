/**
 * How the in-process API server compares with the real one, on this machine, with one client for both: `deno task bench`.
 *
 * Rates are of the whole: the client is on the same machine and takes its part of the cores. Memory is resident memory of
 * the server's processes.
 *
 * @module
 */

import { type ConfigMap, ConfigMaps, Namespaces } from "@kubeloop/controller";
import { ourServer, realServer, type Target } from "./targets.ts";

const OBJECTS = 5_000;
const OBJECT_BYTES = 1_024;
const REQUESTS = 4_000;
const CONCURRENCY = 16;
const WATCHES = 1_000;
const EVENTS = 20;
const ROUNDS = 3;

/** One figure of one target. */
interface Row {
  readonly what: string;
  readonly unit: string;
  readonly values: readonly number[];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs `work` for 0 … `count` - 1, `CONCURRENCY` at a time. */
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

/** Milliseconds from the first of `EVENTS` patches until `WATCHES` watches have seen them all. */
async function fanOut({ client }: Target, namespace: string): Promise<number> {
  const stop = new AbortController();
  const { metadata: { resourceVersion = "" } } = await client.listPage(ConfigMaps, {
    namespace,
    limit: 1,
  });
  const watches = await Promise.all(
    Array.from(
      { length: WATCHES },
      () => client.watch(ConfigMaps, { namespace, resourceVersion, signal: stop.signal }),
    ),
  );
  const seen = watches.map(async (watch) => {
    let count = 0;
    for await (const _event of watch) if (++count === EVENTS) break;
  });
  const ms = await timed(async () => {
    for (let i = 0; i < EVENTS; i++) {
      await client.patch(ConfigMaps, "bench-0", { data: { tick: crypto.randomUUID() } }, {
        namespace,
      });
    }
    await Promise.all(seen);
  });
  stop.abort();
  return ms;
}

async function repeat(work: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round++) values.push(await work());
  return values;
}

async function measure(target: Target): Promise<Row[]> {
  const { client } = target;
  const namespace = "bench";
  const call = { namespace };
  const perSecond = (count: number, ms: number) => count / ms * 1000;
  await client.create(Namespaces, { metadata: { name: namespace } });

  const before = await target.residentMiB();
  const creating = await timed(() =>
    inParallel(OBJECTS, (i) => client.create(ConfigMaps, configMap(i), call))
  );
  const after = await target.residentMiB();
  const listing = await repeat(() => timed(() => client.list(ConfigMaps, call)));
  const getting = await repeat(() =>
    timed(() => inParallel(REQUESTS, (i) => client.get(ConfigMaps, `bench-${i}`, call)))
  );
  const patching = await repeat(() =>
    timed(() =>
      inParallel(
        REQUESTS / 4,
        (i) => client.patch(ConfigMaps, `bench-${i}`, { data: { n: crypto.randomUUID() } }, call),
      )
    )
  );
  const fanning = await repeat(() => fanOut(target, namespace));
  return [
    { what: "ready", unit: "ms", values: [target.readyMs] },
    { what: "create", unit: "/s", values: [perSecond(OBJECTS, creating)] },
    {
      what: `memory per object of ${OBJECT_BYTES} B`,
      unit: "KiB",
      values: [(after - before) * 1024 / OBJECTS],
    },
    { what: "memory in all", unit: "MiB", values: [after] },
    { what: `list of ${OBJECTS}, in pages`, unit: "ms", values: listing },
    { what: "get", unit: "/s", values: getting.map((ms) => perSecond(REQUESTS, ms)) },
    { what: "patch", unit: "/s", values: patching.map((ms) => perSecond(REQUESTS / 4, ms)) },
    {
      what: `events to ${WATCHES} watches`,
      unit: "/s",
      values: fanning.map((ms) => perSecond(WATCHES * EVENTS, ms)),
    },
  ];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function shown({ values, unit }: Row): string {
  const round = (value: number) => value >= 100 ? value.toFixed(0) : value.toFixed(1);
  const spread = values.length === 1
    ? ""
    : ` (${round(Math.min(...values))}–${round(Math.max(...values))})`;
  return `${round(median(values))} ${unit}${spread}`;
}

async function goIsThere(): Promise<boolean> {
  try {
    return (await new Deno.Command("go", { args: ["version"], stdout: "null" }).output()).success;
  } catch {
    return false;
  }
}

const makers = [ourServer];
if (await goIsThere()) makers.push(realServer);
else console.error("no go on this machine to build the real server with: ours alone");

const results: { name: string; rows: Row[] }[] = [];
for (const make of makers) {
  await using target = await make();
  console.error(`measuring ${target.name} …`);
  results.push({ name: target.name, rows: await measure(target) });
}
const [first, second] = results;
console.log(
  `| median (spread) of ${ROUNDS} | ${results.map(({ name }) => name).join(" | ")} | ratio |`,
);
console.log(`| --- | ${results.map(() => "---").join(" | ")} | --- |`);
for (const [index, row] of (first?.rows ?? []).entries()) {
  const other = second?.rows[index];
  const ratio = other === undefined ? "" : (median(row.values) / median(other.values)).toFixed(2);
  const cells = results.map(({ rows }) => shown(rows[index] as Row));
  console.log(`| ${row.what} | ${cells.join(" | ")} | ${ratio} |`);
}

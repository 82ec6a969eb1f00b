import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  DeltaFIFO,
  type Deltas,
  Informer,
  type InformerConfig,
  metaNamespaceKeyFunc,
  newInformer,
  newStore,
} from "../../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { pod } from "../reflector/_scripted_source.ts";

function short(deltas: Deltas<Pod>): string {
  return deltas.map(({ type, object }) => `${type}(${(object as Pod).metadata.name})`).join(" ");
}

interface Bench {
  readonly clock: VirtualClock;
  readonly source: FakeControllerSource<Pod>;
  readonly logger: RecordingLogger;
  readonly queue: DeltaFIFO<Pod>;
  readonly informer: Informer<Pod>;
  run(): Promise<() => Promise<void>>;
}

function bench(config: Pick<InformerConfig<Pod>, "process"> & Partial<InformerConfig<Pod>>): Bench {
  const clock = new VirtualClock();
  const source = new FakeControllerSource<Pod>();
  const logger = new RecordingLogger();
  const queue = config.queue ?? new DeltaFIFO<Pod>({ logger });
  const informer = new Informer<Pod>({
    name: "pods",
    clock,
    logger,
    listerWatcher: source,
    queue,
    ...config,
  });
  return {
    clock,
    source,
    logger,
    queue,
    informer,
    async run() {
      const stop = new AbortController();
      const running = informer.run({ signal: stop.signal });
      await clock.advance(0);
      return async () => {
        stop.abort();
        await clock.run(running, 1_000);
        assertEquals(clock.pendingTimers, 0);
      };
    },
  };
}

Deno.test("Informer passes the list and then the events to process(), and marks the initial list", async () => {
  const seen: string[] = [];
  const t = bench({ process: (deltas, initial) => void seen.push(`${short(deltas)} ${initial}`) });
  t.source.add(pod("a", ""));
  t.source.add(pod("b", ""));
  assertEquals(t.informer.hasSynced(), false);
  const stop = await t.run();
  assertEquals(t.informer.hasSynced(), true);
  t.source.modify(pod("a", ""));
  await t.clock.advance(0);
  assertEquals(seen, ["Sync(a) true", "Sync(b) true", "Updated(a) false"]);
  assertEquals(t.informer.lastSyncResourceVersion(), "3");
  await stop();
});

Deno.test("Informer runs client-go's example that deletes every object", async () => {
  const downstream = newStore<Pod>(metaNamespaceKeyFunc);
  const deleted: string[] = [];
  const t = bench({
    queue: new DeltaFIFO<Pod>({ knownObjects: downstream }),
    retryOnError: true,
    process(deltas) {
      for (const { type, object } of deltas) {
        if (type === "Deleted") {
          downstream.delete(object);
          deleted.push((object as Pod).metadata.name ?? "");
        } else {
          downstream.add(object as Pod);
          t.source.delete(object as Pod);
        }
      }
    },
  });
  const stop = await t.run();
  for (const name of ["c-framework", "a-hello", "b-controller"]) t.source.add(pod(name, ""));
  await t.clock.advance(0);
  assertEquals(deleted.sort(), ["a-hello", "b-controller", "c-framework"]);
  assertEquals(downstream.size, 0);
  await stop();
});

Deno.test("Informer logs and counts the errors of process(), and continues", async () => {
  const seen: string[] = [];
  const counted: string[] = [];
  const nothing = { inc: () => {}, dec: () => {}, set: () => {}, observe: () => {} };
  const t = bench({
    metrics: {
      counter: (name) => ({ inc: () => void counted.push(name) }),
      gauge: () => nothing,
      histogram: () => nothing,
    },
    process(deltas) {
      seen.push(short(deltas));
      if (seen.length === 1) throw new Error("no luck");
    },
  });
  const stop = await t.run();
  t.source.add(pod("a", ""));
  t.source.add(pod("b", ""));
  await t.clock.advance(10_000);
  assertEquals(seen, ["Added(a)", "Added(b)"], "a change that failed is not retried");
  assertEquals(t.informer.snapshot().processErrors, 1);
  assertEquals(counted.filter((name) => name === "informer_process_errors_total").length, 1);
  assertStringIncludes(t.logger.lines[0] ?? "", "pods: processing a change failed: no luck");
  await stop();
});

Deno.test("Informer with retryOnError retries behind other keys, with growing pauses while every call fails", async () => {
  const seen: string[] = [];
  const t = bench({
    retryOnError: true,
    process(deltas) {
      seen.push(`${t.clock.now()} ${short(deltas)}`);
      if (short(deltas).includes("bad")) throw new Error("no luck");
    },
  });
  const stop = await t.run();
  t.source.add(pod("bad", ""));
  t.source.add(pod("good", ""));
  await t.clock.advance(200);
  assertEquals(seen, [
    "0 Added(bad)",
    "10 Added(good)",
    "10 Added(bad)",
    "20 Added(bad)",
    "40 Added(bad)",
    "80 Added(bad)",
    "160 Added(bad)",
  ]);
  const before = seen.length;
  await t.clock.advance(60_000);
  const tries = seen.length - before;
  assert(tries >= 59 && tries <= 63, `${tries} tries in a minute, must be about one a second`);
  await stop();
});

Deno.test("Informer with retryOnError drops failed deltas if newer ones are queued", async () => {
  const seen: string[] = [];
  const t = bench({
    retryOnError: true,
    process(deltas) {
      seen.push(short(deltas));
      if (seen.length > 1) return;
      t.queue.update(pod("a", "9"));
      throw new Error("no luck");
    },
  });
  const stop = await t.run();
  t.source.add(pod("a", ""));
  await t.clock.advance(100);
  assertEquals(seen, ["Added(a)", "Updated(a)"]);
  await stop();
});

Deno.test("Informer reports a rejection of process(), without awaiting it", async () => {
  const t = bench({ process: () => Promise.reject(new Error("async luck")) as unknown as void });
  const stop = await t.run();
  t.source.add(pod("a", ""));
  await t.clock.advance(0);
  assertEquals(t.informer.snapshot().processErrors, 1);
  assertStringIncludes(t.logger.lines[0] ?? "", "async luck");
  await stop();
});

Deno.test("Informer pops the queue in bounded batches", async () => {
  let longest = 0;
  let inARow = 0;
  let turns = 0;
  const t = bench({
    process() {
      inARow++;
      longest = Math.max(longest, inARow);
    },
  });
  const setTimer = t.clock.setTimer.bind(t.clock);
  t.clock.setTimer = (callback, delayMs) => {
    if (delayMs === 0) {
      turns++;
      inARow = 0;
    }
    return setTimer(callback, delayMs);
  };
  for (let i = 0; i < 1_800; i++) t.source.add(pod(`p${i}`, ""));
  const stop = await t.run();
  assertEquals(t.informer.snapshot().queuedItems, 0);
  assert(longest <= 500, `${longest} in a row`);
  assert(turns >= 4);
  await stop();
});

Deno.test("Informer processes nothing after the stop", async () => {
  const seen: string[] = [];
  const stop = new AbortController();
  const t = bench({
    process(deltas) {
      seen.push(short(deltas));
      stop.abort();
    },
  });
  t.source.add(pod("a", ""));
  t.source.add(pod("b", ""));
  await t.clock.run(t.informer.run({ signal: stop.signal }));
  t.source.add(pod("c", ""));
  await t.clock.advance(100_000);
  assertEquals(seen, ["Sync(a)"]);
  assertEquals(t.source.watchCount, 0);
});

Deno.test("Informer.run() ends when the queue is closed, and cannot be run again", async () => {
  const t = bench({ process: () => {} });
  const running = t.informer.run();
  await t.clock.advance(0);
  t.queue.close();
  await t.clock.run(running);
  await t.informer.run();
  assertEquals(t.logger.lines, [
    "warn pods: the informer was run before and cannot be run twice",
  ]);
});

Deno.test("Informer replays the known objects after each resync period", async () => {
  const known = newStore<Pod>(metaNamespaceKeyFunc);
  known.add(pod("a", "1"));
  const seen: string[] = [];
  const t = bench({
    queue: new DeltaFIFO<Pod>({ knownObjects: known }),
    resyncPeriodMs: 1_000,
    process: (deltas) => void seen.push(short(deltas)),
  });
  t.source.add(pod("a", ""));
  const stop = await t.run();
  await t.clock.advance(2_000);
  assertEquals(seen, ["Sync(a)", "Sync(a)", "Sync(a)"]);
  await stop();
});

Deno.test("newInformer() keeps an indexed store, notifies a handler, and transforms objects", async () => {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const source = new FakeControllerSource<Pod>();
  const lines: string[] = [];
  const { informer, indexer } = newInformer<Pod>({
    clock,
    logger,
    listerWatcher: source,
    indexers: { app: (obj) => [obj.metadata.labels?.["app"] ?? ""] },
    transform: (obj) => ({ ...obj, metadata: { ...obj.metadata, labels: { app: "web" } } }),
    handler: {
      onAdd: (obj, initial) => void lines.push(`add ${obj.metadata.name} ${initial}`),
      onUpdate: (old, obj) => {
        lines.push(`update ${old.metadata.resourceVersion}→${obj.metadata.resourceVersion}`);
        return Promise.reject(new Error("not awaited"));
      },
      onDelete: (obj) => void lines.push(`delete ${(obj as Pod).metadata.name}`),
    },
  });
  const stop = new AbortController();
  source.add(pod("a", ""));
  const running = informer.run({ signal: stop.signal });
  await clock.advance(0);
  source.modify(pod("a", ""));
  await clock.advance(0);
  assertEquals(indexer.indexKeys("app", "web"), ["x/a"]);
  source.delete(pod("a", ""));
  await clock.advance(0);
  assertEquals(lines, ["add a true", "update 1→2", "delete a"]);
  assertStringIncludes(logger.lines.join(), "not awaited");
  assertEquals(indexer.size, 0);
  stop.abort();
  await clock.run(running);
});

/** No turn of the event loop handles more than a bounded number of the objects of a list. */

import { assert, assertEquals } from "@std/assert";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import type { Pod, WatchEvent } from "../../../src/types/mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import {
  added,
  initialEventsEnd,
  listOf,
  pod,
  ScriptedSource,
  Stream,
} from "../reflector/_scripted_source.ts";

const OBJECTS = 80_000;
/**
 * A task does at most 501 steps in a turn, in none of which it looks at more than 32 objects, nor reads the metadata of
 * one more than twice. Two tasks may share a turn.
 */
const MOST_READS = 2 * 501 * 32 * 2;

/** Counts the reads of the metadata of objects between two timers, as a measure of the work in one turn. */
class Meter {
  most = 0;
  #reads = 0;

  constructor(clock: VirtualClock) {
    const { setTimer } = clock;
    clock.setTimer = (callback, delayMs) =>
      setTimer.call(clock, () => {
        this.#reads = 0;
        callback();
      }, delayMs);
  }

  pods(from: number, to: number, resourceVersion: string): Pod[] {
    const read = () => this.most = Math.max(this.most, ++this.#reads);
    return Array.from({ length: to - from }, (_, i) => {
      const { metadata } = pod(`p${from + i}`, resourceVersion);
      return {
        get metadata() {
          read();
          return metadata;
        },
      };
    });
  }
}

function gone(): Error {
  return Object.assign(new Error("gone"), { code: 410, reason: "Expired" });
}

for (const isStreaming of [false, true]) {
  const road = isStreaming ? "a streaming list" : "a list in one page";
  Deno.test(`A SharedInformer handles ${road} in bounded turns, the first and the next`, async () => {
    const clock = new VirtualClock();
    const meter = new Meter(clock);
    const source = new ScriptedSource(clock);
    source.isWatchListSemanticsUnsupported = !isStreaming;
    const first = meter.pods(0, OBJECTS, "3");
    const second = meter.pods(OBJECTS / 4, OBJECTS + OBJECTS / 4, "13");
    const watches = [first, second].map((pods, i) =>
      batched(isStreaming ? pods : [], `${10 + 10 * i}`)
    );
    source.lists = [() => listOf("10", ...first), () => listOf("20", ...second)];
    source.watches = watches.map(({ watch }) => () => watch);

    const informer = new SharedInformer(source, { clock, name: "pods", logger: silentLogger });
    const seen = { adds: 0, initially: 0, updates: 0, deletes: 0 };
    informer.addEventHandler({
      onAdd: (_pod, isInInitialList) => {
        seen.adds++;
        if (isInInitialList) seen.initially++;
      },
      onUpdate: () => void seen.updates++,
      onDelete: () => void seen.deletes++,
    });
    const stop = new AbortController();
    const running = informer.run({ signal: stop.signal });
    await clock.advance(10);
    assertEquals(seen, { adds: OBJECTS, initially: OBJECTS, updates: 0, deletes: 0 });
    assertEquals(informer.indexer.lastStoreSyncResourceVersion(), "10");
    assert(informer.hasSynced());

    watches[0]?.tail.fail(gone());
    await clock.advance(10_000);
    assertEquals(seen, {
      adds: OBJECTS + OBJECTS / 4,
      initially: OBJECTS,
      updates: OBJECTS - OBJECTS / 4,
      deletes: OBJECTS / 4,
    });
    assertEquals(informer.indexer.lastStoreSyncResourceVersion(), "20");
    assertEquals(informer.indexer.size, OBJECTS);
    assert(meter.most > 0 && meter.most <= MOST_READS, `${meter.most} in one turn`);
    stop.abort();
    await clock.run(running, 1_000);
    assertEquals(clock.pendingTimers, 0);
  });
}

/** Returns a watch of the objects, in batches, and then of the events of the tail. */
function batched(pods: Pod[], resourceVersion: string) {
  const tail = new Stream();
  const watch = {
    [Symbol.asyncIterator]: () => {
      throw new Error("A reflector must read batches if the watch has them");
    },
    async *batches(): AsyncGenerator<WatchEvent<Pod>[]> {
      for (let i = 0; i < pods.length; i += 500) yield pods.slice(i, i + 500).map(added);
      if (pods.length > 0) yield [initialEventsEnd(resourceVersion)];
      for await (const event of tail) yield [event];
    },
  };
  return { tail, watch };
}

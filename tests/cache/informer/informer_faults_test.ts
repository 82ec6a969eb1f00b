/** After every fault, the cache equals the source again, in order and within the request limit, and the stop works. */

import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { FakeControllerSource, SeededRandom, VirtualClock } from "../../../src/testing/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";
import {
  assertFolds,
  BYTE_FAULTS,
  FaultySource,
  FoldingHandler,
  REQUEST_FAULTS,
  STREAM_FAULTS,
  streamFault,
  versionsOf,
} from "./_faulty_source.ts";
import { countTried, forEachSeed } from "../../support/seeded_runs.ts";
import { assertNoBytesLeft, bringInto, type Mode, MODES, optionsOf, sourceOf } from "./_modes.ts";
import { mostInTenSeconds } from "../../support/request_rate.ts";

function podWith(name: string, uid: string): Pod {
  return { metadata: { namespace: "x", name, uid } };
}

class Bench {
  readonly clock = new VirtualClock();
  readonly source = new FakeControllerSource<Pod>();
  readonly faulty: FaultySource;
  readonly informer: SharedInformer<Pod>;
  readonly handler = new FoldingHandler();
  readonly #stop = new AbortController();
  readonly #encoding: Mode["encoding"];
  #running: Promise<void> | undefined;

  constructor(mode: Mode, streaming: boolean) {
    this.#encoding = mode.encoding;
    this.faulty = new FaultySource(this.source, this.clock, streaming);
    this.informer = new SharedInformer<Pod>(sourceOf(mode, this.faulty, this.clock), {
      name: "pods",
      clock: this.clock,
      logger: silentLogger,
      random: new SeededRandom(7),
      freezeObjects: true,
      ...optionsOf(mode),
    });
    bringInto(mode, this.informer);
    this.informer.addEventHandler(this.handler);
  }

  async start(): Promise<void> {
    for (const name of ["a", "b", "c"]) this.source.add(podWith(name, "1"));
    this.#running = this.informer.run({ signal: this.#stop.signal });
    await this.clock.advance(2_000);
  }

  /** Makes changes of every kind, with a recreation under the same name among them. */
  change(): void {
    this.source.delete(podWith("a", "1"));
    this.source.add(podWith("a", "2"));
    this.source.modify(podWith("b", "1"));
    this.source.delete(podWith("c", "1"));
    this.source.add(podWith("d", "1"));
  }

  async assertMended(): Promise<void> {
    const { items } = await this.source.list();
    assertEquals(versionsOf(this.informer.indexer.list()), versionsOf(items));
    assertFolds(this.handler, items);
    assertNoBytesLeft(this.informer, this.#encoding);
    const most = mostInTenSeconds(this.faulty.times);
    assert(most <= 10, `${most} requests within ten seconds`);
  }

  /** Stops the informer, and asserts that nothing happens afterwards. */
  async assertStops(): Promise<void> {
    this.#stop.abort();
    await this.clock.run(this.#running as Promise<void>, 5_000);
    const before = [this.faulty.times.length, this.handler.seen.length];
    this.change();
    await this.clock.advance(3_600_000);
    assertEquals([this.faulty.times.length, this.handler.seen.length], before);
    assertEquals([this.clock.pendingTimers, this.source.watchCount], [0, 0]);
  }
}

for (const mode of MODES) {
  for (const streaming of [false, true]) testAll(mode, streaming);
}

function testAll(mode: Mode, streaming: boolean): void {
  const how = `(${mode.name}) ${streaming ? "with streaming lists" : "with plain lists"}`;
  const streamFaults = { ...STREAM_FAULTS, ...(mode.encoding === "json" && BYTE_FAULTS) };

  for (const [what, fault] of Object.entries(REQUEST_FAULTS)) {
    for (const verb of ["list", "watch"] as const) {
      Deno.test(`SharedInformer ${how} recovers from a ${verb} that is answered with ${what}`, async () => {
        const t = new Bench(mode, streaming);
        let left = 5;
        t.faulty.requestFault = (asked) => asked === verb && left-- > 0 ? fault() : undefined;
        await t.start();
        t.change();
        await t.clock.advance(60_000);
        t.faulty.breakWatches(streamFault("an ERROR event of 410, the stream left open"));
        await t.clock.advance(3_600_000);
        await t.assertMended();
        await t.assertStops();
      });
    }
  }

  for (const [what, fault] of Object.entries(streamFaults)) {
    Deno.test(`SharedInformer ${how} recovers from ${what}`, async () => {
      const t = new Bench(mode, streaming);
      await t.start();
      t.faulty.breakWatches(fault());
      t.change();
      await t.clock.advance(700_000);
      await t.assertMended();
      await t.assertStops();
    });
  }

  for (const what of ["a clean close", "a TCP reset", "endless silence"] as const) {
    Deno.test(`SharedInformer ${how} loses no change through ${what}, and needs no list`, async () => {
      const t = new Bench(mode, streaming);
      await t.start();
      const before = t.faulty.verbs.length;
      t.faulty.breakWatches(streamFault(what));
      t.change();
      t.source.modify(podWith("b", "1"));
      await t.clock.advance(what === "endless silence" ? 200_000 : 1_000);
      assertEquals(t.faulty.verbs.slice(before).filter((verb) => verb === "list"), []);
      const seen = t.handler.seen.map(Number).sort((a, b) => a - b);
      assertEquals(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
      await t.assertMended();
      await t.assertStops();
    });
  }

  Deno.test(`SharedInformer ${how} recovers from random faults during random changes`, async () => {
    await forEachSeed(mode.encoding !== undefined ? 8 : 25, async (random) => {
      const pick = <V>(values: readonly V[]) =>
        values[Math.floor(random.next() * values.length)] as V;
      let faults = 0;
      const inject = <V>(share: number, fault: () => V): V | undefined => {
        if (random.next() >= share) return undefined;
        faults++;
        return fault();
      };
      const t = new Bench(mode, streaming);
      t.faulty.requestFault = () => inject(0.3, () => pick(Object.values(REQUEST_FAULTS))());
      await t.start();
      const uids = new Map([["a", 1], ["b", 1], ["c", 1]]);
      const gone = new Map<string, number>();
      for (let step = 0; step < 60; step++) {
        const name = pick(["a", "b", "c", "d", "e"]);
        const uid = uids.get(name);
        if (uid === undefined) {
          uids.set(name, (gone.get(name) ?? 0) + 1);
          t.source.add(podWith(name, String(uids.get(name))));
        } else if (random.next() < 0.4) {
          t.source.delete(podWith(name, String(uid)));
          gone.set(name, uid);
          uids.delete(name);
        } else {
          t.source.modify(podWith(name, String(uid)));
        }
        inject(0.2, () => t.faulty.breakWatches(pick(Object.values(streamFaults))()));
        inject(0.1, () => t.source.resetWatch());
        await t.clock.advance(Math.floor(random.next() * 20_000));
      }
      t.faulty.requestFault = () => undefined;
      await t.clock.advance(1_500_000);
      await t.assertMended();
      await t.assertStops();
      countTried({ faults });
    });
  });
}

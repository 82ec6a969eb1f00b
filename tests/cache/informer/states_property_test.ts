/**
 * Whatever happens, and in whatever order: handlers are shown each version as it was sent, when the informer changes from
 * bytes to parsed objects too, and the cache leaks no bytes.
 */

import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import {
  DeletedFinalStateUnknown,
  type HandlerRegistration,
  type ObjectChange,
  SharedInformer,
} from "../../../src/cache/mod.ts";
import { FakeControllerSource, type SeededRandom, VirtualClock } from "../../../src/testing/mod.ts";
import type { Cached, Pod } from "../../../src/types/mod.ts";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { assertNoBytesLeft } from "./_modes.ts";
import { overBytes } from "./_over_bytes.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

/** A source whose versions are all recorded, and handlers that check what they are shown. */
class Bench {
  readonly clock = new VirtualClock();
  readonly source = new FakeControllerSource<Pod>();
  readonly informer: SharedInformer<Pod>;
  readonly handlers: HandlerRegistration[] = [];
  readonly #random: SeededRandom;
  readonly #maxText: number;
  readonly #stop = new AbortController();
  /** The JSON of each sent object, by its resource version. */
  readonly #sent = new Map<string, string>();
  readonly #present = new Map<string, Pod>();
  #version = 0;
  reads = 0;
  changes = 0;

  constructor(random: SeededRandom, maxText: number) {
    this.#random = random;
    this.#maxText = maxText;
    this.informer = new SharedInformer<Pod>(overBytes(this.source, this.clock), {
      name: "pods",
      clock: this.clock,
      logger: silentLogger,
      random: this.#random,
      resyncPeriodMs: 20_000,
    });
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  /** Changes a random object. Open watches receive the event with the given probability. */
  change(watchProbability: number): void {
    const name = NAMES[this.below(NAMES.length)] as string;
    const old = this.#present.get(name);
    const isDeletion = old !== undefined && this.below(4) === 0;
    const version = String(++this.#version);
    const object: Pod = {
      metadata: {
        namespace: "x",
        name,
        uid: old?.metadata.uid ?? version,
        resourceVersion: version,
        annotations: { text: `ä${version}`.repeat(this.below(this.#maxText) / 4) },
      },
    };
    this.#sent.set(version, JSON.stringify(object));
    if (isDeletion) this.#present.delete(name);
    else this.#present.set(name, object);
    const type = isDeletion ? "DELETED" : old === undefined ? "ADDED" : "MODIFIED";
    this.source.change({ type, object }, watchProbability);
  }

  /** Adds a handler that wants objects, and reads them again and again while the cache moves on. */
  addObjectHandler(maxDelayMs: number): void {
    const show = async (...shown: (Cached<Pod> | DeletedFinalStateUnknown<Cached<Pod>>)[]) => {
      const objects = shown.map((each) =>
        DeletedFinalStateUnknown.lastKnownState(each) as Cached<Pod>
      );
      for (const object of objects) this.#assertSent(object);
      const delayMs = this.below(maxDelayMs);
      if (delayMs > 0) await new Promise<void>((resolve) => this.clock.setTimer(resolve, delayMs));
      for (const object of objects) this.#assertSent(object);
      if (this.below(10) === 0) throw new Error("no luck");
    };
    this.handlers.push(
      this.informer.addEventHandler({ onAdd: (obj) => show(obj), onUpdate: show, onDelete: show }),
    );
  }

  addChangeHandler(maxDelayMs: number): void {
    this.handlers.push(this.informer.addChangeHandler(async (change: ObjectChange) => {
      this.changes++;
      assert(this.#sent.has(change.resourceVersion));
      const delayMs = this.below(maxDelayMs);
      if (delayMs > 0) await new Promise<void>((resolve) => this.clock.setTimer(resolve, delayMs));
      const cached = this.informer.indexer.getByKey(change.key);
      if (cached !== undefined) this.#assertSent(cached);
    }));
  }

  removeHandler(): void {
    const [removed] = this.handlers.splice(this.below(this.handlers.length), 1);
    if (removed !== undefined) this.informer.removeEventHandler(removed);
  }

  /** @param changesAt The step at which the first handler that wants objects is added. */
  async play(steps: number, changesAt: number): Promise<void> {
    this.addChangeHandler(1);
    this.addChangeHandler(500);
    for (let i = 0; i < 3; i++) this.change(1);
    const running = this.informer.run({ signal: this.#stop.signal });
    for (let step = 0; step < steps; step++) {
      this.change(this.below(20) === 0 ? 0 : 1);
      const choice = this.below(100);
      const delayMs = 10 ** this.below(5);
      const isFull = this.handlers.length >= 6;
      if (step === changesAt || step > changesAt && choice < 4 && !isFull) {
        this.addObjectHandler(delayMs);
      } else if (choice < 4 && !isFull) this.addChangeHandler(delayMs);
      else if (choice < 7) this.removeHandler();
      else if (choice < 10) this.source.resetWatch();
      if (choice < 20) assertNoBytesLeft(this.informer);
      await this.clock.advance(this.below(300));
    }
    // The list after this reset includes the changes that the watches missed.
    this.change(0);
    this.source.resetWatch();
    // Waits until all handlers but the slowest have caught up.
    await this.clock.advance(3_600_000);
    while (this.informer.snapshot().handlers.some(({ pending }) => pending > 0)) {
      this.informer.removeEventHandler(this.handlers.shift() as HandlerRegistration);
    }
    await this.clock.advance(20_000);
    const cached: Record<string, unknown> = Object.fromEntries(
      this.informer.indexer.list().map((obj) => [obj.metadata.name, obj]),
    );
    assertEquals(cached, Object.fromEntries(this.#present));
    assertNoBytesLeft(this.informer);
    this.#stop.abort();
    await this.clock.run(running, 60_000);
  }

  #assertSent(object: Cached<Pod>): void {
    const { resourceVersion } = object.metadata;
    const isSent = JSON.stringify(object) === this.#sent.get(resourceVersion);
    assert(isSent, `version ${resourceVersion} is not what was sent`);
    this.reads++;
  }
}

for (
  const [what, maxText, steps, seeds] of [["small", 400, 150, 24], [
    "large",
    50_000,
    250,
    1,
  ]] as const
) {
  Deno.test(`An informer shows each version as it was sent, before and after it parses its ${what} objects`, async () => {
    let changes = 0;
    let reads = 0;
    await forEachSeed(seeds, async (random) => {
      const bench = new Bench(random, maxText);
      await bench.play(steps, bench.below(steps));
      changes += bench.changes;
      reads += bench.reads;
    });
    assert(changes > 0 && reads > 0, `${changes} changes and ${reads} reads`);
  });
}

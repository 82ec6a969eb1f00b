/**
 * Whatever happens, and in whatever order, a reference shows its own version or throws, and the cache leaks no bytes.
 */

import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import {
  DeletedFinalStateUnknown,
  type HandlerRegistration,
  type ObjectRef,
  SharedInformer,
  StaleReferenceError,
} from "../../../src/cache/mod.ts";
import { FakeControllerSource, type SeededRandom, VirtualClock } from "../../../src/testing/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { assertNoBytesLeft, type Mode, MODES } from "../informer/_modes.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

/** A source whose versions are all recorded, and handlers that check the references they receive. */
class Bench {
  readonly clock = new VirtualClock();
  readonly source = new FakeControllerSource<Pod>();
  readonly informer: SharedInformer<Pod, "compact">;
  readonly handlers: HandlerRegistration[] = [];
  readonly #random: SeededRandom;
  readonly #maxText: number;
  readonly #stop = new AbortController();
  /** The JSON of each sent object, by its resource version. */
  readonly #sent = new Map<string, string>();
  readonly #present = new Map<string, Pod>();
  /** All references that a handler ever received. */
  readonly #handed: ObjectRef<Pod>[] = [];
  #version = 0;
  reads = 0;
  stale = 0;

  constructor(mode: Mode, random: SeededRandom, maxText: number) {
    this.#random = random;
    this.#maxText = maxText;
    this.informer = new SharedInformer<Pod, "compact">(mode.source(this.source, this.clock), {
      name: "pods",
      clock: this.clock,
      logger: silentLogger,
      random: this.#random,
      cache: "compact",
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

  addHandler(maxDelayMs: number): void {
    const show = async (
      ...shown: (ObjectRef<Pod> | DeletedFinalStateUnknown<ObjectRef<Pod>>)[]
    ) => {
      const refs = shown.map((each) =>
        DeletedFinalStateUnknown.lastKnownState(each) as ObjectRef<Pod>
      );
      this.#handed.push(...refs);
      for (const ref of refs) this.#assertReads(ref);
      const delayMs = this.below(maxDelayMs);
      if (delayMs > 0) await new Promise<void>((resolve) => this.clock.setTimer(resolve, delayMs));
      for (const ref of refs) this.#assertReads(ref);
      if (this.below(10) === 0) throw new Error("no luck");
    };
    this.handlers.push(
      this.informer.addEventHandler({ onAdd: (ref) => show(ref), onUpdate: show, onDelete: show }),
    );
  }

  removeHandler(): void {
    const [removed] = this.handlers.splice(this.below(this.handlers.length), 1);
    if (removed !== undefined) this.informer.removeEventHandler(removed);
  }

  /** Asserts that the references received so far show what they showed before, or throw. */
  assertTrue(): void {
    for (const ref of this.#handed) {
      try {
        this.#assertReads(ref);
      } catch (error) {
        if (!(error instanceof StaleReferenceError)) throw error;
        this.stale++;
      }
    }
  }

  async play(steps: number): Promise<void> {
    this.addHandler(1);
    this.addHandler(500);
    for (let i = 0; i < 3; i++) this.change(1);
    const running = this.informer.run({ signal: this.#stop.signal });
    for (let step = 0; step < steps; step++) {
      this.change(this.below(20) === 0 ? 0 : 1);
      const choice = this.below(100);
      if (choice < 4 && this.handlers.length < 6) this.addHandler(10 ** this.below(5));
      else if (choice < 7) this.removeHandler();
      else if (choice < 10) this.source.resetWatch();
      if (choice < 20) this.assertTrue();
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
    this.assertTrue();
    const cached: Record<string, unknown> = Object.fromEntries(
      this.informer.indexer.list().map((obj) => [obj.metadata.name, obj]),
    );
    assertEquals(cached, Object.fromEntries(this.#present));
    assertNoBytesLeft(this.informer as unknown as SharedInformer<Pod>);
    this.#stop.abort();
    await this.clock.run(running, 60_000);
  }

  #assertReads(ref: ObjectRef<Pod>): void {
    const text = JSON.stringify(ref.object());
    assert(
      text === this.#sent.get(ref.resourceVersion),
      `version ${ref.resourceVersion} is not what was sent`,
    );
    assertEquals(ref.valueAt("metadata.resourceVersion"), ref.resourceVersion);
    this.reads++;
  }
}

for (const mode of MODES) {
  if (mode.cache !== "compact") continue;
  for (
    const [size, maxText, steps, seeds] of [["small", 400, 150, 12], [
      "large",
      50_000,
      250,
      1,
    ]] as const
  ) {
    Deno.test(`ObjectRef never shows another version, and no bytes leak: ${size} objects (${mode.name})`, () =>
      forEachSeed(seeds, async (random) => {
        const bench = new Bench(mode, random, maxText);
        await bench.play(steps);
        assert(
          bench.reads > steps && bench.stale > steps,
          `${bench.reads} reads, ${bench.stale} stale`,
        );
      }));
  }
}

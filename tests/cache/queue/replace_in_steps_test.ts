/** A replacement in steps has the result of `DeltaFIFO.replace()`, whatever the consumer pops meanwhile. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { silentLogger } from "../../../src/base/mod.ts";
import { DeltaFIFO, IndexedStore, processDeltas } from "../../../src/cache/mod.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { short, type Thing, thing, thingKey } from "../_support.ts";

/** A queue whose consumer fills a store and records the deltas of each key. */
class World {
  readonly store = new IndexedStore<Thing>(thingKey);
  readonly queue: DeltaFIFO<Thing>;
  /** The deltas by key, in the order of their pops. */
  readonly deltas: Record<string, string> = {};
  /** Whether each pop was of the initial list. */
  readonly initial: boolean[] = [];
  popped = 0;

  constructor(transforms: boolean) {
    this.queue = new DeltaFIFO<Thing>({
      keyFunc: thingKey,
      knownObjects: this.store,
      emitDeltaTypeReplaced: true,
      transformer: transforms ? (obj) => ({ ...obj }) : undefined,
      logger: silentLogger,
    });
  }

  pop(count = Infinity): void {
    for (let i = 0; i < count; i++) {
      const hasPopped = this.queue.tryPop((deltas, isInInitialList, key) => {
        this.popped++;
        this.initial.push(isInInitialList);
        this.deltas[key] = `${this.deltas[key] ?? ""} ${short(deltas)}`;
        processDeltas({}, this.store, deltas, isInInitialList);
      });
      if (!hasPopped) return;
    }
  }

  change({ kind, id, val }: Change): void {
    this.queue[kind](thing(id, val));
  }

  content(): string[] {
    return this.store.list().map((obj) => `${obj.id}=${obj.val}`).sort();
  }
}

interface Change {
  readonly kind: "add" | "update" | "delete";
  readonly id: string;
  readonly val: number;
}

interface Start {
  readonly transforms: boolean;
  readonly changes: readonly Change[];
  /** The number of pops after half of the changes. */
  readonly taken: number;
  readonly items: readonly Thing[];
  /** The number of pops after each step, over and over. */
  readonly pops: readonly number[];
}

const id = fc.integer({ min: 0, max: 80 }).map((number) => `k${number}`);
const item = fc.tuple(id, fc.nat(9)).map(([id, val]) => thing(id, val));
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("add" as const, "update" as const, "delete" as const),
  id,
  val: fc.nat(9),
});
const starts: fc.Arbitrary<Start> = fc.record({
  transforms: fc.boolean(),
  changes: fc.oneof(fc.constant([]), fc.array(change, { maxLength: 150, size: "max" })),
  taken: fc.nat(200),
  // After a short list, the consumer pops what the queue held before while the deletions are determined.
  items: fc.oneof(
    fc.array(item, { maxLength: 3 }),
    fc.array(item, { maxLength: 100, size: "max" }),
  ),
  pops: fc.array(fc.oneof(fc.nat(3), fc.nat(100)), { minLength: 1, maxLength: 7 }),
});

function begin({ transforms, changes, taken }: Start): World {
  const world = new World(transforms);
  const half = changes.length / 2;
  for (const change of changes.slice(0, half)) world.change(change);
  world.pop(taken);
  for (const change of changes.slice(half)) world.change(change);
  return world;
}

Deno.test("DeltaFIFO.replaceInSteps() passes on what replace() passes on, whatever is popped meanwhile", () => {
  assertProperty(fc.property(starts, (start) => {
    const whole = begin(start);
    whole.queue.replace(start.items, "1");
    whole.pop();
    const stepwise = begin(start);
    let steps = 0;
    const wasSynced = stepwise.queue.hasSynced();
    for (const _step of stepwise.queue.replaceInSteps(start.items)) {
      assertEquals(stepwise.queue.hasSynced(), wasSynced || start.changes.length > 0);
      stepwise.pop(start.pops[steps++ % start.pops.length]);
    }
    stepwise.pop();
    assertEquals(stepwise.deltas, whole.deltas);
    assertEquals(stepwise.content(), whole.content());
    assert(stepwise.queue.hasSynced());
    if (start.changes.length === 0) assert(stepwise.initial.every(Boolean));
  }));
});

Deno.test("DeltaFIFO.replaceInSteps() has not synced if it is not finished, and the next list corrects what it left", () => {
  assertProperty(fc.property(starts, fc.nat(400), (start, stopAt) => {
    const world = begin(start);
    let steps = 0;
    let isFinished = true;
    for (const _step of world.queue.replaceInSteps(start.items)) {
      world.pop(start.pops[steps % start.pops.length]);
      if (steps++ < stopAt) continue;
      isFinished = false;
      break;
    }
    world.pop();
    if (start.changes.length === 0) assertEquals(world.queue.hasSynced(), isFinished);
    const next = start.items.slice(1).concat(thing("new", 1));
    world.queue.replace(next, "2");
    world.pop();
    const newest = new Map(next.map((obj) => [obj.id, `${obj.id}=${obj.val}`]));
    assertEquals(world.content(), [...newest.values()].sort());
    assert(world.queue.hasSynced());
  }));
});

Deno.test("DeltaFIFO.replaceInSteps() deletes an object once, if its deletion is popped before the known objects are compared", () => {
  const world = new World(false);
  for (let i = 0; i < 100; i++) world.queue.add(thing(`a${i}`, 1));
  world.pop();
  world.queue.update(thing("a60", 2));
  for (const _step of world.queue.replaceInSteps([])) world.pop();
  world.pop();
  assertEquals(world.deltas.a60?.trim(), "Added(a60=1) Updated(a60=2) Deleted(?a60:a60=2)");
  assertEquals(world.deltas.a99?.trim(), "Added(a99=1) Deleted(?a99:a99=1)");
  assertEquals(world.content(), []);
});

Deno.test("DeltaFIFO.replaceInSteps() queues nothing before it knows that all items have keys and can be transformed", () => {
  const items = Array.from({ length: 100 }, (_, i) => thing(`a${i}`));
  for (const bad of [thing(""), thing("bad")]) {
    const queue = new DeltaFIFO<Thing>({
      keyFunc: (obj) => {
        if (obj.id === "") throw new Error("No key");
        return obj.id;
      },
      transformer: (obj) => {
        if (obj.id === "bad") throw new Error("Cannot transform");
        return obj;
      },
      logger: silentLogger,
    });
    assertThrows(() => {
      for (const _step of queue.replaceInSteps([...items, bad])) assertEquals(queue.length, 0);
    });
    assertEquals([queue.length, queue.hasSynced()], [0, false]);
  }
});

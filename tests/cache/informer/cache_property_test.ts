import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  type Indexer,
  newIndexer,
  newStore,
  pathIndexFunc,
  processDeltas,
} from "../../../src/cache/mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import { CacheIndexer } from "../packed/_cache_indexer.ts";
import { type Thing, thing, thingKey } from "../_support.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const ids = fc.constantFrom("a", "b", "c", "d", "e");

interface Tagged {
  readonly metadata: { readonly name: string };
  readonly tags: readonly string[];
}
const idOf = ({ metadata }: Tagged) => metadata.name;

/** Index functions by name. All but the first are added during a run. */
const indexFuncs: Record<string, (obj: Tagged) => readonly string[]> = {
  all: (obj) => obj.tags,
  first: (obj) => obj.tags.slice(0, 1),
  count: (obj) => [`${obj.tags.length}`],
};

function checkAgainstModel(indexer: Indexer<Tagged>, model: ReadonlyMap<string, Tagged>) {
  assertEquals(indexer.size, model.size);
  assertEquals(new Map(indexer.list().map((obj) => [idOf(obj), obj])), model);
  for (const name of Object.keys(indexer.getIndexers())) {
    const values = [...new Set([...model.values()].flatMap((obj) => indexFuncs[name]!(obj)))];
    assertEquals(indexer.listIndexFuncValues(name).sort(), values.sort());
    for (const value of values) {
      const keys = [...model.values()].filter((obj) => indexFuncs[name]!(obj).includes(value))
        .map(idOf).sort();
      assertEquals(indexer.indexKeys(name, value), keys);
      assertEquals(indexer.byIndex(name, value).map(idOf).sort(), keys);
    }
  }
}

answersLikeASearch("newIndexer()", () => newIndexer(idOf, { all: indexFuncs.all! }));
answersLikeASearch(
  "newIndexer() with a path function",
  () => newIndexer(idOf, { all: pathIndexFunc("tags") }),
);
answersLikeASearch("The cache of an informer", () => new CacheIndexer({ all: indexFuncs.all! }));
answersLikeASearch(
  "The cache of an informer with a path function",
  () => new CacheIndexer({ all: pathIndexFunc<Tagged>("tags") }),
);

function answersLikeASearch(name: string, make: () => Indexer<Tagged>): void {
  Deno.test(`${name} returns the same as a search through all objects, with indices added at any time`, () => {
    const tagged: fc.Arbitrary<Tagged> = fc.record({
      metadata: fc.record({ name: ids }, { noNullPrototype: true }),
      tags: fc.array(fc.constantFrom("x", "y", "z", "", "__proto__"), { maxLength: 4 }),
    }, { noNullPrototype: true });
    type Op = ["add" | "update" | "delete", Tagged] | ["replace", Tagged[]] | [
      "addIndexers",
      string,
    ];
    const op = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constantFrom("add", "update", "delete"), tagged) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constant("replace"), fc.array(tagged, { maxLength: 6 })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constant("addIndexers"), fc.constantFrom("first", "count")),
      },
    ) as fc.Arbitrary<Op>;

    assertProperty(
      fc.property(fc.array(op, { maxLength: 40 }), tagged, (ops, probe) => {
        const indexer = make();
        const model = new Map<string, Tagged>();
        for (const [kind, argument] of ops) {
          if (kind === "replace") {
            indexer.replace(argument, "1");
            model.clear();
            for (const obj of argument) model.set(idOf(obj), obj);
          } else if (kind === "addIndexers") {
            if (!(argument in indexer.getIndexers())) {
              indexer.addIndexers({ [argument]: indexFuncs[argument]! });
            }
          } else if (kind === "delete") {
            indexer.delete(argument);
            model.delete(idOf(argument));
          } else {
            indexer[kind](argument);
            model.set(idOf(argument), argument);
          }
        }
        checkAgainstModel(indexer, model);
        const related = [...model.values()].filter((obj) =>
          obj.tags.some((tag) => probe.tags.includes(tag))
        );
        assertEquals(
          indexer.index("all", probe).map(idOf).sort(),
          related.map(idOf).sort(),
        );
      }),
      300,
    );
  });
}

/** A handler that asserts that the notifications of each object are possible and in order. */
class Witness {
  readonly present = new Map<string, Thing>();
  readonly #lastRevision = new Map<string, number>();

  onAdd(obj: Thing): void {
    assert(!this.present.has(obj.id), `${obj.id} was added twice`);
    this.#seen(obj);
    this.present.set(obj.id, obj);
  }

  onUpdate(oldObj: Thing, newObj: Thing): void {
    assertEquals(this.present.get(newObj.id), oldObj);
    this.#seen(newObj);
    this.present.set(newObj.id, newObj);
  }

  onDelete(obj: Thing | DeletedFinalStateUnknown<Thing>): void {
    const key = DeletedFinalStateUnknown.is(obj) ? obj.key : obj.id;
    assert(this.present.delete(key), `${key} was deleted without being there`);
    const state = DeletedFinalStateUnknown.is(obj) ? obj.obj : obj;
    assert(state !== undefined, `the last state of ${key} is unknown`);
    this.#seen(state);
  }

  #seen(obj: Thing): void {
    const revision = obj.val as number;
    assert(revision >= (this.#lastRevision.get(obj.id) ?? 0), `${obj.id} went back to ${revision}`);
    this.#lastRevision.set(obj.id, revision);
  }
}

Deno.test("DeltaFIFO and processDeltas() bring a store to the state of its source, whatever events were missed", () => {
  type Op = ["write" | "remove", string, boolean] | ["list" | "resync"] | ["pop", number];
  const op = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant("write"), ids, fc.boolean()) },
    { weight: 4, arbitrary: fc.tuple(fc.constant("remove"), ids, fc.boolean()) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom("list", "resync")) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("pop"), fc.nat(4)) },
  ) as fc.Arbitrary<Op>;

  assertProperty(
    fc.property(fc.array(op, { maxLength: 60 }), fc.boolean(), (ops, emitDeltaTypeReplaced) => {
      const store = newStore<Thing>(thingKey);
      const queue = new DeltaFIFO<Thing>({
        keyFunc: thingKey,
        knownObjects: store,
        emitDeltaTypeReplaced,
        logger: silentLogger,
      });
      const witness = new Witness();
      const source = new Map<string, Thing>();
      let revision = 0;
      let order: string[] = [];
      const pop = () =>
        queue.tryPop((deltas, isInInitialList) => {
          assertEquals(queue.keyOf(deltas), order.shift());
          assertEquals(new Set(deltas.map((delta) => queue.keyOf([delta]))).size, 1);
          processDeltas(witness, store, deltas, isInInitialList);
        });
      /** Runs `act`, which may queue `keys`, and updates the expected order of the queue. */
      const queueing = (keys: Iterable<string>, act: () => void) => {
        act();
        for (const key of keys) if (!order.includes(key)) order.push(key);
        // The deletion of an unknown object is not queued.
        order = order.slice(0, queue.length);
        assertEquals(order.length, queue.length);
      };

      const relist = () => {
        const items = [...source.values()];
        const gone = store.listKeys().filter((key) => !source.has(key));
        queueing([...source.keys(), ...gone], () => queue.replace(items, `${revision}`));
      };
      for (const op of ops) {
        switch (op[0]) {
          case "write": {
            const [, id, delivered] = op;
            const obj = thing(id, ++revision);
            const isNew = !source.has(id);
            source.set(id, obj);
            if (delivered) queueing([id], () => isNew ? queue.add(obj) : queue.update(obj));
            break;
          }
          case "remove": {
            const [, id, delivered] = op;
            if (!source.delete(id)) break;
            const obj = thing(id, ++revision);
            if (delivered) queueing([id], () => queue.delete(obj));
            break;
          }
          case "list":
            relist();
            break;
          case "resync":
            queueing(store.listKeys(), () => queue.resync());
            break;
          case "pop":
            for (let i = 0; i < op[1]; i++) pop();
        }
        assertEquals(new Map(store.list().map((obj) => [obj.id, obj])), witness.present);
      }
      relist();
      while (pop());
      assertEquals(new Map(store.list().map((obj) => [obj.id, obj])), source);
      assertEquals(order, []);
      assert(queue.hasSynced());
    }),
    400,
  );
});

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  type DeltaFIFOOptions,
  FIFOClosedError,
  KeyError,
  type KeyListerGetter,
} from "../../../src/cache/mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import {
  drain,
  isPending,
  recordingLogger,
  short,
  type Thing,
  thing,
  thingKey,
} from "../_support.ts";

const tombstone = (key: string, obj?: Thing) => new DeletedFinalStateUnknown<Thing>(key, obj);
const known = (...things: Thing[]): KeyListerGetter<Thing> => ({
  listKeys: () => things.map((obj) => obj.id),
  getByKey: (key) => things.find((obj) => obj.id === key),
});
const make = (options: DeltaFIFOOptions<Thing> = {}) =>
  new DeltaFIFO<Thing>({ keyFunc: thingKey, logger: silentLogger, ...options });

const noLookup: KeyListerGetter<Thing> = {
  listKeys: () => ["a"],
  getByKey: () => {
    throw new Error("The disk is gone");
  },
};

Deno.test("DeltaFIFO keeps the changes of a key together, oldest first", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 2));
  queue.update(thing("a", 3));
  queue.delete(thing("a", 4));
  queue.add(thing("a", 5));
  assertEquals(queue.length, 2);
  assertEquals(drain(queue), ["Added(a=1) Updated(a=3) Deleted(a=4) Added(a=5)", "Added(b=2)"]);
  assertEquals(queue.length, 0);
});

Deno.test("DeltaFIFO queues a popped key at the tail when it changes again", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 1));
  assert(queue.tryPop((deltas) => assertEquals(short(deltas), "Added(a=1)")));
  queue.add(thing("a", 2));
  assertEquals(drain(queue), ["Added(b=1)", "Added(a=2)"]);
});

Deno.test("DeltaFIFO does not merge equal additions or updates", () => {
  const queue = make();
  for (let i = 0; i < 3; i++) queue.add(thing("a"));
  for (let i = 0; i < 2; i++) queue.update(thing("a"));
  assertEquals(drain(queue), ["Added(a) Added(a) Added(a) Updated(a) Updated(a)"]);
});

Deno.test("DeltaFIFO merges two deletions in a row into the older one, or into the newer one if the older is a tombstone", () => {
  const cases: [(Thing | DeletedFinalStateUnknown<Thing>)[], string][] = [
    [[thing("a", 1), thing("a", 2)], "Deleted(a=1)"],
    [[thing("a", 1), tombstone("a", thing("a", 2))], "Deleted(a=1)"],
    [[tombstone("a", thing("a", 1)), thing("a", 2)], "Deleted(a=2)"],
    [[tombstone("a", thing("a", 1)), tombstone("a", thing("a", 2))], "Deleted(?a:a=2)"],
    [[tombstone("a"), thing("a", 1), thing("a", 2)], "Deleted(a=1)"],
  ];
  for (const [deletions, expected] of cases) {
    const queue = make();
    queue.add(thing("a", 0));
    for (const deletion of deletions) queue.delete(deletion);
    assertEquals(drain(queue), [`Added(a=0) ${expected}`]);
  }
});

Deno.test("DeltaFIFO merges only the last two deletions", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.delete(thing("a", 2));
  queue.update(thing("a", 3));
  queue.delete(thing("a", 4));
  assertEquals(drain(queue), ["Added(a=1) Deleted(a=2) Updated(a=3) Deleted(a=4)"]);
});

Deno.test("DeltaFIFO.delete() ignores objects that are neither queued nor known", () => {
  const without = make();
  without.delete(thing("a"));
  assertEquals(without.length, 0, "without known objects only the queue counts");

  const queue = make({ knownObjects: known(thing("k", 1)) });
  queue.delete(thing("a"));
  queue.delete(thing("k", 2));
  queue.add(thing("q", 1));
  queue.delete(thing("q", 2));
  assertEquals(drain(queue), ["Deleted(k=2)", "Added(q=1) Deleted(q=2)"]);
});

Deno.test("DeltaFIFO.delete() queues the deletion if the lookup in the known objects fails", () => {
  const queue = make({ knownObjects: noLookup });
  queue.delete(thing("a", 1));
  assertEquals(drain(queue), ["Deleted(a=1)"]);
});

Deno.test("DeltaFIFO.replace() queues Sync by default, and Replaced with emitDeltaTypeReplaced", () => {
  const plain = make();
  plain.replace([thing("a", 1), thing("b", 2)], "0");
  assertEquals(drain(plain), ["Sync(a=1)", "Sync(b=2)"]);

  const telling = make({ emitDeltaTypeReplaced: true, knownObjects: known(thing("b", 1)) });
  telling.replace([thing("a", 1)], "0");
  telling.resync();
  assertEquals(drain(telling), ["Replaced(a=1)", "Deleted(?b:b=1)"]);
});

Deno.test("DeltaFIFO.replace() queues every item, even if its deletion is pending", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.delete(thing("a", 1));
  queue.replace([thing("a", 2)], "0");
  assertEquals(drain(queue), ["Added(a=1) Deleted(a=1) Sync(a=2)"]);
});

Deno.test("DeltaFIFO.replace() deletes queued objects that are not in the list, with their newest state", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.update(thing("a", 2));
  queue.add(thing("b", 1));
  queue.replace([thing("b", 2)], "0");
  assertEquals(drain(queue), ["Added(a=1) Updated(a=2) Deleted(?a:a=2)", "Added(b=1) Sync(b=2)"]);
});

Deno.test("DeltaFIFO.replace() does not nest tombstones", () => {
  const queue = make({ knownObjects: known(thing("a", 1)) });
  queue.delete(tombstone("a", thing("a", 7)));
  queue.replace([], "0");
  assertEquals(drain(queue), ["Deleted(?a:a=7)"]);
});

Deno.test("DeltaFIFO.replace() keeps the final state of a pending deletion", () => {
  const queue = make({ knownObjects: known(thing("a", 1)) });
  queue.delete(thing("a", 9));
  queue.replace([], "0");
  assertEquals(drain(queue), ["Deleted(a=9)"]);
});

Deno.test("DeltaFIFO.replace() deletes known objects that are neither queued nor in the list", () => {
  const queue = make({ knownObjects: known(thing("a", 1), thing("b", 1), thing("c", 1)) });
  queue.update(thing("b", 2));
  queue.replace([thing("c", 2)], "0");
  assertEquals(drain(queue), ["Updated(b=2) Deleted(?b:b=2)", "Sync(c=2)", "Deleted(?a:a=1)"]);
});

Deno.test("DeltaFIFO.replace() queues a tombstone without an object and logs an error if the lookup fails", () => {
  const logger = recordingLogger();
  const failing = make({ knownObjects: noLookup, logger });
  failing.replace([], "0");
  assertEquals(drain(failing), ["Deleted(?a:)"]);
  assert(
    logger.lines[0]?.startsWith('error: Known object "a" cannot be looked up'),
    logger.lines[0],
  );
  assert(logger.lines[0]?.includes("The disk is gone"));

  const gone = make({ knownObjects: { listKeys: () => ["a"], getByKey: () => undefined } });
  gone.replace([], "0");
  assertEquals(drain(gone), ["Deleted(?a:)"]);
});

Deno.test("DeltaFIFO.replace() queues an item once for each time that it is listed", () => {
  const queue = make();
  queue.replace([thing("a", 1), thing("a", 2)], "0");
  assertEquals(drain(queue), ["Sync(a=1) Sync(a=2)"]);
  assert(queue.hasSynced(), "but counts its key once");
});

Deno.test("DeltaFIFO queues nothing if an operation throws", () => {
  const transformer = (obj: Thing) => {
    if (obj.val === "bad") throw new TypeError("Cannot transform it");
    return obj;
  };
  const queue = make({ transformer, knownObjects: known(thing("k", 1)) });
  const bad = thing("a", "bad");
  for (
    const operation of [
      () => queue.add(bad),
      () => queue.update(bad),
      () => queue.delete(thing("k", "bad")),
      () => queue.replace([thing("b", 1), bad], "0"),
    ]
  ) assertThrows(operation, TypeError, "Cannot transform it");

  const keyless = make({
    keyFunc: (obj) => {
      if (obj.id === "") throw new Error("No id");
      return obj.id;
    },
  });
  for (
    const operation of [
      () => keyless.add(thing("")),
      () => keyless.update(thing("")),
      () => keyless.delete(thing("")),
      () => keyless.replace([thing("b"), thing("")], "0"),
    ]
  ) assert(KeyError.is(assertThrows(operation, Error, "No id")));
  assertEquals([queue.length, keyless.length], [0, 0]);
});

Deno.test("DeltaFIFO transforms objects, but neither tombstones nor replayed objects", () => {
  const transformer = (obj: Thing) => thing(obj.id, `${obj.val}!`);
  const queue = make({ transformer, knownObjects: known(thing("k", 0), thing("d", 0)) });
  assertStrictEquals(queue.transformer, transformer);
  queue.add(thing("a", 1));
  queue.update(thing("a", 2));
  queue.delete(thing("a", 3));
  queue.delete(tombstone("d", thing("d", 0)));
  queue.resync();
  assertEquals(drain(queue), [
    "Added(a=1!) Updated(a=2!) Deleted(a=3!)",
    "Deleted(?d:d=0)",
    "Sync(k=0)",
  ]);
  queue.replace([thing("b", 1)], "0");
  assertEquals(drain(queue), ["Sync(b=1!)", "Deleted(?k:k=0)", "Deleted(?d:d=0)"]);
});

Deno.test("DeltaFIFO.resync() replays known objects that are not queued", () => {
  const queue = make({
    knownObjects: known(thing("a", 1), thing("b", 1)),
    emitDeltaTypeReplaced: true,
  });
  queue.delete(thing("a", 2));
  queue.resync();
  queue.resync();
  assertEquals(drain(queue), ["Deleted(a=2)", "Sync(b=1)"]);
});

Deno.test("DeltaFIFO.resync() does nothing without known objects, and skips objects whose lookup fails", () => {
  const without = make();
  without.resync();
  assertEquals(without.length, 0);

  const logger = recordingLogger();
  const failing = make({ knownObjects: noLookup, logger });
  failing.resync();
  assertEquals(failing.length, 0);
  assertEquals(logger.lines.length, 1);
});

Deno.test("DeltaFIFO.keyOf() accepts objects, tombstones and deltas", () => {
  const queue = make();
  assertEquals(queue.keyOf(thing("a")), "a");
  assertEquals(queue.keyOf(tombstone("t", thing("a"))), "t");
  assertEquals(
    queue.keyOf([{ type: "Added", object: thing("old") }, {
      type: "Deleted",
      object: thing("new"),
    }]),
    "new",
  );
  assertEquals(queue.keyOf([{ type: "Deleted", object: tombstone("t") }]), "t");
  assert(KeyError.is(assertThrows(() => queue.keyOf([]), Error, "no deltas")));
});

Deno.test("DeltaFIFO uses metaNamespaceKeyFunc by default", () => {
  const queue = new DeltaFIFO();
  assertEquals(queue.keyOf({ metadata: { namespace: "ns", name: "a" } }), "ns/a");
});

Deno.test("DeltaFIFO.hasSynced() depends on the first operation", () => {
  const cases: [string, (queue: DeltaFIFO<Thing>) => void, boolean][] = [
    ["nothing", () => {}, false],
    ["add", (queue) => queue.add(thing("a")), true],
    ["update", (queue) => queue.update(thing("a")), true],
    ["delete", (queue) => queue.delete(thing("a")), true],
    ["resync", (queue) => queue.resync(), false],
    ["empty replace", (queue) => queue.replace([], "0"), true],
    ["replace", (queue) => queue.replace([thing("a"), thing("b")], "0"), false],
    ["replace, one taken", (queue) => {
      queue.replace([thing("a"), thing("b")], "0");
      queue.tryPop(() => {});
    }, false],
    ["replace, all taken", (queue) => {
      queue.replace([thing("a"), thing("b")], "0");
      drain(queue);
    }, true],
    ["replace, all taken, replace", (queue) => {
      queue.replace([thing("a")], "0");
      drain(queue);
      queue.replace([thing("b")], "0");
    }, true],
    ["add, replace", (queue) => {
      queue.add(thing("a"));
      queue.replace([thing("b")], "0");
    }, true],
    ["replace, add of another", (queue) => {
      queue.replace([thing("a")], "0");
      queue.add(thing("b"));
      queue.tryPop(() => {});
    }, true],
  ];
  for (const [name, act, expected] of cases) {
    const queue = make();
    act(queue);
    assertEquals(queue.hasSynced(), expected, name);
  }
});

Deno.test("DeltaFIFO.hasSynced() also waits for the deletions of the first replace()", () => {
  const queue = make({ knownObjects: known(thing("k")) });
  queue.replace([thing("a")], "0");
  queue.tryPop(() => {});
  assertEquals(queue.hasSynced(), false);
  queue.tryPop(() => {});
  assertEquals(queue.hasSynced(), true);
});

Deno.test("DeltaFIFO.tryPop() passes isInInitialList for the last key of the list, when the queue has synced already", () => {
  const queue = make();
  queue.replace([thing("a"), thing("b")], "0");
  queue.add(thing("c"));
  const seen: [string, boolean, boolean][] = [];
  while (
    queue.tryPop((deltas, isInInitialList) =>
      seen.push([short(deltas), isInInitialList, queue.hasSynced()])
    )
  );
  assertEquals(seen, [["Sync(a)", true, false], ["Sync(b)", true, true], [
    "Added(c)",
    false,
    true,
  ]]);
});

Deno.test("DeltaFIFO.whenSynced() resolves when the initial list is popped, and rejects when its signal aborts", async () => {
  const queue = make();
  const synced = queue.whenSynced();
  const aborting = new AbortController();
  const aborted = queue.whenSynced({ signal: aborting.signal });
  aborting.abort(new Error("Enough"));
  await assertRejects(() => aborted, Error, "Enough");
  queue.replace([thing("a")], "0");
  assert(await isPending(synced));
  drain(queue);
  await synced;
  await queue.whenSynced();
});

Deno.test("DeltaFIFO.tryPop() throws the error of the process function, and the deltas are gone", () => {
  const queue = make();
  queue.replace([thing("a")], "0");
  const fail = () => {
    throw new Error("Failed");
  };
  assertThrows(() => queue.tryPop(fail), Error, "Failed");
  assertEquals(queue.length, 0);
  assert(queue.hasSynced());
  assertEquals(queue.tryPop(fail), false);
});

Deno.test("DeltaFIFO.tryPop() lets the process function add to the queue", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.tryPop(() => queue.update(thing("a", 2)));
  assertEquals(drain(queue), ["Updated(a=2)"]);
});

Deno.test("DeltaFIFO.addIfNotPresent() puts deltas back unless the key has newer ones", () => {
  const queue = make();
  queue.add(thing("a", 1));
  queue.add(thing("b", 1));
  queue.tryPop((deltas) => queue.addIfNotPresent(deltas));
  assertEquals(drain(queue), ["Added(b=1)", "Added(a=1)"]);

  queue.add(thing("a", 1));
  queue.tryPop((deltas) => {
    queue.update(thing("a", 2));
    queue.addIfNotPresent(deltas);
  });
  assertEquals(drain(queue), ["Updated(a=2)"]);
  assert(KeyError.is(assertThrows(() => queue.addIfNotPresent([]), Error)));
});

Deno.test("DeltaFIFO.addIfNotPresent() copies the array of deltas", () => {
  const queue = make();
  const deltas = [{ type: "Added", object: thing("a", 1) }] as const;
  queue.addIfNotPresent(deltas);
  queue.update(thing("a", 2));
  assertEquals(deltas.length, 1);
  assertEquals(drain(queue), ["Added(a=1) Updated(a=2)"]);
});

Deno.test("DeltaFIFO.pop() waits for a key and returns its deltas", async () => {
  const queue = make();
  const popped = queue.pop(() => {});
  assert(await isPending(popped));
  queue.add(thing("a", 1));
  queue.update(thing("a", 2));
  assertEquals(short(await popped), "Added(a=1) Updated(a=2)");
  queue.add(thing("b"));
  assertEquals(short(await queue.pop(() => {})), "Added(b)");
  queue.add(thing("c"));
  await assertRejects(
    () =>
      queue.pop(() => {
        throw new Error("Failed");
      }),
    Error,
    "Failed",
  );
  assertEquals(queue.length, 0);
});

Deno.test("DeltaFIFO.pop() returns one key to each of several waiting callers", async () => {
  const queue = make();
  const popped = [queue.pop(() => {}), queue.pop(() => {}), queue.pop(() => {})];
  queue.add(thing("a"));
  queue.add(thing("b"));
  assertEquals(short(await popped[0]!), "Added(a)");
  assertEquals(short(await popped[1]!), "Added(b)");
  assert(await isPending(popped[2]!));
  queue.close();
  await assertRejects(() => popped[2]!, FIFOClosedError);
});

Deno.test("DeltaFIFO.pop() waits for an asynchronous process function and rejects with its error", async () => {
  const queue = make();
  queue.add(thing("a"));
  queue.add(thing("b"));
  const slow = Promise.withResolvers<void>();
  const first = queue.pop(() => slow.promise);
  assert(await isPending(first));
  slow.resolve();
  assertEquals(queue.keyOf(await first), "a");
  await assertRejects(() => queue.pop(() => Promise.reject(new Error("No"))), Error, "No");
  assertEquals(queue.length, 0);
});

Deno.test("DeltaFIFO.close() lets consumers pop the queued keys, and still accepts changes", async () => {
  const queue = make();
  queue.add(thing("a"));
  queue.close();
  queue.add(thing("b"));
  queue.replace([thing("a"), thing("b"), thing("c")], "0");
  assert(queue.isClosed());
  await queue.wait();
  for (const expected of ["Added(a) Sync(a)", "Added(b) Sync(b)", "Sync(c)"]) {
    assertEquals(short(await queue.pop(() => {})), expected);
  }
  const error = await assertRejects(() => queue.pop(() => {}), Error, "closed");
  assert(FIFOClosedError.is(error));
  await assertRejects(() => queue.wait(), FIFOClosedError);
  queue.add(thing("d"));
  assertEquals(short(await queue.pop(() => {})), "Added(d)");
});

Deno.test("DeltaFIFO.close() wakes waiting consumers", async () => {
  const queue = make();
  const waiting = [queue.pop(() => {}), queue.wait()];
  queue.close();
  for (const promise of waiting) await assertRejects(() => promise, FIFOClosedError);
});

Deno.test("DeltaFIFO.wait() and pop() reject when their signal aborts, and leave the queue unchanged", async () => {
  const queue = make();
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = [queue.pop(() => {}, { signal }), queue.wait({ signal })];
  stopping.abort(new Error("Stop"));
  for (const promise of waiting) await assertRejects(() => promise, Error, "Stop");
  queue.add(thing("a"));
  await assertRejects(() => queue.pop(() => {}, { signal }), Error, "Stop");
  await assertRejects(() => queue.wait({ signal }), Error, "Stop");
  assertEquals(drain(queue), ["Added(a)"]);
});

Deno.test("DeltaFIFO.passTo() passes a change on at once if the queue has synced and is empty, and queues it otherwise", () => {
  const queue = make({ knownObjects: known(thing("c")) });
  const passed: string[] = [];
  queue.passTo((deltas, isInInitialList, key) => {
    passed.push(`${key}: ${short(deltas)} ${isInInitialList}`);
  });
  queue.replace([thing("a", 1), thing("b", 1)], "1");
  queue.update(thing("a", 2));
  assertEquals(passed, [], "the list has not been popped");
  assertEquals(drain(queue).length, 3);
  queue.add(thing("d", 1));
  queue.update(thing("d", 2));
  queue.delete(thing("c", 3));
  queue.delete(thing("unknown"));
  assertEquals(passed.splice(0), [
    "d: Added(d=1) false",
    "d: Updated(d=2) false",
    "c: Deleted(c=3) false",
  ]);
  queue.resync();
  queue.update(thing("d", 3));
  queue.replace([thing("c", 4)], "4");
  assertEquals(passed, [], "no change overtakes those that are queued");
  assertEquals(drain(queue), ["Sync(c) Sync(c=4)", "Updated(d=3) Deleted(?d:d=3)"]);
  queue.passTo(undefined);
  queue.add(thing("e"));
  assertEquals([passed, drain(queue)], [[], ["Added(e)"]]);
});

Deno.test("DeltaFIFO.passTo() queues changes that arrive while its consumer is called, and continues after a consumer throws", () => {
  const queue = make();
  queue.replace([], "1");
  const passed: string[] = [];
  queue.passTo((deltas) => {
    passed.push(short(deltas));
    if (passed.length === 1) queue.update(thing("a", 2));
    else throw new Error("no luck");
  });
  queue.add(thing("a", 1));
  assertEquals([passed, queue.length], [["Added(a=1)"], 1]);
  assertEquals(drain(queue), ["Updated(a=2)"]);
  for (let i = 0; i < 2; i++) assertThrows(() => queue.add(thing("b")), Error, "no luck");
  assertEquals([passed.length, queue.length], [3, 0]);
});

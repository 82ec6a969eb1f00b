import { assertEquals, assertThrows } from "@std/assert";
import {
  DeletedFinalStateUnknown,
  type Delta,
  FilteringResourceEventHandler,
  newStore,
  processDeltas,
  type ResourceEventHandler,
} from "../../../src/cache/mod.ts";
import { type Thing, thing, thingKey } from "../_support.ts";

function recordingHandler() {
  const calls: unknown[][] = [];
  const handler: ResourceEventHandler<Thing> = {
    onAdd: (...args) => void calls.push(["add", ...args]),
    onUpdate: (...args) => void calls.push(["update", ...args]),
    onDelete: (...args) => void calls.push(["delete", ...args]),
  };
  return { calls, handler };
}
const delta = (type: Delta<Thing>["type"], object: Delta<Thing>["object"]): Delta<Thing> => ({
  type,
  object,
});

for (const type of ["Added", "Updated", "Sync", "Replaced"] as const) {
  Deno.test(`processDeltas() turns ${type} into an addition or an update, depending on the store`, () => {
    const store = newStore(thingKey);
    const { calls, handler } = recordingHandler();
    processDeltas(handler, store, [delta(type, thing("a", 1))], true);
    processDeltas(handler, store, [delta(type, thing("a", 2))], false);
    processDeltas(handler, store, [delta(type, thing("b", 1))], false);
    assertEquals(calls, [
      ["add", thing("a", 1), true],
      ["update", thing("a", 1), thing("a", 2)],
      ["add", thing("b", 1), false],
    ]);
    assertEquals(store.list(), [thing("a", 2), thing("b", 1)]);
  });
}

Deno.test("processDeltas() passes deletions on unchanged, tombstones included", () => {
  const store = newStore(thingKey);
  store.replace([thing("a", 1), thing("b", 1)], "0");
  const { calls, handler } = recordingHandler();
  const tombstone = new DeletedFinalStateUnknown("b", thing("b", 1));
  processDeltas(handler, store, [delta("Deleted", thing("a", 2))], false);
  processDeltas(handler, store, [delta("Deleted", tombstone)], false);
  assertEquals(calls, [["delete", thing("a", 2)], ["delete", tombstone]]);
  assertEquals(store.size, 0);
});

Deno.test("processDeltas() applies deltas oldest first, each to the store before the handler is called", () => {
  const store = newStore(thingKey);
  const seen: unknown[] = [];
  const stored = () => store.getByKey("a")?.val;
  processDeltas(
    {
      onAdd: () => void seen.push(["add", stored()]),
      onUpdate: () => void seen.push(["update", stored()]),
      onDelete: () => void seen.push(["delete", stored()]),
    },
    store,
    [
      delta("Added", thing("a", 1)),
      delta("Updated", thing("a", 2)),
      delta("Deleted", thing("a", 2)),
      delta("Added", thing("a", 3)),
    ],
    false,
  );
  assertEquals(seen, [["add", 1], ["update", 2], ["delete", undefined], ["add", 3]]);
});

Deno.test("processDeltas() accepts a handler without methods", () => {
  const store = newStore(thingKey);
  processDeltas({}, store, [delta("Added", thing("a")), delta("Updated", thing("a", 1))], false);
  assertEquals(store.list(), [thing("a", 1)]);
  processDeltas({}, store, [delta("Deleted", thing("a"))], false);
  assertEquals(store.size, 0);
});

Deno.test("processDeltas() updates the store even if a handler throws", () => {
  const store = newStore(thingKey);
  const handler = {
    onAdd() {
      throw new RangeError("Add failed");
    },
  };
  const deltas = [delta("Added", thing("a", 1)), delta("Updated", thing("a", 2))];
  assertThrows(() => processDeltas(handler, store, deltas, false), RangeError, "Add failed");
  assertEquals(store.list(), [thing("a", 2)]);

  const more = [...deltas, delta("Deleted", thing("a", 2)), delta("Added", thing("a", 3))];
  store.replace([], "0");
  const error = assertThrows(() => processDeltas(handler, store, more, false), AggregateError);
  assertEquals(error.errors.length, 2);
  assertEquals(store.list(), [thing("a", 3)]);
});

Deno.test("processDeltas() continues after a delta that the store refuses", () => {
  const store = newStore<Thing>((obj) => {
    if (obj.val === "bad") throw new Error("No key");
    return obj.id;
  });
  const deltas = [delta("Added", thing("a", "bad")), delta("Updated", thing("a", 2))];
  assertThrows(() => processDeltas({}, store, deltas, false), Error, "No key");
  assertEquals(store.list(), [thing("a", 2)]);
  const odd = [delta("Sync", new DeletedFinalStateUnknown<Thing>("a"))];
  assertThrows(() => processDeltas({}, store, odd, false), TypeError, "holds a tombstone");
});

Deno.test("FilteringResourceEventHandler passes matching objects on, with an addition or deletion when the match changes", () => {
  const { calls, handler } = recordingHandler();
  const filtering = new FilteringResourceEventHandler<Thing>({
    filterFunc: (obj) => !DeletedFinalStateUnknown.is(obj) && obj.val === "in",
    handler,
  });
  const inside = thing("a", "in");
  const outside = thing("a", "out");
  filtering.onAdd(outside, true);
  filtering.onAdd(inside, true);
  filtering.onUpdate(outside, outside);
  filtering.onUpdate(outside, inside);
  filtering.onUpdate(inside, inside);
  filtering.onUpdate(inside, outside);
  filtering.onDelete(outside);
  filtering.onDelete(inside);
  assertEquals(calls, [
    ["add", inside, true],
    ["add", inside, false],
    ["update", inside, inside],
    ["delete", inside],
    ["delete", inside],
  ]);
});

Deno.test("FilteringResourceEventHandler calls its filter with tombstones", () => {
  const { calls, handler } = recordingHandler();
  const filtering = new FilteringResourceEventHandler<Thing>({
    filterFunc: (obj) => DeletedFinalStateUnknown.is(obj) && obj.key === "a",
    handler,
  });
  const tombstone = new DeletedFinalStateUnknown<Thing>("a");
  filtering.onDelete(tombstone);
  filtering.onDelete(new DeletedFinalStateUnknown<Thing>("b"));
  assertEquals(calls, [["delete", tombstone]]);
});

Deno.test("FilteringResourceEventHandler returns the promise of an asynchronous handler", async () => {
  let done = false;
  const filtering = new FilteringResourceEventHandler<Thing>({
    filterFunc: () => true,
    handler: {
      async onAdd() {
        await Promise.resolve();
        done = true;
      },
    },
  });
  await filtering.onAdd(thing("a"), false);
  filtering.onUpdate(thing("a"), thing("a"));
  filtering.onDelete(thing("a"));
  assertEquals(done, true);
});

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import type { WorkQueue } from "../../src/workqueue/mod.ts";
import { type MakeQueue, queueProperties } from "./_queue_properties.ts";

/** Lets resolved promises run their callbacks. */
async function ticks(count = 10): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

/** Reports whether a promise settles by itself. */
async function settles(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  await ticks();
  return settled;
}

function takeAll(queue: WorkQueue<string>): string[] {
  const items: string[] = [];
  let item: string | undefined;
  while ((item = queue.tryGet()) !== undefined) {
    items.push(item);
    queue.done(item);
  }
  return items;
}

/** Tests of every implementation of the work queue. */
export function queueSuite(name: string, make: MakeQueue): void {
  Deno.test(`${name}.tryGet() returns items in the order in which they were added`, () => {
    const queue = make();
    for (const item of ["c", "a", "b"]) queue.add(item);
    assertEquals(takeAll(queue), ["c", "a", "b"]);
    assertEquals(queue.tryGet(), undefined);
  });

  Deno.test(`${name}.add() of a queued item changes nothing, not even its position`, () => {
    const queue = make();
    for (const item of ["a", "b", "a", "a"]) queue.add(item);
    assertEquals(queue.length, 2);
    assertEquals(takeAll(queue), ["a", "b"]);
  });

  Deno.test(`${name}.add() while a worker has the item queues it once more, after done()`, () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.add("a");
    queue.add("a");
    assertEquals(queue.length, 0);
    assertEquals(queue.tryGet(), undefined);
    queue.done("a");
    assertEquals(takeAll(queue), ["a"]);
    assertEquals(queue.tryGet(), undefined);
  });

  Deno.test(`${name}.done() appends an item that was added meanwhile`, () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.add("a");
    queue.add("b");
    queue.done("a");
    assertEquals(takeAll(queue), ["b", "a"]);
  });

  Deno.test(`${name}.add() queues an item again once it is done`, () => {
    const queue = make();
    queue.add("a");
    assertEquals(takeAll(queue), ["a"]);
    queue.add("a");
    assertEquals(takeAll(queue), ["a"]);
  });

  Deno.test(`${name}.add() rejects undefined`, () => {
    assertThrows(() => make().add(undefined as unknown as string), TypeError, "Item is undefined");
  });

  Deno.test(`${name}.done() of a queued item is an error, and does not queue it twice`, () => {
    const queue = make();
    queue.add("a");
    assertThrows(() => queue.done("a"), Error, 'Item "a" is not being processed');
    assertEquals(queue.length, 1);
    assertEquals(takeAll(queue), ["a"]);
  });

  Deno.test(`${name}.done() of an unknown item, or twice, is an error`, () => {
    const queue = make();
    assertThrows(() => queue.done("a"), Error, "is not being processed");
    queue.add("a");
    queue.tryGet();
    queue.done("a");
    assertThrows(() => queue.done("a"), Error, "is not being processed");
    assertEquals(queue.length, 0);
  });

  Deno.test(`${name}.length counts queued items only`, () => {
    const queue = make();
    for (const item of ["a", "b", "c"]) queue.add(item);
    queue.tryGet();
    queue.add("a");
    assertEquals(queue.length, 2);
    queue.done("a");
    assertEquals(queue.length, 3);
  });

  Deno.test(`${name}.get() with an item queued resolves in the next microtask`, async () => {
    const queue = make();
    queue.add("a");
    let result: unknown;
    queue.get().then((value) => (result = value));
    await Promise.resolve();
    assertEquals(result, { item: "a", shutdown: false });
  });

  Deno.test(`${name}.get() waits for an item`, async () => {
    const queue = make();
    const got = queue.get();
    assertEquals(await settles(got), false);
    queue.add("a");
    assertEquals(await got, { item: "a", shutdown: false });
    queue.done("a");
  });

  Deno.test(`${name}.get() serves waiting callers in order, one item each`, async () => {
    const queue = make();
    const order: string[] = [];
    const gets = ["first", "second", "third"].map((who) =>
      queue.get().then(({ item }) => order.push(`${who}:${item}`))
    );
    queue.add("a");
    queue.add("b");
    await ticks();
    assertEquals(order, ["first:a", "second:b"]);
    queue.add("c");
    await Promise.all(gets);
    assertEquals(order, ["first:a", "second:b", "third:c"]);
  });

  Deno.test(`${name}.get() does not overtake callers that wait already`, async () => {
    const queue = make();
    const first = queue.get();
    queue.add("a");
    const second = queue.get();
    assertEquals((await first).item, "a");
    assertEquals(await settles(second), false);
    queue.add("b");
    assertEquals((await second).item, "b");
  });

  Deno.test(`${name}.get() returns an item once that was added twice before the waiting caller runs`, async () => {
    const queue = make();
    const got = queue.get();
    queue.add("a");
    queue.add("a");
    assertEquals((await got).item, "a");
    queue.done("a");
    assertEquals(queue.length, 0);
  });

  Deno.test(`${name}.get() is woken by done() of an item that was added meanwhile`, async () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.add("a");
    const got = queue.get();
    assertEquals(await settles(got), false);
    queue.done("a");
    assertEquals((await got).item, "a");
  });

  Deno.test(`${name}.get() rejects with the reason of an abort, at once when it has happened`, async () => {
    const queue = make();
    queue.add("a");
    const reason = new Error("enough");
    const rejected = await assertRejects(() => queue.get({ signal: AbortSignal.abort(reason) }));
    assertStrictEquals(rejected, reason);
    assertEquals(queue.length, 1);
  });

  Deno.test(`${name}.get() that is aborted while it waits loses no item`, async () => {
    const queue = make();
    const controller = new AbortController();
    const reason = new Error("enough");
    const aborted = assertRejects(() => queue.get({ signal: controller.signal }));
    const patient = queue.get();
    queue.add("a");
    controller.abort(reason);
    assertStrictEquals(await aborted, reason);
    assertEquals(await patient, { item: "a", shutdown: false });
  });

  Deno.test(`${name}.get() removes its listener from the signal`, async () => {
    const queue = make();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const got = queue.get({ signal });
    assertEquals(listeners, 1);
    queue.add("a");
    await got;
    assertEquals(listeners, 0);
  });

  Deno.test(`${name}.shutDown() lets get() return the queued items, then reports the shutdown`, async () => {
    const queue = make();
    queue.add("a");
    queue.add("b");
    queue.shutDown();
    assertEquals(queue.shuttingDown(), true);
    assertEquals(await queue.get(), { item: "a", shutdown: false });
    assertEquals(await queue.get(), { item: "b", shutdown: false });
    assertEquals(await queue.get(), { item: undefined, shutdown: true });
    assertEquals(await queue.get(), { item: undefined, shutdown: true });
  });

  Deno.test(`${name}.shutDown() wakes all waiting callers`, async () => {
    const queue = make();
    const gets = [queue.get(), queue.get(), queue.get()];
    queue.shutDown();
    for (const { shutdown } of await Promise.all(gets)) assertEquals(shutdown, true);
  });

  Deno.test(`${name}.shutDown() right after add() gives the item to a waiting caller`, async () => {
    const queue = make();
    const gets = [queue.get(), queue.get()];
    queue.add("a");
    queue.shutDown();
    assertEquals((await Promise.all(gets)).map(({ item }) => item), ["a", undefined]);
  });

  Deno.test(`${name}.add() after shutDown() is ignored, also while a worker has the item`, () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.shutDown();
    queue.add("a");
    queue.add("b");
    assertEquals(queue.length, 0);
    queue.done("a");
    assertEquals(queue.length, 0);
  });

  Deno.test(`${name}.done() after shutDown() still queues what was added before it`, async () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.add("a");
    queue.shutDown();
    assertEquals(await queue.get(), { item: undefined, shutdown: true });
    queue.done("a");
    assertEquals(await queue.get(), { item: "a", shutdown: false });
    queue.done("a");
    assertEquals((await queue.get()).shutdown, true);
  });

  Deno.test(`${name}.shutDownWithDrain() resolves when no worker has an item`, async () => {
    const queue = make();
    queue.add("a");
    queue.add("b");
    queue.tryGet();
    queue.tryGet();
    const drained = queue.shutDownWithDrain();
    assertEquals(queue.shuttingDown(), true);
    queue.done("a");
    assertEquals(await settles(drained), false);
    queue.done("b");
    await drained;
  });

  Deno.test(`${name}.shutDownWithDrain() does not wait for items that are only queued`, async () => {
    const queue = make();
    queue.add("a");
    assert(await settles(queue.shutDownWithDrain()));
    assertEquals(takeAll(queue), ["a"]);
  });

  Deno.test(`${name}.shutDownWithDrain() waits for a worker that continues with the next item`, async () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.add("a");
    const drained = queue.shutDownWithDrain();
    queue.done("a");
    assertEquals((await queue.get()).item, "a");
    assertEquals(await settles(drained), false);
    queue.done("a");
    await drained;
  });

  Deno.test(`${name}.shutDownWithDrain() can be called twice`, async () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    const drains = [queue.shutDownWithDrain(), queue.shutDownWithDrain()];
    assertEquals(await settles(Promise.race(drains)), false);
    queue.done("a");
    await Promise.all(drains);
    await queue.shutDownWithDrain();
  });

  Deno.test(`${name}.shutDown() ends the wait of shutDownWithDrain()`, async () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    const drained = queue.shutDownWithDrain();
    assertEquals(await settles(drained), false);
    queue.shutDown();
    await drained;
  });

  Deno.test(`${name}.shutDownWithDrain() after shutDown() waits for the workers`, async () => {
    const queue = make();
    queue.add("a");
    queue.tryGet();
    queue.shutDown();
    const drained = queue.shutDownWithDrain();
    assertEquals(await settles(drained), false);
    queue.done("a");
    await drained;
  });

  Deno.test(`${name} shuts down when it is disposed`, async () => {
    const queue = make();
    {
      await using disposed = queue;
      disposed.add("a");
      disposed.tryGet();
    }
    assertEquals(queue.shuttingDown(), true);
  });

  Deno.test(`${name} keeps its items in options.queue, and touches items that are added again`, () => {
    const touched: string[] = [];
    const stack: string[] = [];
    const queue = make({
      queue: {
        get length() {
          return stack.length;
        },
        push: (item) => stack.push(item),
        pop: () => stack.pop(),
        touch: (item) => touched.push(item),
      },
    });
    for (const item of ["a", "b", "a"]) queue.add(item);
    assertEquals(touched, ["a"]);
    assertEquals(queue.tryGet(), "b");
    queue.add("b");
    queue.add("b");
    assertEquals(touched, ["a"], "an item with a worker is not touched");
    queue.done("b");
    assertEquals(takeAll(queue), ["b", "a"]);
  });

  queueProperties(name, make);
}

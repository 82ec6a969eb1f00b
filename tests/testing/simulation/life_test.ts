import { assert, assertEquals, assertRejects } from "@std/assert";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { Life, livingBody } from "../../../src/testing/simulation/world/mod.ts";

function living() {
  const clock = new VirtualClock();
  const log: string[] = [];
  const note = (text: string) => () => void log.push(text);
  return { clock, life: new Life(clock), log, note, taken: () => log.splice(0) };
}

Deno.test("Life fires its timers, until they are cancelled or it ends", async () => {
  const { clock, life, note, taken } = living();
  await clock.advance(5);
  assertEquals([life.clock.now(), life.clock.wallNow()], [5, clock.wallNow()]);
  life.clock.setTimer(note("one"), 10);
  life.clock.setTimer(note("two"), 10).cancel();
  assertEquals(clock.pendingTimers, 1);
  await clock.advance(10);
  assertEquals(taken(), ["one"]);
  life.clock.setTimer(note("three"), 10);
  const undo = life.onDeath(note("undone"));
  life.onDeath(note("death"));
  undo();
  assertEquals(life.isDead, false);
  life.kill();
  life.kill();
  assertEquals([life.isDead, taken()], [true, ["death"]]);
  life.clock.setTimer(note("four"), 10).cancel();
  life.clock.setTimer(note("five"), 10);
  assertEquals(clock.pendingTimers, 1);
  life.pause();
  life.resume();
  void Promise.resolve(life.deliver(1)).then(note("delivered"));
  void life.outlast().then(note("outlasted"));
  life.fail(new Error("no")).catch(note("failed"));
  await clock.advance(10);
  assertEquals([life.isDead, taken()], [true, []]);
});

Deno.test("Life keeps what happens while it stands still for later, in order", async () => {
  const { clock, life, note, taken } = living();
  assertEquals([life.deliver(1), await life.outlast()], [1, undefined]);
  life.resume();
  life.pause();
  void life.outlast().then(note("outlasted"));
  life.clock.setTimer(note("timer"), 10);
  const cancelled = life.clock.setTimer(note("cancelled"), 10);
  void Promise.resolve(life.deliver("delivered")).then((text) => note(text)());
  life.fail(new Error("failed")).catch(({ message }) => note(message)());
  await clock.advance(20);
  cancelled.cancel();
  assertEquals(taken(), []);
  life.resume();
  assertEquals(taken(), []);
  await clock.settle();
  assertEquals(taken(), ["delivered", "failed", "timer", "outlasted"]);
  // Nothing happens twice.
  life.pause();
  life.resume();
  assertEquals(clock.pendingTimers, 0);
  // A callback stops it again.
  life.pause();
  life.clock.setTimer(() => life.pause(), 0);
  life.clock.setTimer(note("after"), 0);
  await clock.settle();
  life.resume();
  await clock.settle();
  assertEquals(taken(), []);
  life.resume();
  await clock.settle();
  assertEquals(taken(), ["after"]);
  await assertRejects(() => life.fail(new Error("at once")), Error, "at once");
});

/** A body that a test fills, and how many ask for the end of the life. */
function bodyOf(life: Life) {
  let registered = 0;
  const onDeath = life.onDeath.bind(life);
  life.onDeath = (end) => {
    registered++;
    const undo = onDeath(end);
    return () => {
      registered--;
      undo();
    };
  };
  let source!: ReadableStreamDefaultController<Uint8Array>;
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (source = controller),
    cancel: (reason) => void cancelled.push(reason),
  });
  const seen: number[] = [];
  const cuts = new Set<(error?: Error) => void>();
  const body = livingBody(stream, life, {
    seen: ([first]) => void seen.push(first!),
    onCut: (cut) => {
      cuts.add(cut);
      return () => cuts.delete(cut);
    },
  });
  return { cuts, body, cancelled, registered: () => registered, seen, source };
}

Deno.test("livingBody() tells what the process reads, and no sooner", async () => {
  const { clock, life } = living();
  const { body, registered, seen, source } = bodyOf(life);
  source.enqueue(new Uint8Array([1]));
  source.enqueue(new Uint8Array([2]));
  await clock.settle();
  assertEquals([seen, registered()], [[], 1]);
  const reader = body.getReader();
  assertEquals([(await reader.read()).value, seen], [new Uint8Array([1]), [1]]);
  life.pause();
  const second = reader.read();
  await clock.settle();
  assertEquals(seen, [1]);
  life.resume();
  await clock.settle();
  assertEquals([(await second).value, seen], [new Uint8Array([2]), [1, 2]]);
  source.close();
  assertEquals([(await reader.read()).done, registered()], [true, 0]);
});

Deno.test("livingBody() passes errors and cancellations on", async () => {
  const broken = bodyOf(living().life);
  broken.source.error(new Error("reset"));
  await assertRejects(() => broken.body.getReader().read(), Error, "reset");
  assertEquals(broken.registered(), 0);
  const left = bodyOf(living().life);
  await left.body.cancel("enough");
  assertEquals([left.cancelled, left.registered()], [["enough"], 0]);
});

Deno.test("livingBody() cancels the body of the server when the life ends", async () => {
  const { clock, life } = living();
  const { body, cancelled } = bodyOf(life);
  let answers = 0;
  void body.getReader().read().then(() => answers++);
  await clock.settle();
  life.kill();
  await clock.settle();
  assert(life.isDead);
  assertEquals([cancelled, answers], [[undefined], 0]);
});

Deno.test("livingBody() ends when its connection is cut, with an error or without", async () => {
  const { clock, life } = living();
  const { body, cancelled, cuts, registered } = bodyOf(life);
  const reading = body.getReader().read();
  await clock.settle();
  for (const cut of cuts) cut(new Error("cut"));
  await assertRejects(() => reading, Error, "cut");
  assertEquals([cancelled, cuts.size, registered()], [[undefined], 0, 0]);
  const closed = bodyOf(living().life);
  const last = closed.body.getReader().read();
  for (const cut of closed.cuts) cut();
  assertEquals([(await last).done, closed.cuts.size], [true, 0]);
});

Deno.test("Life says when nothing keeps its program running any more", async () => {
  const { clock, life, note, taken } = living();
  const end = life.begin();
  life.clock.setTimer(note("timer"), 10);
  const cancelled = life.clock.setTimer(() => {}, 60_000);
  life.onIdle(note("idle"));
  await clock.advance(10);
  assertEquals(taken(), ["timer"]);
  end();
  end();
  await clock.advance(0);
  assertEquals(taken(), []);
  cancelled.cancel();
  await clock.advance(0);
  assertEquals(taken(), ["idle"]);
  const { body, source } = bodyOf(life);
  await clock.advance(0);
  assertEquals(taken(), []);
  source.close();
  await body.getReader().read();
  await clock.advance(0);
  assertEquals(taken(), ["idle"]);
});

Deno.test("Life has a wall clock that may be ahead", () => {
  const clock = new VirtualClock();
  const life = new Life(clock, 5000);
  assertEquals(life.clock.wallNow() - clock.wallNow(), 5000);
  assertEquals(life.clock.now(), clock.now());
});

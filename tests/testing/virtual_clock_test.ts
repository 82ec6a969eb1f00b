import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ApiServer, type Timer, VirtualClock } from "../../src/testing/mod.ts";
import { testOn } from "../support/kinds_of_tests.ts";

Deno.test("VirtualClock.advance() fires timers in the order they are due, then set", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("b"), 20);
  clock.setTimer(() => fired.push("a1"), 10);
  clock.setTimer(() => fired.push("a2"), 10);
  await clock.advance(20);
  assertEquals(fired, ["a1", "a2", "b"]);
  assertEquals([clock.now(), clock.wallNow()], [20, Date.UTC(2026, 0, 1) + 20]);
});

Deno.test("VirtualClock.advance() fires timers that another timer sets, if they are due in time", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  const again = () => {
    fired.push(clock.now());
    Promise.resolve().then(() => clock.setTimer(again, 10));
  };
  clock.setTimer(again, 10);
  await clock.advance(35);
  assertEquals(fired, [10, 20, 30]);
  assertEquals(clock.pendingTimers, 1);
});

Deno.test("VirtualClock lets streams settle between two timers", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  (async () => {
    for await (const chunk of readable.pipeThrough(new TransformStream())) seen.push(chunk);
  })();
  clock.setTimer(() => writer.write("x"), 1);
  clock.setTimer(() => seen.push("second timer"), 2);
  await clock.advance(2);
  assertEquals(seen, ["x", "second timer"]);
  await writer.close();
});

Deno.test("VirtualClock timers can be cancelled, even twice", async () => {
  const clock = new VirtualClock();
  let fired = 0;
  const timer = clock.setTimer(() => fired++, 5);
  timer.cancel();
  timer.cancel();
  await clock.advance(10);
  assertEquals(fired, 0);
});

Deno.test("VirtualClock.run() advances until the promise settles, and throws when no timer is left", async () => {
  const clock = new VirtualClock();
  const late = new Promise<string>((resolve) => clock.setTimer(() => resolve("done"), 3_600_000));
  assertEquals(await clock.run(late), "done");
  assertEquals(clock.now(), 3_600_000);
  await assertRejects(() => clock.run(new Promise(() => {})), Error, "no timer is set");
});

Deno.test("VirtualClock.run() waits for what takes real time when no timer is left", async () => {
  const clock = new VirtualClock();
  const file = Deno.readTextFile(new URL(import.meta.url));
  const parts = clock.run(
    file.then((text) =>
      new Promise<number>((resolve) => void clock.setTimer(() => resolve(text.length), 5_000))
    ),
  );
  assert(await parts > 1_000);
  assertEquals(clock.now(), 5_000);
});

Deno.test("VirtualClock fires what is due now by itself, and nothing else", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("later"), 1);
  await new Promise<void>((resolve) => {
    clock.setTimer(() => {
      fired.push("first");
      clock.setTimer(() => fired.push("second"), 0);
      clock.setTimer(resolve, -5);
    }, 0);
  });
  assertEquals(fired, ["first", "second"]);
  const cancelled = clock.setTimer(() => fired.push("cancelled"), 0);
  cancelled.cancel();
  await clock.settle();
  assertEquals([fired, clock.pendingTimers], [["first", "second"], 1]);
});

Deno.test("VirtualClock fires due timers when the call that moves it is done", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.setTimer(() => {
    resolve();
    clock.setTimer(() => fired.push("after run()"), 0);
  }, 10);
  await clock.run(promise);
  await clock.settle();
  assertEquals(fired, ["after run()"]);
});

Deno.test("VirtualClock.run() throws at its time limit", async () => {
  const clock = new VirtualClock();
  const tick = () => clock.setTimer(tick, 10);
  tick();
  await assertRejects(() => clock.run(new Promise(() => {}), 100), Error, "after 100 ms");
});

Deno.test("VirtualClock.queueTurn() sorts what is queued in one turn, and keeps the order of the turns", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  const turn = (name: string, then = () => {}) =>
    clock.queueTurn(() => {
      fired.push(name);
      then();
    }, name[0]);
  clock.setTimer(() => fired.push("timer"), 0);
  turn("c", () => {
    turn("b2");
    // Some microtasks later, but in the same turn.
    Promise.resolve().then(() => {}).then(() => turn("a2"));
  });
  turn("d1", () => turn("a3"));
  turn("b1");
  turn("d2");
  await clock.settle();
  assertEquals(fired, ["b1", "c", "d1", "d2", "a2", "b2", "a3", "timer"]);
  assertEquals(clock.now(), 0);
});

Deno.test("VirtualClock.queueTurn() needs no call that moves the clock, and gives each callback a turn", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.queueTurn(() => {
    seen.push("first");
    let left = 100;
    const again = () =>
      void (left-- > 0 ? Promise.resolve().then(again) : seen.push("its promises"));
    again();
  });
  clock.queueTurn(() => {
    seen.push("second");
    resolve();
  });
  assertEquals(seen, []);
  await promise;
  assertEquals(seen, ["first", "its promises", "second"]);
});

Deno.test("VirtualClock.queueTurn() comes before all timers, also due timers", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  let left = 3;
  const turn = () => {
    fired.push("turn");
    if (--left > 0) clock.queueTurn(turn);
  };
  clock.setTimer(() => {
    fired.push("timer 1");
    clock.queueTurn(turn);
  }, 10);
  clock.setTimer(() => fired.push("timer 2"), 10);
  await clock.advance(10);
  assertEquals(fired, ["timer 1", "turn", "turn", "turn", "timer 2"]);
});

Deno.test("VirtualClock.queueTurn() refuses what plain JavaScript may pass", () => {
  const clock = new VirtualClock();
  const queueTurn = clock.queueTurn.bind(clock) as (...args: unknown[]) => void;
  assertThrows(() => queueTurn(), TypeError, "callback must be a function: received null");
  assertThrows(() => queueTurn(() => {}, 5), TypeError, "order must be a string");
});

testOn(
  ["deno"],
  "the place in the stack is that of the source",
  "VirtualClock reports a timer of 0 ms that sets itself again, and where",
  async () => {
    const clock = new VirtualClock({ standstillLimit: 2000 });
    let fired = 0;
    let timer: Timer | undefined;
    function hotLoop() {
      fired++;
      timer = clock.setTimer(hotLoop, 0);
    }
    clock.setTimer(hotLoop, 500);
    const error = await assertRejects(() => clock.advance(1000), Error, "stands still at 500 ms");
    assert(error.message.includes("virtual_clock_test.ts"), error.message);
    assert(error.message.includes("hotLoop"), error.message);
    assert(!/src.testing.virtual_clock\.ts/.test(error.message), error.message);
    assertEquals([fired, clock.now()], [2000, 500]);
    timer?.cancel();
    await clock.advance(1000);
    assertEquals(clock.now(), 1500);
  },
);

Deno.test("VirtualClock reports turns and timers too short to move it, from run() too", async () => {
  for (const delayMs of [-1, 1e-300, undefined]) {
    const clock = new VirtualClock({ standstillLimit: 100 });
    let ended = false;
    const again = () => {
      if (ended) return;
      if (delayMs === undefined) clock.queueTurn(again);
      else clock.setTimer(again, delayMs);
    };
    clock.setTimer(again, 1);
    await assertRejects(() => clock.run(new Promise(() => {})), Error, "stands still at 1 ms");
    ended = true;
    await clock.settle();
  }
});

Deno.test("VirtualClock reports a loop of requests, and which ones", async () => {
  const clock = new VirtualClock({ standstillLimit: 500 });
  await using server = new ApiServer({ clock });
  let over = false;
  const poll = async () => {
    while (!over) await (await server.fetch("http://cluster/api/v1/pods?limit=7")).text();
  };
  const polling = poll();
  const error = await assertRejects(() => clock.advance(1), Error, "stands still at 0 ms");
  assert(error.message.includes('GET /api/v1/pods?limit=7"'), error.message);
  over = true;
  await polling;
});

Deno.test("VirtualClock stops to fire by itself in an endless loop, and the next call reports it", async () => {
  const clock = new VirtualClock({ standstillLimit: 100 });
  let fired = 0;
  let timer: Timer | undefined;
  const again = () => {
    fired++;
    timer = clock.setTimer(again, 0);
  };
  again();
  for (let i = 0; i < 300; i++) await new Promise((resolve) => setImmediate(resolve));
  assertEquals(fired, 101);
  await assertRejects(() => clock.settle(), Error, "stands still");
  timer?.cancel();
  await clock.settle();
});

Deno.test("VirtualClock counts what fires from zero whenever the time moves", async () => {
  const clock = new VirtualClock({ standstillLimit: 10 });
  let fired = 0;
  for (let at = 0; at < 100; at++) {
    for (let i = 0; i < 5; i++) clock.setTimer(() => clock.queueTurn(() => fired++), at);
  }
  await clock.advance(100);
  assertEquals(fired, 500);
});

Deno.test("VirtualClock refuses invalid times", async () => {
  for (const wrong of [NaN, -1, Infinity, "5", null]) {
    const clock = new VirtualClock();
    await assertRejects(() => clock.advance(wrong as number), RangeError, "ms must");
    assertEquals(clock.now(), 0);
  }
  const clock = new VirtualClock();
  for (const wrong of [NaN, 0, -1, "5"]) {
    const run = () => clock.run(Promise.resolve(), wrong as number);
    await assertRejects(run, RangeError, "limitMs must be");
  }
  assertEquals(await clock.run(Promise.resolve(1), Infinity), 1);
  const noPromise = (() => {}) as unknown as Promise<void>;
  await assertRejects(() => clock.run(noPromise), TypeError, "Expected a promise");
  assertThrows(() => new VirtualClock({ wallStartMs: NaN }), RangeError, "wallStartMs");
  assertThrows(() => new VirtualClock({ standstillLimit: 0 }), RangeError, "standstillLimit");
});

Deno.test("VirtualClock refuses to be moved by two calls at once, and says which", async () => {
  const clock = new VirtualClock();
  const advancing = clock.advance(1000);
  await assertRejects(
    () => clock.advance(5),
    Error,
    "Cannot call advance(5): advance(1000) is still",
  );
  await assertRejects(() => clock.settle(), Error, "Cannot call settle()");
  await assertRejects(() => clock.run(Promise.resolve()), Error, "Cannot call run()");
  await advancing;
  assertEquals(clock.now(), 1000);
  await clock.settle();
});

Deno.test("VirtualClock never fires a timer of infinite delay", async () => {
  const clock = new VirtualClock();
  clock.setTimer(() => {
    throw new Error("It fired");
  }, Infinity);
  await assertRejects(() => clock.run(new Promise(() => {}), Infinity), Error, "still pending");
  assertEquals(clock.now(), 0);
});

Deno.test("VirtualClock continues after a callback that throws", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.setTimer(() => {
    throw new Error("first");
  }, 10);
  clock.setTimer(() => fired.push("second"), 10);
  await assertRejects(() => clock.advance(10), Error, "first");
  await clock.advance(0);
  assertEquals(fired, ["second"]);
});

Deno.test("hold() lets the clock stand still until work of the runtime has settled", async () => {
  const clock = new VirtualClock();
  const at: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.setTimer(() => {
    clock.hold(promise.then(() => void at.push(`done ${clock.now()}`)));
    clock.hold(Promise.reject(new Error("failed")));
    // Only the event loop of the runtime can resolve it.
    setTimeout(resolve, 5);
  }, 10);
  clock.setTimer(() => at.push(`timer ${clock.now()}`), 11);
  await clock.advance(20);
  assertEquals(at, ["done 10", "timer 11"]);
});

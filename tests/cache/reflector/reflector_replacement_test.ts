/** A list that is put into the store in steps. */

import { assertEquals } from "@std/assert";
import type { Pod } from "../../../src/types/mod.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import { added, initialEventsEnd, listOf, pod, Stream } from "./_scripted_source.ts";

/** The number of steps that a reflector does in one turn, on a clock that stands still. */
const STEPS_PER_TURN = 501;
const STEPS = 3 * STEPS_PER_TURN + 1;

/** Gives the store a replacement of so many steps, which records how it ends. */
function replaceInSteps(t: ReflectorHarness, onStep: (step: number) => void = () => {}): string[] {
  const lines: string[] = [];
  Object.assign(t.store, {
    *replaceInSteps(items: readonly Pod[], resourceVersion: string) {
      try {
        for (let step = 1; step <= STEPS; step++) {
          onStep(step);
          yield;
        }
        lines.push("done");
        t.store.replace(items, resourceVersion);
      } finally {
        lines.push("closed");
      }
    },
  });
  return lines;
}

/** A first list of one object: plain, and streamed. */
const ROADS = ["a list", "a streaming list"].map((road) => ({
  road,
  open() {
    const t = new ReflectorHarness({ streaming: road === "a streaming list" });
    const stream = new Stream();
    if (road === "a list") t.source.lists = [() => listOf("10", pod("a", "3"))];
    else stream.send(added(pod("a", "3")), initialEventsEnd("10"));
    stream.send(added(pod("b", "11")));
    t.source.watches = [() => stream];
    return t;
  },
}));

for (const { road, open } of ROADS) {
  Deno.test(`Reflector puts ${road} into the store in bounded turns, and the events after it`, async () => {
    await using t = open();
    let steps = 0;
    const lines = replaceInSteps(t, () => steps++);
    const turns: number[] = [];
    const { setTimer } = t.clock;
    t.clock.setTimer = (callback, delayMs) => {
      if (delayMs === 0 && steps > 0) turns.push(steps);
      return setTimer.call(t.clock, callback, delayMs);
    };
    await t.start();
    assertEquals(turns.slice(0, 2), [STEPS_PER_TURN, 2 * STEPS_PER_TURN]);
    assertEquals(lines, ["done", "closed"]);
    assertEquals(t.store.calls, ["replace a @10", "add b"]);
    assertEquals(t.store.versions, ["10", "11"]);
  });

  Deno.test(`Reflector stops in the middle of ${road}, and counts nothing of it`, async () => {
    await using t = open();
    const lines = replaceInSteps(t, (step) => {
      if (step === STEPS_PER_TURN + 7) t.abort();
    });
    await t.start();
    await t.stop();
    assertEquals(lines, ["closed"]);
    assertEquals(t.store.calls, []);
    assertEquals(t.reflector.lastSyncResourceVersion(), "");
    const { phase, lastError } = t.reflector.snapshot();
    assertEquals([phase, lastError], ["stopped", undefined]);
    assertEquals(t.errors, []);
    assertEquals(t.clock.pendingTimers, 0);
  });

  Deno.test(`Reflector lists again if the store refuses ${road} in the middle`, async () => {
    await using t = open();
    replaceInSteps(t, (step) => {
      if (step === STEPS_PER_TURN + 7) throw new Error("The disk is full");
    });
    await t.start();
    assertEquals(
      t.errors.map((error) => (error as Error).message),
      ["Cannot put the list of pods into the store"],
    );
    assertEquals(t.store.calls, []);
    assertEquals(t.reflector.lastSyncResourceVersion(), "");
  });
}

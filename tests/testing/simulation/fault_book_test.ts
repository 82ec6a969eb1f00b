import { assertEquals } from "@std/assert";
import {
  describeFault,
  FaultBook,
  type PlanFault,
} from "../../../src/testing/simulation/plans/mod.ts";
import { History } from "../../../src/testing/simulation/record/mod.ts";

const lose: PlanFault = { fault: "lose", write: "w" };
const crash: PlanFault = { fault: "crash", when: "after", write: "w" };
const back: PlanFault = { fault: "revert", step: 2, when: "x" };
const settled: PlanFault = { fault: "revert", step: 3, when: "settled" };
const restart: PlanFault = { fault: "restart", process: "p", step: 0 };
const skip: PlanFault = { fault: "skip", step: 3 };
const late: PlanFault = { fault: "late" };
const FAULTS = [late, lose, crash, back, settled, restart, skip];

function bookAt(now: () => number) {
  const history = new History(now);
  return { book: new FaultBook(FAULTS, history, now), history };
}

Deno.test("FaultBook finds faults by their write, their step and their kind", () => {
  const { book } = bookAt(() => 0);
  assertEquals(book.faults, FAULTS);
  assertEquals(
    ["w", "x", "y", "settled"].map((write) => book.ofName(write)),
    [[lose, crash], [back], [], []],
  );
  assertEquals(book.ofStep("revert", 2), back);
  assertEquals(book.ofStep("revert", 3), settled);
  assertEquals(book.ofStep("skip", 3), skip);
  assertEquals([book.ofStep("skip", 2), book.ofStep("restart", 3), book.ofStep("bad", 3)], [
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals([book.of("late"), book.of("skip"), book.of("order")], [late, skip, undefined]);
});

Deno.test("FaultBook records each fault that takes effect once, and the end of the last one", () => {
  let nowMs = 5;
  const { book, history } = bookAt(() => nowMs);
  assertEquals([book.untilMs, book.taken.size], [-Infinity, 0]);
  book.takeEffect(lose);
  assertEquals([book.untilMs, [...book.taken]], [5, [lose]]);
  nowMs = 10;
  book.takeEffect(lose, 100);
  book.takeEffect(late, 50);
  assertEquals([book.untilMs, [...book.taken]], [110, [lose, late]]);
  book.extend(101);
  assertEquals(book.untilMs, 111);
  assertEquals(history.moments, [
    { atMs: 5, kind: "fault", text: describeFault(lose) },
    { atMs: 10, kind: "fault", text: describeFault(late) },
  ]);
});

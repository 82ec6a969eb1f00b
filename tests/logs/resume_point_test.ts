import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readTime, type TimedLine } from "../../src/logs/log_time.ts";
import { LineQueue } from "../../src/logs/line_queue.ts";
import { ResumePoint } from "../../src/logs/resume_point.ts";
import { assertProperty } from "../support/seeded_runs.ts";

function lineAt(second: number, nanos: number, line: string): TimedLine {
  return { time: "", second, nanos: String(nanos).padStart(9, "0"), line };
}

function isSame(a: TimedLine, b: TimedLine): boolean {
  return a.second === b.second && a.nanos === b.nanos && a.line === b.line;
}

Deno.test("readTime() reads times with any fraction and zone, and nothing else", () => {
  const second = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;
  const parts = (text: string) => {
    const { nanos, line, second } = readTime(text)!;
    return [second, nanos, line];
  };
  assertEquals(parts("2026-01-02T03:04:05.123456789Z a b"), [second, "123456789", "a b"]);
  assertEquals(parts("2026-01-02T05:04:05.12+02:00  a"), [second, "120000000", " a"]);
  assertEquals(parts("2026-01-02T03:04:05Z "), [second, "000000000", ""]);
  assertEquals(parts("2026-01-02T03:04:05Z"), [second, "000000000", ""]);
  assertEquals(
    readTime("2026-01-02T03:04:05Z 2026-01-02T03:04:06Z x")?.time,
    "2026-01-02T03:04:05Z",
  );
  for (const text of ["", "a", "2026-13-02T03:04:05Z a", "2026-01-02 a", "2026-01-02T03:04:05Za"]) {
    assertEquals(readTime(text), undefined, text);
  }
});

Deno.test("ResumePoint takes each line of a log once, wherever it is cut, repeated and rotated", () => {
  const gaps = fc.constantFrom(0, 0, 0, 1, 400_000_000, 900_000_000, 5_000_000_000);
  const steps = fc.array(
    fc.record({ gap: gaps, text: fc.constantFrom("same", "a", "b"), late: fc.boolean() }),
    { maxLength: 60 },
  );
  const cuts = fc.array(fc.record({ at: fc.nat(60), rotated: fc.nat(20) }), { maxLength: 6 });
  assertProperty(fc.property(steps, cuts, (steps, cuts) => {
    let nowNs = 100 * 1e9;
    const log = steps.map(({ gap, late, text }) => {
      nowNs += gap;
      // Lines of the other output are written a little later than their time says.
      const atNs = late ? nowNs - 1000 : nowNs;
      return lineAt(Math.floor(atNs / 1e9), atNs % 1e9, text);
    });
    const point = new ResumePoint(true);
    const got: TimedLine[] = [];
    const ends = cuts.map(({ at, rotated }) => ({ at: Math.min(at, log.length), rotated }))
      .sort((a, b) => a.at - b.at);
    for (const { at, rotated } of [...ends, { at: log.length, rotated: 0 }]) {
      const replay = point.replay();
      const from = point.fromSecond ?? -Infinity;
      // A server knows no line that was rotated away: only such as have been delivered.
      let start = Math.min(rotated, got.length);
      // Of equal lines with equal times, the rotated ones cannot be known.
      const areKnown = () =>
        !log.slice(0, start).some((old) => log.slice(start).some((line) => isSame(line, old)));
      while (!areKnown()) start--;
      for (const line of log.slice(start, at)) {
        if (line.second >= from && replay.isNew(line, 0)) got.push(line);
      }
    }
    assertEquals(got, log);
  }));
});

Deno.test("ResumePoint of a log that is followed from its end leaves out what was before", () => {
  const point = new ResumePoint(false);
  const first = point.replay();
  assert(first.isNew(lineAt(7, 5, "first"), 0));
  const replay = point.replay();
  const before = [lineAt(6, 9, "a"), lineAt(7, 4, "b")];
  assertEquals(before.map((line) => replay.isNew(line, 0)), [false, false]);
  // Lines of the same time may be new.
  const after = [lineAt(7, 5, "c"), lineAt(7, 6, "d"), lineAt(8, 0, "e")];
  assertEquals(after.map((line) => replay.isNew(line, 0)), [true, true, true]);
});

Deno.test("LineQueue lets writers wait while it holds 1000 lines", async () => {
  const queue = new LineQueue();
  const { signal } = new AbortController();
  const line = { pod: "p", namespace: "n", container: "c", line: "", time: "" };
  const isDone = async (promise: Promise<void>) => {
    let done = false;
    promise.then(() => done = true);
    for (let i = 0; i < 10; i++) await Promise.resolve();
    return done;
  };
  for (let i = 0; i < 999; i++) await queue.put(line, signal);
  assertEquals(await isDone(queue.put(line, signal)), true);
  const waits = queue.put({ ...line, line: "last" }, signal);
  assertEquals(await isDone(waits), false);
  await queue.take();
  assertEquals(await isDone(waits), true);
});

Deno.test("ResumePoint tells the parts of a long line apart", () => {
  const point = new ResumePoint(true);
  const line = lineAt(7, 5, "xxx");
  assert(point.replay().isNew(line, 0));
  const replay = point.replay();
  assertEquals([replay.isNew(line, 0), replay.isNew(line, 1), replay.isNew(line, 0)], [
    false,
    true,
    true,
  ]);
});

Deno.test("ResumePoint keeps what two seconds have, and no more than 50,000 lines of a second", () => {
  const point = new ResumePoint(true);
  const first = point.replay();
  for (let i = 0; i < 60_000; i++) assert(first.isNew(lineAt(7, 5, `${i}`), 0));
  const replay = point.replay();
  // The oldest are forgotten: they come twice, and none is lost.
  assertEquals(replay.isNew(lineAt(7, 5, "0"), 0), true);
  assertEquals(replay.isNew(lineAt(7, 5, "9999"), 0), true);
  assertEquals(replay.isNew(lineAt(7, 5, "10000"), 0), false);
  assertEquals(replay.isNew(lineAt(7, 5, "59999"), 0), false);
  replay.isNew(lineAt(9, 0, "later"), 0);
  assertEquals(point.fromSecond, 8);
  assertEquals(point.replay().isNew(lineAt(7, 5, "30000"), 0), false);
});

Deno.test("LineQueue lets writers wait while it holds 8 Mi characters", async () => {
  const queue = new LineQueue();
  const { signal } = new AbortController();
  const line = (length: number) => ({
    pod: "p",
    namespace: "n",
    container: "c",
    line: "x".repeat(length),
    time: "",
  });
  for (let count = 0; count < 8; count++) await queue.put(line(1024 * 1024), signal);
  let isPut = false;
  const waiting = queue.put(line(1), signal).then(() => isPut = true);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  assertEquals(isPut, false);
  assertEquals((await queue.take())?.line.length, 1024 * 1024);
  await waiting;
  queue.clear();
  for (let count = 0; count < 8; count++) await queue.put(line(1024 * 1024), signal);
});

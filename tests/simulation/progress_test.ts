import { assertEquals } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import { Progress } from "../../src/testing/simulation/report/mod.ts";

Deno.test("Progress is silent for five seconds, and then has a line every three", async () => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const progress = new Progress({
    name: "widgets",
    clock,
    isOn: true,
    write: (line) => void lines.push(line),
  });
  for (let plans = 1; plans <= 100; plans++) {
    await clock.advance(100);
    progress.report(plans, 0);
  }
  assertEquals(lines, [
    "widgets: 50 plans in 5 s (10 a second), 0 wrong",
    "widgets: 80 plans in 8 s (10 a second), 0 wrong",
  ]);
});

Deno.test("Progress writes nothing when it is off", async () => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const progress = new Progress({ name: undefined, clock, isOn: false, write });
  await clock.advance(60_000);
  progress.report(1, 0);
  assertEquals(lines, []);
});
